<?php

// What became of the tests of PHPUnit 10 and newer.

namespace GitTDD;

use PHPUnit\Event\Code\Test;
use PHPUnit\Event\Code\Throwable;
use PHPUnit\Event\Event;
use PHPUnit\Event\Tracer\Tracer as PHPUnitTracer;
use PHPUnit\Runner\Version;
use PHPUnit\TextUI\Configuration\Registry;

final class Tracer implements PHPUnitTracer
{
    private $journal;
    private $open = ''; // the test that runs
    private $passed = ''; // the same, where it passed and nothing came after
    private $planned = 0;
    private $files = []; // by class
    private $issues = []; // of tests that did not fail
    private $warnings = []; // of PHPUnit itself
    private $broken = false;

    public function __construct()
    {
        $this->journal = new Journal('phpunit ' . Version::id());
    }

    public function trace(Event $event): void
    {
        $name = \substr(\get_class($event), 14); // without PHPUnit\Event\
        switch ($name) {
            case 'TestRunner\ExecutionStarted':
                $this->started($event->testSuite()->tests());
                break;
            case 'Test\PreparationStarted':
                $this->start($this->id($event->test()));
                break;
            case 'Test\Passed':
                $this->passed = $this->open;
                break;
            case 'Test\Failed':
            case 'Test\Errored':
            case 'Test\PreparationErrored':
            case 'Test\PreparationFailed':
                $this->outcome($event->test(), 'failed', \method_exists($event, 'throwable') ? $this->raised($event->throwable()) : []);
                break;
            case 'Test\MarkedIncomplete':
                $this->skipped($event->test(), 'failOnIncomplete', $event->throwable()->message());
                break;
            case 'Test\Skipped':
                $this->skipped($event->test(), 'failOnSkipped', $event->message());
                break;
            case 'Test\Finished':
                $this->finished();
                break;
            case 'TestSuite\Skipped':
                foreach ($event->testSuite()->tests() as $test) {
                    $this->skipped($test, 'failOnSkipped', $event->message());
                }
                break;
            case 'Test\BeforeFirstTestMethodErrored':
            case 'Test\BeforeFirstTestMethodFailed':
            case 'Test\AfterLastTestMethodErrored':
            case 'Test\AfterLastTestMethodFailed':
                $this->broken($this->raised($event->throwable()) + ['name' => $event->testClassName()]);
                break;
            case 'Test\PhpunitErrorTriggered':
                $this->unmade($event);
                break;
            case 'TestRunner\ExecutionAborted':
                $this->journal->write([['event' => 'stopped']]);
                break;
            case 'Application\Finished':
                $this->end($event->shellExitCode());
                break;
            default:
                $this->other($name, $event);
        }
    }

    private function id(Test $test): string
    {
        return $test->isTestMethod()
            ? $this->journal->id($this->file($test), $test->className(), $test->name())
            : $this->journal->id($test->file(), '', '');
    }

    /** file is where the class of a test is. PHPUnit tells where the method is, which may be inherited. */
    private function file(Test $test): string
    {
        $class = $test->isTestMethod() ? $test->className() : '';
        if (!\class_exists($class, false)) {
            return $test->file();
        }

        return $this->files[$class] ??= (string) (new \ReflectionClass($class))->getFileName();
    }

    private function started(iterable $tests): void
    {
        $this->journal->forget();
        $plans = [];
        foreach ($tests as $test) {
            $plans[] = $this->plan($test);
            $this->planned++;
        }
        $this->journal->write($plans);
    }

    private function plan(Test $test): array
    {
        $file = $this->file($test);

        return $this->journal->plan($this->id($test), $file, $test->isTestMethod() && $file === $test->file() ? $test->line() : 0);
    }

    private function raised(Throwable $t): array
    {
        return $this->journal->raised($t->className(), $t->description(), $t->stackTrace());
    }

    private function start(string $id): void
    {
        $this->open = $id;
        $this->passed = '';
        $this->journal->write([['event' => 'start', 'id' => $id]]);
    }

