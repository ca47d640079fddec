// A reporter for Vitest that tells git-tdd what became of each test.

import raised from './git_tdd_raised.cjs';

export default class Reporter {
  onInit(vitest) {
    const version = vitest.version ?? '1'; // which does not say
    this.put = raised.journal(`vitest ${version}`);
    this.ids = new Map();
    this.started = new Set();
    this.judged = new Set();
    this.unloaded = new Set();
    if (Number.parseInt(version, 10) < 3) this.old(vitest);
  }

  // Vitest 1 and 2 call other methods, which newer ones should not find.
  old(vitest) {
    const plan = (file) => {
      const seen = new Map();
      const walk = (tasks, names) => {
        for (const task of tasks) {
          const name = [...names, task.name];
          if (task.type === 'suite') walk(task.tasks, name);
          else this.plan(seen, { id: task.id, location: task.location }, name.join('::'), file.filepath);
        }
      };
      walk(file.tasks, [raised.relative(file.filepath)]);
    };
    const judge = (task, why) => {
      const error = why ?? (task.type === 'suite' ? task.result?.errors?.[0] : undefined);
      if (task.type === 'suite') {
        for (const one of task.tasks) judge(one, error);
        return;
      }
      const told = { pass: 'passed', fail: 'failed', skip: 'skipped', todo: 'skipped' };
      const state = error ? 'failed' : told[task.result?.state ?? task.mode];
      const errors = error ? [error] : task.result?.errors;
      if (state) this.onTestCaseResult({ id: task.id, result: () => ({ state, errors }) });
    };
    const { logger } = vitest;
    const none = logger.printNoTestFound;
    logger.printNoTestFound = (...args) => {
      this.put({ event: 'end', exit: vitest.config.passWithNoTests ? 0 : 1 });
      return none.apply(logger, args);
    };
    this.onCollected = (files) => files?.forEach(plan);
    this.onTaskUpdate = (packs) => {
      for (const [id, result] of packs) if (result?.state === 'run' && this.ids.has(id)) this.start({ id });
    };
    this.onFinished = (files, errors) => {
      for (const file of files) {
        for (const error of file.result?.errors ?? []) this.broken({ moduleId: file.filepath }, error);
        for (const task of file.tasks) judge(task);
      }
      for (const error of errors) this.broken({ moduleId: 'unhandled' }, error);
      const failed = errors.length > 0 || files.some((file) => file.result?.state === 'fail');
      this.put({ event: 'end', exit: failed ? 1 : 0 });
    };
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
    for (const test of module.children.allTests()) this.plan(seen, test, this.name(test), module.moduleId);
  }

  plan(seen, test, name, file) {
    seen.set(name, (seen.get(name) ?? 0) + 1);
    this.ids.set(test.id, seen.get(name) > 1 ? `${name}#${seen.get(name)}` : name);
    this.put({ event: 'plan', id: this.id(test), file, line: test.location?.line ?? 0 });
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
    this.load(module);
  }

  load(module) {
    if (this.unloaded.has(module.moduleId)) return;
    for (const error of module.errors()) {
      this.unloaded.add(module.moduleId);
      this.broken(module, error);
    }
  }

  broken(module, error) {
    this.put({ event: 'broken', id: module.moduleId, file: module.moduleId, ...raised.describe(error) });
  }

  onTestRunEnd(modules, errors, reason) {
    for (const module of modules) this.load(module); // Vitest 3 tells no end of one that it could not load
    for (const error of errors) this.put({ event: 'broken', id: 'unhandled', ...raised.describe(error) });
    this.put({ event: 'end', exit: reason === 'passed' ? 0 : 1 });
  }
}
