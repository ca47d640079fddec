"""unittest's own command line, which tells git-tdd what became of each test."""

import os
import sys
import unittest
import unittest.loader

import git_tdd_journal

if __name__ == "__main__":
    JOURNAL = git_tdd_journal.Journal()
    for name in ("git_tdd_journal", "git_tdd_coverage"):
        sys.modules.pop(name, None)


class Result(unittest.TextTestResult):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.taken = set()
        self.tests = {}  # by identity: the test, kept so that no other takes its place, and its id
        self.failed = {}
        self.begun = set()
        self.quiet = set()
        self.judged = set()

    def plan(self, test):
        """Name a test by file, class and method, as pytest does."""
        if getattr(test, "_exception", None) is not None:
            self.tests[id(test)] = (test, test._testMethodName)
            return
        method = getattr(test, "_testMethodName", None) or str(test)
        file, line = place(type(test), method)
        if type(test).__qualname__ == "ModuleSkipped":
            file, method = "", test._testMethodName
        ident = "::".join([relative(file), type(test).__qualname__.replace(".", "::"), method])
        while ident in self.taken:
            ident += "+"
        self.taken.add(ident)
        self.tests[id(test)] = (test, ident)
        JOURNAL.write("plan", id=ident, file=file, line=line)

    def ident(self, test):
        if id(test) not in self.tests:
            self.plan(test)
        return self.tests[id(test)][1]

    def startTest(self, test):
        super().startTest(test)
        ident = self.ident(test)
        self.begun.add(id(test))
        if getattr(test, "_exception", None) is None:
            JOURNAL.write("start", id=ident)

    def note(self, test, err):
        about = git_tdd_journal.describe(err[1])
        about["text"] = git_tdd_journal.text(self._exc_info_to_string(err, test))
        if id(test) in self.tests:
            self.failed.setdefault(id(test), about)
        elif not self.around(test, "failed", about):
            JOURNAL.write("broken", id=str(test), **about)

    def around(self, holder, status, about):
        """Judge the tests that a setUpClass or setUpModule kept from running."""
        name = str(holder).partition("(")[2].rstrip(")")
        lost = []
        for key, (test, ident) in self.tests.items():
            kind = type(test)
            names = (kind.__module__, kind.__module__ + "." + kind.__qualname__)
            if name in names and key not in self.judged:
                lost.append((key, ident))
        for key, ident in lost:
            self.judged.add(key)
            JOURNAL.write("start", id=ident)
            JOURNAL.write("verdict", id=ident, status=status, **about)
        return bool(lost)

    def addError(self, test, err):
        super().addError(test, err)
        self.note(test, err)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.note(test, err)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.note(test, err)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        if id(test) in self.tests:
            self.quiet.add(id(test))
            if id(test) not in self.begun:  # Python 3.12.1 does not start what is marked as skipped
                JOURNAL.write("start", id=self.ident(test))
        else:
            self.around(test, "skipped", {})

    def addExpectedFailure(self, test, err):
        super().addExpectedFailure(test, err)
        self.quiet.add(id(test))

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        message = "unexpected success"
        self.failed[id(test)] = {"kinds": ["AssertionError"], "message": message, "text": message, "frames": []}

    def stopTest(self, test):
        super().stopTest(test)
        broken = getattr(test, "_exception", None)
        ident = self.ident(test)
        self.judged.add(id(test))
        if broken is not None:
            self.load(ident, broken)
        elif id(test) in self.failed:
            JOURNAL.write("verdict", id=ident, status="failed", **self.failed[id(test)])
        else:
            JOURNAL.write("verdict", id=ident, status="skipped" if id(test) in self.quiet else "passed")

    def load(self, ident, broken):
        """A module that could not be imported, or a name that is not there."""
        cause = broken.__context__ if broken.__cause__ is None else broken.__cause__
        about = git_tdd_journal.describe(cause or broken)
        JOURNAL.write("broken", id=ident, text=git_tdd_journal.text(broken), **about)


def place(kind, method):
    """Where a test is written; inspect would take longer than many a test."""
    file = getattr(sys.modules.get(kind.__module__), "__file__", None) or ""
    function = getattr(kind, method, None)
    for _ in range(100):
        function = getattr(function, "__func__", function)
        if not hasattr(function, "__wrapped__"):
            break
        function = function.__wrapped__
    return file, getattr(getattr(function, "__code__", None), "co_firstlineno", 0)


def relative(file):
    return os.path.relpath(file).replace(os.sep, "/") if file else ""


class Runner(unittest.TextTestRunner):
    resultclass = Result

    def _makeResult(self):
        result = super()._makeResult()
        for test in flat(self.suite):
            result.plan(test)
        return result

    def run(self, test):
        self.suite = test
        JOURNAL.forget()
        return super().run(test)


def flat(suite):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from flat(test)
        elif test is not None:
            yield test


def keep(loader):
    """Keep the exception of a module that could not be loaded."""
    make = loader._make_failed_test

    def made(methodname, exception, suiteClass, message):
        failed, note = make(methodname, exception, suiteClass, message)
        error = sys.exc_info()[1]
        for test in flat(failed):
            if error is not None and test._exception is not error:
                test._exception.__context__ = error
        return failed, note

    loader._make_failed_test = made


def main():
    keep(unittest.loader)
    JOURNAL.write("begin", runner="unittest")
    sys.argv[0] = "python -m unittest"
    program = unittest.main(module=None, testRunner=Runner, exit=False)
    result = program.result
    empty = result.testsRun == 0 and not result.skipped
    status = 5 if empty and sys.version_info >= (3, 12) else int(not result.wasSuccessful())
    JOURNAL.end(status)
    sys.exit(status)


if __name__ == "__main__":
    main()
