"""Writes down, line by line, what happens in a test run.

Each process writes a file of its own, so that no print of the code under test
reaches it, and what happened before a crash is on disk already.
"""

import json
import os
import sys
import traceback
import unittest

MEASURING = None
if os.environ.get("TDD_COVERAGE"):
    import git_tdd_coverage

    MEASURING = git_tdd_coverage.MEASURING

LIMIT = 4096  # characters of a message or text that are kept


class Journal:
    def __init__(self):
        self.pid = os.getpid()
        self.hide()
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND
        name = "%d-%s.jsonl" % (self.pid, os.urandom(8).hex())
        self.fd = os.open(os.path.join(os.environ["TDD_JOURNAL"], name), flags, 0o600)
        self.wrote = os.write
        self.encoded = json.JSONEncoder(default=text).encode
        self.originals = dict(asserting())

    def hide(self):
        """Take this folder from where the code under test looks for modules.

        Sources in src that nobody has installed are found there, last of all.
        """
        here = os.path.dirname(os.path.abspath(__file__))
        sys.path[:] = [p for p in sys.path if os.path.abspath(p) != here]
        if os.path.isdir("src"):
            sys.path.append(os.path.abspath("src"))

    def forget(self):
        """Leave no trace for the processes that tests start."""
        here = os.path.dirname(os.path.abspath(__file__))
        os.environ.pop("TDD_JOURNAL", None)
        os.environ.pop("PYTEST_ADDOPTS", None)
        parts = os.environ.get("PYTHONPATH", "").split(os.pathsep)
        rest = [p for p in parts if p and os.path.abspath(p) != here]
        os.environ.pop("PYTHONPATH", None)
        if rest:
            os.environ["PYTHONPATH"] = os.pathsep.join(rest)

    def write(self, event, **fields):
        if os.getpid() != self.pid:
            return  # a fork of the runner does not speak for it
        fields["event"] = event
        self.wrote(self.fd, (self.encoded(fields) + "\n").encode("ascii"))

    def end(self, status):
        """Say that the run is over, and whether it was tampered with."""
        root = os.path.realpath(os.getcwd()) + os.sep
        present = dict(asserting())
        for name, original in sorted(self.originals.items()):
            now = present.get(name)
            if now is original:
                continue
            code = getattr(now, "__code__", None)
            place = os.path.realpath(code.co_filename) if code else ""
            if code is None or (place.startswith(root) and "site-packages" not in place):
                self.write("patched", id=name)
        if MEASURING is not None:
            MEASURING.save()
        self.write("end", exit=int(status))


def asserting():
    """What a test run relies on to notice a failure."""
    for name in dir(unittest.TestCase):
        if name.startswith(("assert", "fail", "run", "__call__")):
            yield "unittest.TestCase." + name, getattr(unittest.TestCase, name)
    for module in ("_pytest.runner", "_pytest.reports", "unittest.case", "unittest.result"):
        for name, value in list(getattr(sys.modules.get(module), "__dict__", {}).items()):
            if getattr(value, "__module__", None) == module or hasattr(value, "__code__"):
                yield module + "." + name, value


def describe(error):
    """What is known of an exception: its classes, words and place."""
    frames = [
        {"file": frame.f_code.co_filename, "line": line}
        for frame, line in traceback.walk_tb(error.__traceback__)
    ]
    described = {
        "kinds": [c.__name__ for c in type(error).__mro__],
        "message": text(error),
        "frames": frames[-64:],
        "name": getattr(error, "name", None) or "",
    }
    if isinstance(error, SyntaxError) and os.path.isfile(error.filename or ""):
        described["frames"] = frames[-63:] + [{"file": error.filename, "line": error.lineno or 0}]
        described["message"] = error.msg or ""
    else:  # one that the code under test raises says nothing of a file
        described["kinds"] = [kind for kind in described["kinds"] if kind != "SyntaxError"]
    return described


def text(value):
    try:
        return str(value)[:LIMIT]
    except Exception as problem:  # a __str__ of the code under test
        return "unprintable: " + type(problem).__name__
