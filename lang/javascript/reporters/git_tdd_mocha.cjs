'use strict';
// A reporter for Mocha that tells git-tdd what became of each test, and prints what
// Mocha's own would.

const path = require('node:path');
const { createRequire } = require('node:module');
const raised = require('./git_tdd_raised.cjs');

module.exports = class Reporter {
  constructor(runner, options) {
    const mocha = createRequire(path.join(process.cwd(), 'package.json'))('mocha');
    this.shown = new mocha.reporters.Spec(runner, options);
    this.put = raised.journal('mocha');
    delete process.env.TDD_JOURNAL; // what tests start is none of our business
    this.ids = new Map();
    this.names = new Map();
    runner.on('start', () => {
      runner.fullStackTrace = true; // or places are relative, and those of libraries missing
      runner.suite.eachTest((test) => { if (wanted(runner, test)) this.id(test); });
    });
    runner.on('test', (test) => this.start(test));
    runner.on('pending', (test) => this.put({ event: 'verdict', id: this.start(test), status: 'skipped' }));
    runner.on('pass', (test) => this.put({ event: 'verdict', id: this.start(test), status: 'passed' }));
    runner.on('fail', (test, error) => this.fail(test, error));
    runner.on('end', () => this.put({ event: 'end', exit: runner.failures > 0 ? 1 : 0 }));
  }

  // id names a test; what has no id yet is planned.
  id(test) {
    const key = test.__mocha_id__ ?? test;
    if (!this.ids.has(key)) {
      const name = [raised.relative(test.file), ...test.titlePath()].join('::');
      this.names.set(name, (this.names.get(name) ?? 0) + 1);
      const id = this.names.get(name) > 1 ? `${name}#${this.names.get(name)}` : name;
      this.ids.set(key, id);
      this.put({ event: 'plan', id, file: test.file });
    }
    return this.ids.get(key);
  }

  start(test) {
    const id = this.id(test);
    this.put({ event: 'start', id });
    return id;
  }

  // A hook around each test is that test's; one around all stands for tests that
  // cannot run.
  fail(test, error) {
    const each = test.type === 'hook' && /^"(?:before|after) each" hook/.test(test.title) && test.ctx?.currentTest;
    if (test.type === 'hook' && !each) {
      this.put({ event: 'broken', id: test.title, file: test.file ?? test.parent?.file, ...raised.describe(error) });
      return;
    }
    this.put({ event: 'verdict', id: this.start(each || test), status: 'failed', ...raised.describe(error) });
  }

  done(failures, finish) {
    if (this.shown.done) this.shown.done(failures, finish);
    else finish(failures);
  }
};

// wanted reports whether a filter leaves a test in.
function wanted(runner, test) {
  const title = test.fullTitle();
  return !runner._grep || runner._grep.test(title) !== Boolean(runner._invert);
}
