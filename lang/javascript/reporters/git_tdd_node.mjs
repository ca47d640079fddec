// A reporter for node --test that tells git-tdd what became of each test.

import path from 'node:path';
import raised from './git_tdd_raised.cjs';

export default async function* report(source) {
  if (!process.env.TDD_JOURNAL) return;
  const put = raised.journal(`node ${process.version}`);
  const names = []; // of the test under way and those around it
  const failed = []; // by depth: how the first sub-test failed
  const spoken = new Map(); // what each file wrote to standard error, by its full path
  const seen = new Map();
  const begun = new Set();
  let exit = 0;

  const speak = (file, message) => {
    if (!spoken.has(file)) spoken.set(file, []);
    if (spoken.get(file).length < 256) spoken.get(file).push(message);
  };
  const whole = (data) => data.nesting === 0 && data.file && path.resolve(data.name) === data.file;
  const mark = (data) => `${raised.relative(data.file)}:${data.line} ${data.name}`;
  const verdict = (data, status) => {
    const file = raised.relative(data.file);
    let id = [file, ...names.slice(0, data.nesting), data.name].join('::');
    const times = (seen.get(id) || 0) + 1;
    seen.set(id, times);
    if (times > 1) id += `#${times}`;
    const about = status === 'failed' ? why(data) : {};
    if (status === 'failed') failed[data.nesting] ??= about;
    put({ event: 'plan', id, file: data.file, line: data.line }, { event: 'start', id }, { event: 'verdict', id, status, ...about });
  };
  const why = (data) => {
    const error = data.details?.error ?? {};
    const below = failed[data.nesting + 1];
    if (error.failureType === 'subtestsFailed' && below) return { ...below, text: `subtests failed: ${below.message}` };
    const about = raised.describe(error.cause ?? error);
    if (error.failureType) about.kinds.push(error.failureType);
    return about;
  };
  const settle = (data, status) => {
    if (process.version.startsWith('v18.')) put({ event: 'idle', id: mark(data) }); // it tells no test:complete
    const suite = data.details?.type === 'suite';
    const type = data.details?.error?.failureType;
    if (whole(data)) {
      put({ event: 'expect', id: data.file });
      if (status === 'failed' && type !== 'subtestsFailed') {
        const error = data.details?.error ?? {};
        const text = (spoken.get(data.file) || []).join('').slice(0, 16384);
        const ended = `the file ended with exit code ${error.exitCode ?? 'none'}, signal ${error.signal ?? 'none'}`;
        put({ event: 'broken', id: data.name, file: data.file, text: text || ended });
      }
    } else if (!suite || (status === 'failed' && type !== 'subtestsFailed')) {
      verdict(data, status);
    } else if (status === 'failed') {
      failed[data.nesting] ??= failed[data.nesting + 1];
    }
    failed.length = Math.min(failed.length, data.nesting + 1);
    if (data.nesting === 0) failed.length = 0;
  };

  for await (const { type, data } of source) {
    if (data.file) data.file = raised.local(data.file); // node 18 names some by a URL
    switch (type) {
      case 'test:dequeue':
        begun.add(mark(data));
        if (!whole(data)) put({ event: 'busy', id: mark(data) });
        break;
      case 'test:complete':
        if (!whole(data)) put({ event: 'idle', id: mark(data) });
        break;
      case 'test:start':
        names[data.nesting] = data.name;
        break;
      case 'test:pass':
        settle(data, data.skip !== undefined || data.todo !== undefined ? 'skipped' : 'passed');
        break;
      case 'test:fail':
        if (data.todo === undefined) exit = 1;
        if (process.env.TDD_END && !begun.has(mark(data)) && data.details?.error?.failureType === 'cancelledByParent') break;
        settle(data, data.todo === undefined ? 'failed' : 'skipped');
        break;
      case 'test:stderr':
        speak(path.resolve(data.file), data.message); // newer versions name it by a relative one
        break;
    }
  }
  put({ event: 'end', exit });
}