    /** outcome takes in how a test ended that did not pass. Some were not said to start. */
    private function outcome(Test $test, string $status, array $why): void
    {
        $id = $this->id($test);
        if ($id !== $this->open) {
            $this->start($id);
        }
        $this->passed = '';
        $this->journal->verdict($id, $status, $why);
    }

    private function skipped(Test $test, string $setting, string $words): void
    {
        if ($this->forbids($setting)) {
            $this->outcome($test, 'failed', $this->forbidden('skipped', $words, $test->file(), 0));
        } else {
            $this->outcome($test, 'skipped', []);
        }
    }

    /** finished takes in that a test is over. One that was never prepared is not said to be. */
    private function finished(): void
    {
        if ($this->passed !== '') {
            $this->journal->verdict($this->passed, 'passed', []);
        }
        $this->open = $this->passed = '';
    }

    /** unmade takes in a test that could not be made: none runs in its place. */
    private function unmade($event): void
    {
        $test = $event->test();
        $this->planned++;
        $this->journal->write([$this->plan($test)]);
        $this->outcome($test, 'failed', ['kinds' => ['Error'], 'message' => $event->message(), 'text' => $event->message()]);
    }

    /** other takes in what is no failure by itself. */
    private function other(string $name, Event $event): void
    {
        if (!\preg_match('/^(Test|TestRunner)\\\\(?:Issue\\\\)?(ConsideredRisky|(?:Php|Phpunit)?(?:Error|Warning|Notice|Deprecation)Triggered)$/', $name, $of)) {
            return;
        }
        if ($of[1] === 'Test') {
            $this->issue($of[2], $event);
        } elseif (\method_exists($event, 'message')) {
            $this->warnings[] = $event->message();
        }
    }

    /** issue takes in what is no failure, but by a setting of the project. */
    private function issue(string $kind, $event): void
    {
        foreach (['wasSuppressed', 'ignoredByBaseline', 'ignoredByTest'] as $excuse) {
            if (\method_exists($event, $excuse) && $event->$excuse()) {
                return;
            }
        }
        $risky = $kind === 'ConsideredRisky';
        $kind = $risky ? 'risky assertion' : \lcfirst(\str_replace('Triggered', '', $kind));
        $has = \method_exists($event, 'file');
        $why = $this->forbidden($kind, $event->message(), $has ? $event->file() : '', $has ? $event->line() : 0);
        $setting = 'failOn' . ($risky ? 'Risky' : \preg_replace('/^php(?!unit)/i', '', \ucfirst($kind)));
        $test = $event->test();
        if ($this->forbids($setting)) {
            $this->outcome($test, 'failed', $why);
        } else {
            $this->issues[] = [$this->id($test), $why];
        }
    }

    private function forbidden(string $kind, string $words, string $file, int $line): array
    {
        return [
            'kinds' => [$kind], 'message' => $words,
            'text' => "the project's settings make this a failure: $kind: $words",
            'frames' => $file === '' ? [] : [['file' => $file, 'line' => $line]],
        ];
    }

    /** forbids asks a setting of the project, which not every version has. */
    private function forbids(string $setting): bool
    {
        $all = Registry::get();
        $not = 'doNotF' . \substr($setting, 1);
        if (\method_exists($all, $not) && $all->$not()) {
            return false;
        }

        return (\method_exists($all, $setting) && $all->$setting()) || (\method_exists($all, 'failOnAllIssues') && $all->failOnAllIssues());
    }

    private function broken(array $why): void
    {
        $this->broken = true;
        $this->journal->write([['event' => 'broken'] + $why]);
    }

    /** end blames what is left where nothing else explains the exit code. */
    private function end(int $exit): void
    {
        if ($exit !== 0 && $this->planned > 0 && !$this->broken && !$this->journal->failed()) {
            foreach ($this->issues as [$id, $why]) {
                $this->journal->verdict($id, 'failed', $why);
            }
            foreach ($this->issues ? [] : $this->warnings as $words) {
                $this->broken(['kinds' => ['PHPUnit itself'], 'message' => $words]);
            }
        }
        $this->journal->end($exit);
    }
}
