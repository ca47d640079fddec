'use strict';
// Loaded into every process that node starts. In one that runs a test file it
// writes down that it began, and that it came to its natural end: node itself
// takes a file that calls process.exit(0) for one that passed. In one that runs test
// files by node:test's own function, our reporter hears what they say.

const fs = require('node:fs');
const path = require('node:path');

const dir = process.env.TDD_JOURNAL;
const running = process.env.NODE_TEST_CONTEXT;

if (dir && running) {
  const name = path.join(dir, `${process.pid}-${process.hrtime.bigint()}.jsonl`);
  const fd = fs.openSync(name, 'wx', 0o600);
  const writeSync = fs.writeSync;
  const put = (event) => writeSync(fd, JSON.stringify(event) + '\n');
  put({ event: 'begin', runner: `node ${process.version}` });
  put({ event: 'came', id: process.argv[1] });

  // What tests start is none of our business.
  delete process.env.TDD_JOURNAL;
  if (process.env.TDD_NODE_OPTIONS) process.env.NODE_OPTIONS = process.env.TDD_NODE_OPTIONS;
  else delete process.env.NODE_OPTIONS;
  delete process.env.TDD_NODE_OPTIONS;
  const end = process.env.TDD_END;
  delete process.env.TDD_END;

  const assert = require('node:assert');
  const originals = new Map();
  for (const [label, target] of [['assert', assert], ['assert.strict', assert.strict]]) {
    for (const key of Object.keys(target)) originals.set(`${label}.${key}`, [target, key, target[key]]);
  }

  let natural = process.execArgv.includes('--test-force-exit');
  process.once('beforeExit', () => { natural = true; });
  if (end) {
    const leave = () => { natural = true; process.exit(); };
    const { after, beforeEach } = require('node:test');
    // A test that was made to fail may leave a server open, and node waits for that.
    after(() => { setTimeout(leave, 500).unref(); });
    // One whose check failed in a callback may wait for ever: node gives it up, and
    // says so, where it would end by itself.
    const giveUp = () => { process.emit('beforeExit', 0); setTimeout(leave, 500); };
    let waiting;
    const wait = () => {
      clearTimeout(waiting);
      waiting = setTimeout(giveUp, 5000).unref();
    };
    process.on('uncaughtExceptionMonitor', wait);
    process.on('unhandledRejection', wait);
    beforeEach(() => { if (waiting) wait(); });
  }
  process.once('exit', (code) => {
    for (const [label, [target, key, original]] of originals) {
      if (target[key] !== original) put({ event: 'patched', id: label });
    }
    const file = path.relative(process.cwd(), process.argv[1] || '');
    if (!natural && code === 0) put({ event: 'gap', message: `${file} called process.exit before its tests were over` });
    put({ event: 'end', exit: 0 });
  });
}

if (dir && !running) {
  const test = require('node:test');
  const { run } = test;
  test.run = (...options) => listened(run(...options));
  require('node:module').syncBuiltinESMExports();
}

// listened is a stream of a run whose events our reporter gets, too. Nothing is read
// from the stream itself: what nobody reads is not over.
function listened(stream) {
  const { PassThrough } = require('node:stream');
  const heard = new PassThrough({ objectMode: true });
  const { emit } = stream;
  stream.emit = function (type, ...rest) {
    if (type === 'end') heard.end();
    else if (String(type).startsWith('test:')) heard.write({ type, data: rest[0] });
    return emit.call(this, type, ...rest);
  };
  const { pathToFileURL } = require('node:url');
  import(pathToFileURL(path.join(__dirname, 'git_tdd_node.mjs'))).then(async ({ default: report }) => {
    for await (const line of report(heard)) void line;
  });
  return stream;
}
