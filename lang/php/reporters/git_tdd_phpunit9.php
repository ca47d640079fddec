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
use PHPUnit\Runner\TestListenerAdapter;
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
                $plans = [];
                $this->plans($frame['args'][0], $plans);
                $this->journal->write($plans);
                break;
            }
        }
    }

    /** plans adds what is known of the tests of a suite. */
    private function plans(TestSuite $suite, array &$plans): void
    {
        foreach ($suite as $test) { // those that a filter leaves
            if ($test instanceof TestSuite) {
                $this->plans($test, $plans);
            } elseif (!$test instanceof TestCase) { // a text that PHPUnit runs
                $plans[] = $this->planned($test, \method_exists($test, 'getName') ? $test->getName() : \get_class($test), '', '', 0);
            } elseif (!$this->unmade($test)) {
                $plans[] = $this->plan($test, \get_class($test), $test->getName());
            } else { // what stands for a test has the name of its suite
                [$class, $name] = \explode('::', $suite->getName() . '::');
                if ($name !== '' && \class_exists($class, false)) {
                    $plans[] = $this->plan($test, $class, $name);
                }
            }
        }
    }

    private function plan(TestCase $test, string $class, string $name): array
    {
        $file = (string) (new \ReflectionClass($class))->getFileName();
        $method = \strtok($name, ' ');
        $line = 0;
        if (\method_exists($class, $method)) {
            $code = new \ReflectionMethod($class, $method);
            $line = $code->getFileName() === $file ? (int) $code->getStartLine() : 0; // it may be inherited
        }

        return $this->planned($test, $file, $class, $name, $line);
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
        foreach (\debug_backtrace(DEBUG_BACKTRACE_PROVIDE_OBJECT, 6) as $frame) {
            $object = $frame['object'] ?? null;
            if ($object instanceof TestListenerAdapter) {
                $this->leave($object);
            } elseif ($object instanceof TestResult) {
                $this->result = $object;
                $this->result->addListener($this);
                $this->startTest($frame['args'][0]);
                break;
            }
        }
    }

    /** leave takes this hook away from those that are told of every test, with all its data as a text. */
    private function leave(TestListenerAdapter $adapter): void
    {
        $leave = function ($hook): void {
            unset($this->hooks[\array_search($hook, $this->hooks, true)]);
        };
        \Closure::bind($leave, $adapter, TestListenerAdapter::class)($this);
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
