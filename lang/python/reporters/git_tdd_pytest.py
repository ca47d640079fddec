"""A pytest plugin that tells git-tdd what became of each test."""

import os
import sys

import pytest

import git_tdd_journal


LOUD = 50  # failures that are told in full: to format tracebacks takes longer than many a test


class Reporter:
    def __init__(self):
        self.journal = git_tdd_journal.Journal()
        self.journal.write("begin", runner="pytest " + pytest.__version__)
        self.states = {}  # by id: what is known of the tests under way
        self.failures = 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self):
        self.journal.forget()

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_make_collect_report(self, collector):
        report = (yield).get_result()
        if report.failed:
            call = getattr(report, "call", None)
            error = call.excinfo.value if call and call.excinfo else None
            while isinstance(error, collector.CollectError) and error.__cause__ is not None:
                error = error.__cause__
            about = git_tdd_journal.describe(cause(error)) if error is not None else {}
            self.journal.write("broken", id=collector.nodeid, file=place(collector), text=tail(report), **about)
        elif report.skipped:
            self.journal.write("plan", id=collector.nodeid, file=place(collector))
            self.journal.write("start", id=collector.nodeid)
            self.journal.write("verdict", id=collector.nodeid, status="skipped")

    @pytest.hookimpl(trylast=True)
    def pytest_collection_finish(self, session):
        for item in session.items:
            line = item.location[1]
            self.journal.write("plan", id=item.nodeid, file=place(item), line=0 if line is None else line + 1)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self, nodeid):
        self.states[nodeid] = {}
        self.journal.write("start", id=nodeid)

    @pytest.hookimpl(hookwrapper=True, tryfirst=True)
    def pytest_runtest_makereport(self, item, call):
        self.failures += call.excinfo is not None
        if self.failures == LOUD:
            item.config.option.tbstyle = "no"
        report = (yield).get_result()
        state = self.states.setdefault(item.nodeid, {})
        error = call.excinfo.value if call.excinfo is not None else None
        quiet = (pytest.skip.Exception, pytest.exit.Exception)
        hidden = report.outcome == "passed" and not hasattr(report, "wasxfail")
        if error is not None and (report.failed or (hidden and not isinstance(error, quiet))):
            self.fail(state, report, git_tdd_journal.describe(cause(error)))

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report):
        state = self.states.setdefault(report.nodeid, {})
        if report.failed:
            self.fail(state, report, {})
        elif report.skipped and getattr(report, "context", None) is None:
            state["skipped"] = True
        if report.when == "teardown":
            state["over"] = True

    def fail(self, state, report, about):
        if "error" not in state or (about and not state["error"].get("kinds")):
            state["error"] = dict(about, phase=report.when, text=tail(report))

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logfinish(self, nodeid):
        state = self.states.pop(nodeid, {})
        if "error" in state:
            self.journal.write("verdict", id=nodeid, status="failed", **state["error"])
        elif state.get("over"):
            self.journal.write("verdict", id=nodeid, status="skipped" if state.get("skipped") else "passed")

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, exitstatus):
        self.journal.end(exitstatus)


def cause(error):
    """What was raised, where pytest or doctest wraps it in an error of their own."""
    if type(error).__name__ == "ConftestImportFailure":
        # "cause" since pytest 8, where the other one is the same as before
        return getattr(error, "cause", None) or error.excinfo[1]
    if type(error).__name__ == "UnexpectedException":
        return error.exc_info[1]
    return error


def place(node):
    return str(getattr(node, "path", None) or getattr(node, "fspath", ""))


def tail(report):
    return git_tdd_journal.text(getattr(report, "longreprtext", "") or report.longrepr)[-git_tdd_journal.LIMIT:]


@pytest.hookimpl(hookwrapper=True)
def pytest_load_initial_conftests(early_config):
    if git_tdd_journal.MEASURING is not None:
        early_config.known_args_namespace.no_cov = True  # two cannot measure one process
    outcome = yield
    if outcome.excinfo is not None and os.environ.get("TDD_JOURNAL"):
        error = outcome.excinfo[1]
        if type(error).__name__ == "ConftestImportFailure":
            broken_conftest(error)


def broken_conftest(error):
    """A conftest.py that cannot be loaded ends pytest before any reporter is asked."""
    journal = git_tdd_journal.Journal()
    journal.write("begin", runner="pytest " + pytest.__version__)
    journal.write("broken", id=str(error.path), file=str(error.path), **git_tdd_journal.describe(cause(error)))
    journal.end(4)


def pytest_configure(config):
    if os.environ.get("TDD_JOURNAL"):
        config.pluginmanager.register(Reporter(), "git-tdd-reporter")
    for name in (__name__, "git_tdd_journal", "git_tdd_coverage"):
        sys.modules.pop(name, None)
