'use strict';
// A reporter for Jest that tells git-tdd what became of each test.

const raised = require('./git_tdd_raised.cjs');

module.exports = class Reporter {
  constructor() {
    this.put = raised.journal('jest');
  }

  onTestCaseStart(test, { ancestorTitles, title }) {
    this.put({ event: 'busy', id: [raised.relative(test.path), ...ancestorTitles, title].join('::') });
  }

  onTestCaseResult(test, { ancestorTitles, title }) {
    this.put({ event: 'idle', id: [raised.relative(test.path), ...ancestorTitles, title].join('::') });
  }

  onTestFileResult(test, result) {
    const seen = new Map();
    for (const one of result.testResults) {
      let id = [raised.relative(test.path), ...one.ancestorTitles, one.title].join('::');
      seen.set(id, (seen.get(id) || 0) + 1);
      if (seen.get(id) > 1) id += `#${seen.get(id)}`;
      const skipped = ['pending', 'skipped', 'todo', 'disabled'].includes(one.status);
      this.put({ event: 'plan', id, file: test.path, line: one.location?.line ?? 0 });
      this.put({ event: 'start', id });
      this.put({ event: 'verdict', id, status: skipped ? 'skipped' : one.status, ...(one.status === 'failed' ? this.why(one) : {}) });
    }
    if (result.testExecError) {
      const text = raised.plain(result.failureMessage);
      this.put({ event: 'broken', id: test.path, file: test.path, text: text.slice(0, 16384) });
    }
  }

  // why reads an error: jest hands it on as it was, or only as text.
  why(one) {
    const detail = one.failureDetails?.[0];
    const error = detail?.error ?? detail ?? {};
    const text = raised.plain(one.failureMessages?.[0]);
    const asserted = error.matcherResult || detail?.matcherResult || /^(Assertion|JestAssertion)Error|^assert\.|^assert\(|^(Error: )?expect\(/.test(text);
    const name = /^(\w+)(?: \[\w+\])?: /.exec(text)?.[1] ?? 'Error';
    return {
      kinds: [error.name ?? name, error.code, asserted ? 'AssertionError' : ''].filter(Boolean),
      message: raised.plain(error.message) || text.split('\n')[0].replace(/^\w*Error: /, ''),
      text: text.slice(0, 4096),
      frames: raised.frames(text),
    };
  }

  onRunComplete(contexts, results) {
    const failed = results.numFailedTests + results.numFailedTestSuites + results.numRuntimeErrorTestSuites;
    this.put({ event: 'end', exit: failed === 0 ? 0 : 1 });
  }
};
