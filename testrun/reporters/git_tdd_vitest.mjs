// A reporter for Vitest that tells git-tdd what became of each test.

import raised from './git_tdd_raised.cjs';

export default class Reporter {
  onInit(vitest) {
    this.put = raised.journal(`vitest ${vitest.version}`);
    this.ids = new Map();
    this.started = new Set();
    this.judged = new Set();
  }

  name(test) {
    const names = [test.name];
    for (let at = test.parent; at && at.type === 'suite'; at = at.parent) names.unshift(at.name);
    return [raised.relative(test.module.moduleId), ...names].join('::');
  }

  id(test) {
    return this.ids.get(test.id) ?? this.name(test);
  }

  onTestModuleCollected(module) {
    const seen = new Map();
    for (const test of module.children.allTests()) {
      const name = this.name(test);
      seen.set(name, (seen.get(name) ?? 0) + 1);
      this.ids.set(test.id, seen.get(name) > 1 ? `${name}#${seen.get(name)}` : name);
      this.put({ event: 'plan', id: this.id(test), file: module.moduleId, line: test.location?.line ?? 0 });
    }
  }

  start(test) {
    const id = this.id(test);
    if (!this.started.has(id)) this.put({ event: 'start', id });
    this.started.add(id);
    return id;
  }

  onTestCaseReady(test) {
    this.start(test);
  }

  onTestCaseResult(test) {
    const { state, errors } = test.result();
    const about = state === 'failed' ? raised.describe(errors?.[0]) : {};
    this.judged.add(test.id);
    this.put({ event: 'verdict', id: this.start(test), status: state, ...about });
  }

  // A hook that failed kept the tests around it from running.
  onTestSuiteResult(suite) {
    const [error] = suite.errors();
    if (!error) return;
    for (const test of suite.children.allTests()) {
      this.judged.add(test.id);
      this.put({ event: 'verdict', id: this.start(test), status: 'failed', ...raised.describe(error) });
    }
  }

  // What failed before it could run, as one that is marked "only", is told here.
  onTestModuleEnd(module) {
    for (const test of module.children.allTests()) {
      if (!this.judged.has(test.id) && test.result().state === 'failed') this.onTestCaseResult(test);
    }
    for (const error of module.errors()) this.broken(module, error);
  }

  broken(module, error) {
    this.put({ event: 'broken', id: module.moduleId, file: module.moduleId, ...raised.describe(error) });
  }

  onTestRunEnd(modules, errors, reason) {
    for (const error of errors) this.put({ event: 'broken', id: 'unhandled', ...raised.describe(error) });
    this.put({ event: 'end', exit: reason === 'passed' ? 0 : 1 });
  }
}
