<?php

// What became of the tests of PHPUnit 8 and 9.

namespace GitTDD;

use PHPUnit\Framework\AssertionFailedError;
use PHPUnit\Framework\ExceptionWrapper;
use PHPUnit\Framework\Test;
use PHPUnit\Framework\TestCase;
use PHPUnit\Framework\TestFailure;
use PHPUnit\Framework\TestListener;
use PHPUnit\Framework\TestResult;
use PHPUnit\Framework\TestSuite;
use PHPUnit\Framework\Warning;
use PHPUnit\Runner\AfterLastTestHook;
use PHPUnit\Runner\BeforeFirstTestHook;
use PHPUnit\Runner\BeforeTestHook;
use PHPUnit\Runner\Version;
use PHPUnit\TextUI\TestRunner;
use PHPUnit\Util\Filter;

final class Listener implements TestListener, BeforeFirstTestHook, BeforeTestHook, AfterLastTestHook
{
    private $journal;
    private $settings = [];
    private $ids = []; // by object
    private $result;
    private $open; // the test that runs: its id, status and what made it fail

    public function __construct()
    {
        $this->journal = new Journal('phpunit ' . Version::id());
    }

    public function executeBeforeFirstTest(): void
    {
        $this->journal->forget();
        foreach (\debug_backtrace(0, 4) as $frame) {
            if (($frame['class'] ?? '') === TestRunner::class && \in_array($frame['function'], ['run', 'doRun'], true)) {
                $this->settings = $frame['args'][1];
                $this->journal->write(\iterator_to_array($this->plans($frame['args'][0]), false));
                break;
            }
        }
    }

    private function plans(TestSuite $suite): \Generator
    {
        foreach ($suite as $test) {
            if ($test instanceof TestSuite) {
                yield from $this->plans($test);
            } elseif ($test instanceof TestCase) {
                yield from $this->plan($suite, $test);
            } else { // a text that PHPUnit runs
                yield $this->planned($test, \method_exists($test, 'getName') ? $test->getName() : \get_class($test), '', '', 0);
            }
        }
    }

    /** plan names a test. What stands for one that could not be made has the name of its suite. */
    private function plan(TestSuite $suite, TestCase $test): \Generator
    {
        [$class, $name] = [\get_class($test), $test->getName()];
        if ($this->unmade($test)) {
            [$class, $name] = \explode('::', $suite->getName() . '::');
        }
        if ($name !== '' && \class_exists($class, false)) {
            $kind = new \ReflectionClass($class);
            $method = \strtok($name, ' ');
            $line = $kind->hasMethod($method) ? (int) $kind->getMethod($method)->getStartLine() : 0;
            yield $this->planned($test, (string) $kind->getFileName(), $class, $name, $line);
        }
    }

    private function planned(Test $test, string $file, string $class, string $name, int $line): array
    {
        $this->ids[\spl_object_id($test)] = $id = $this->journal->id($file, $class, $name);

        return $this->journal->plan($id, $file, $line);
    }

    private function unmade(Test $test): bool
    {
        return $test instanceof TestCase && \strncmp(\get_class($test), 'PHPUnit\\', 8) === 0;
    }

    /** executeBeforeTest finds the result, which nobody else hands out. */
    public function executeBeforeTest(string $test): void
    {
        if ($this->result) {
            return;
        }
        foreach (\debug_backtrace(DEBUG_BACKTRACE_PROVIDE_OBJECT, 6) as $frame) {
            if (isset($frame['object']) && $frame['object'] instanceof TestResult) {
                $this->result = $frame['object'];
                $this->result->addListener($this);
                $this->startTest($frame['args'][0]);
                break;
            }
        }
    }

    public function startTest(Test $test): void
    {
        $id = $this->ids[\spl_object_id($test)] ?? null;
        $this->open = ['id' => $id, 'status' => 'passed', 'why' => []];
        if ($id !== null) {
            $this->journal->write([['event' => 'start', 'id' => $id]]);
        }
    }

    public function endTest(Test $test, float $time): void
    {
        if ($this->open['id'] !== null) {
            $this->journal->verdict($this->open['id'], $this->open['status'], $this->open['why']);
        } elseif ($this->open['status'] === 'failed' && $this->ids) {
            $this->journal->write([['event' => 'broken'] + $this->open['why']]);
        }
        $this->open = null;
    }

    public function addError(Test $test, \Throwable $t, float $time): void
    {
        $this->note('failed', $t);
    }

    public function addFailure(Test $test, AssertionFailedError $t, float $time): void
    {
        $this->note('failed', $t);
    }

    /** addWarning is told of what a project may forgive, and of tests that could not be made. */
    public function addWarning(Test $test, Warning $t, float $time): void
    {
        if ($this->open['id'] !== null && $this->unmade($test)) {
            $this->note('failed', $t);
        } else {
            $this->issue('failOnWarning', $t, 'warning', 'passed');
        }
    }

    public function addRiskyTest(Test $test, \Throwable $t, float $time): void
    {
        $this->issue('failOnRisky', $t, 'risky assertion', 'passed');
    }

    public function addIncompleteTest(Test $test, \Throwable $t, float $time): void
    {
        $this->issue('failOnIncomplete', $t, 'incomplete', 'skipped');
    }

    public function addSkippedTest(Test $test, \Throwable $t, float $time): void
    {
        $this->issue('failOnSkipped', $t, 'skipped', 'skipped');
    }

    public function startTestSuite(TestSuite $suite): void
    {
    }

    public function endTestSuite(TestSuite $suite): void
    {
    }

    public function executeAfterLastTest(): void
    {
        if ($this->result && $this->result->shouldStop()) {
            $this->journal->write([['event' => 'stopped']]);
        }
        $this->journal->end($this->journal->failed() ? 1 : 0);
    }

    /** issue notes what is a failure by a setting of the project alone. */
    private function issue(string $setting, \Throwable $t, string $kind, string $status): void
    {
        if (empty($this->settings[$setting])) {
            $this->note($status, $t);

            return;
        }
        $this->note('failed', $t);
        $this->open['why']['kinds'] = [$this->open['id'] === null ? 'PHPUnit itself' : $kind];
        $this->open['why']['text'] = "the project's settings make this a failure: " . $this->open['why']['text'];
    }

    /** note keeps the worst. */
    private function note(string $status, \Throwable $t): void
    {
        if ($status === 'passed' || $this->open['status'] === 'failed') {
            return;
        }
        $this->open['status'] = $status;
        if ($status === 'failed') {
            $kind = $t instanceof ExceptionWrapper ? $t->getClassName() : \get_class($t);
            $this->open['why'] = $this->journal->raised($kind, TestFailure::exceptionToString($t), Filter::getFilteredStacktrace($t));
        }
    }
}
