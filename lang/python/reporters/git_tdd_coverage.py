"""Notes which lines of the project a test run executes, where git-tdd asks.

The project's own settings of coverage.py do not count: whoever is measured does
not say what is left out. Each process writes a file of its own when it ends.
"""

import json
import os


class Measuring:
    def __init__(self, folder):
        self.place = os.path.join(folder, "%d-%s.json" % (os.getpid(), os.urandom(8).hex()))
        self.pid = os.getpid()
        self.coverage = None
        try:
            import coverage
        except ImportError:
            return
        root = os.getcwd()
        foreign = [os.path.join(root, name, "*") for name in (".venv", "venv", "node_modules")]
        self.coverage = coverage.Coverage(data_file=None, config_file=False, source=[root], omit=foreign, messages=False)
        self.coverage.set_option("report:include_namespace_packages", True)
        self.coverage.clear_exclude()
        self.coverage.start()

    def save(self):
        if os.getpid() != self.pid:
            return  # a fork of the runner does not speak for it
        found = {"installed": int(self.coverage is not None), "files": {}}
        if self.coverage is not None:
            self.coverage.stop()
            for name in self.coverage.get_data().measured_files():
                self.read(name, found["files"])
        with open(self.place, "w", encoding="ascii") as out:
            json.dump(found, out)

    def read(self, name, files):
        from coverage.exceptions import CoverageException

        try:
            _, lines, _, missed, _ = self.coverage.analysis2(name)
        except CoverageException:
            return  # no Python, or not there any more
        missed = set(missed)
        files[name] = {line: int(line not in missed) for line in lines}


FOLDER = os.environ.pop("TDD_COVERAGE", "")
MEASURING = Measuring(FOLDER) if FOLDER else None
