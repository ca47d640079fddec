<?php

// Loaded before anything else by every PHP that a test command starts. In one that
// loads PHPUnit it writes down, line by line, what happens in the test run. What it
// needs of PHPUnit is found by the names of the classes that are asked for; the file
// for that version is compiled then, before any code of the project.

namespace GitTDD;

if (in_array(PHP_SAPI, ['cli', 'phpdbg'], true) && getenv('TDD_JOURNAL') !== false && !class_exists(Finder::class, false)) {
    final class Finder
    {
        private static $listener;
        private static $found = false;

        public static function begin(): void
        {
            \spl_autoload_register([self::class, 'asked'], true, true);
        }

        public static function end(): void
        {
            \spl_autoload_unregister([self::class, 'asked']);
        }

        /** asked is told each class that is not there yet. It loads none. */
        public static function asked(string $class): void
        {
            if (self::$found) {
                return;
            }
            if (\defined('__PHPUNIT_PHAR__')) {
                self::phar($class);
            } elseif ($class === 'PHPUnit\\TextUI\\Application' || $class === 'PHPUnit\\Event\\Facade') {
                self::trace();
            } elseif ($class === 'PHPUnit\\TextUI\\Command') {
                require __DIR__ . '/git_tdd_phpunit9.php';
                self::$listener = new Listener();
            } elseif ($class === 'PHPUnit\\Runner\\TestListenerAdapter' && self::$listener) {
                self::listen();
            }
        }

        /**
         * phar serves an archive of PHPUnit. That loads all its classes before it
         * does anything: the first that another one extends is what is asked for. While
         * events are loaded they cannot be listened to.
         */
        private static function phar(string $class): void
        {
            if (\strncmp($class, 'PHPUnit\\', 8) !== 0 || \strncmp($class, 'PHPUnit\\Event\\', 14) === 0) {
                return;
            }
            self::$found = true;
            foreach (\spl_autoload_functions() as $load) {
                $load($class); // PHP itself asks for it but once at a time
            }
            if (\class_exists('PHPUnit\\Event\\Facade')) {
                self::trace();
            } else {
                require __DIR__ . '/git_tdd_phpunit9.php';
                \array_splice($_SERVER['argv'], 1, 0, ['--extensions', Listener::class]);
            }
        }

        /** trace follows the events of PHPUnit 10 and newer. */
        private static function trace(): void
        {
            self::$found = true;
            require __DIR__ . '/git_tdd_phpunit.php';
            \PHPUnit\Event\Facade::instance()->registerTracer(new Tracer());
        }

        /** listen adds the listener where PHPUnit is about to ask for them. */
        private static function listen(): void
        {
            self::$found = true;
            foreach (\debug_backtrace(DEBUG_BACKTRACE_PROVIDE_OBJECT, 8) as $frame) {
                if (isset($frame['object']) && $frame['object'] instanceof \PHPUnit\TextUI\TestRunner) {
                    $frame['object']->addExtension(self::$listener);
                    break;
                }
            }
        }
    }

    /**
     * One process' journal: a file of its own, which no print of the code under
     * test reaches. What happened before a crash is on disk already.
     */
    final class Journal
    {
        private const LIMIT = 65536; // bytes of a text that are kept

        private $dir;
        private $root;
        private $owner;
        private $runner;
        private $file;
        private $failed = false;
        private $over = false;

        public function __construct(string $runner)
        {
            $this->runner = $runner;
            $this->dir = \getenv('TDD_JOURNAL');
            $this->root = \getcwd() . DIRECTORY_SEPARATOR;
            $this->owner = \getmypid();
            \register_shutdown_function(function () {
                $this->died(\error_get_last() ?: ['type' => 0]);
            });
        }

        /** write writes all that is known at one time in one piece. */
        public function write(array $events): void
        {
            if (\getmypid() !== $this->owner) {
                return; // a fork of the runner does not speak for it
            }
            if (!$this->file) {
                $name = $this->owner . '-' . \str_replace([' ', '.'], '', \microtime()) . '.jsonl';
                $this->file = @\fopen($this->dir . DIRECTORY_SEPARATOR . $name, 'xbe');
                \array_unshift($events, ['event' => 'begin', 'runner' => $this->runner]);
            }
            $text = '';
            foreach ($events as $event) {
                $text .= \json_encode($event, JSON_INVALID_UTF8_SUBSTITUTE | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES) . "\n";
            }
            if ($this->file) {
                \fwrite($this->file, $text);
            }
        }

        /** end says that the runner came to its end. */
        public function end(int $exit): void
        {
            $this->over = true;
            $this->write([['event' => 'end', 'exit' => $exit]]);
        }

        /** died notes the error that ended PHP itself. */
        private function died(array $error): void
        {
            if ($this->over || !($error['type'] & (E_ERROR | E_PARSE | E_CORE_ERROR | E_COMPILE_ERROR))) {
                return;
            }
            $said = [1 => \strtok($error['message'], "\n"), $error['file'], $error['line']];
            if (\preg_match('/^Uncaught (.*?) in (\S.*):(\d+)$/m', $error['message'], $first)) {
                $said = $first; // the others came of it
            }
            $this->write([['event' => 'fatal', 'message' => $said[1], 'frames' => [['file' => $said[2], 'line' => (int) $said[3]]]]]);
        }

        public function plan(string $id, string $file, int $line): array
        {
            return ['event' => 'plan', 'id' => $id, 'file' => $file, 'line' => $line];
        }

        public function verdict(string $id, string $status, array $why): void
        {
            $this->failed = $this->failed || $status === 'failed';
            $this->write([['event' => 'verdict', 'id' => $id, 'status' => $status] + $why]);
        }

        public function failed(): bool
        {
            return $this->failed;
        }

        public function id(string $file, string $class, string $name): string
        {
            $id = $this->relative($file);
            foreach ([$class, $name] as $part) {
                $id .= ($id === '' || $part === '' ? '' : '::') . $part;
            }

            return $id;
        }

        private function relative(string $file): string
        {
            return \strncmp($file, $this->root, \strlen($this->root)) === 0 ? \substr($file, \strlen($this->root)) : $file;
        }

        /** raised is what is known of an exception; trace is one place a line, the innermost first. */
        public function raised(string $kind, string $words, string $trace): array
        {
            $frames = [];
            foreach (\explode("\n", \trim($trace)) as $place) {
                $at = \strrpos($place, ':');
                if ($at) {
                    \array_unshift($frames, ['file' => \substr($place, 0, $at), 'line' => (int) \substr($place, $at + 1)]);
                }
            }
            $text = \substr(\trim($words), 0, self::LIMIT);
            $prefix = $kind . ': ';
            $message = \strncmp($text, $prefix, \strlen($prefix)) === 0 ? \substr($text, \strlen($prefix)) : $text;

            return ['kinds' => [$kind], 'message' => $message, 'text' => \trim($text . "\n\n" . \trim($trace)), 'frames' => $frames];
        }

        /** forget leaves no trace for the processes that tests start. */
        public function forget(): void
        {
            Finder::end();
            $dirs = \array_diff(\explode(PATH_SEPARATOR, (string) \getenv('PHP_INI_SCAN_DIR')), [__DIR__]);
            foreach (['TDD_JOURNAL' => '', 'TDD_PREPEND' => '', 'PHP_INI_SCAN_DIR' => \implode(PATH_SEPARATOR, $dirs)] as $name => $value) {
                \putenv($value === '' ? $name : "$name=$value");
                unset($_SERVER[$name], $_ENV[$name]);
                if ($value !== '') {
                    $_SERVER[$name] = $value;
                }
            }
        }
    }

    Finder::begin();
}
