'use strict';
// What the reporters for JavaScript share: journals, and errors in their form.

const fs = require('node:fs');
const path = require('node:path');
const { fileURLToPath } = require('node:url');

const LIMIT = 4096;

exports.journal = (runner) => {
  const name = path.join(process.env.TDD_JOURNAL, `${process.pid}-${process.hrtime.bigint()}.jsonl`);
  const fd = fs.openSync(name, 'wx', 0o600);
  const put = (...events) => fs.writeSync(fd, events.map((event) => JSON.stringify(event) + '\n').join(''));
  put({ event: 'begin', runner });
  return put;
};

exports.relative = (file) => (file ? path.relative(process.cwd(), file).split(path.sep).join('/') : '');

exports.local = (place) => {
  try {
    return place.startsWith('file:') ? fileURLToPath(place) : place;
  } catch {
    return '';
  }
};

// frames are the places of a stack, the innermost last.
exports.frames = (stack) => {
  const out = [];
  for (const line of String(stack || '').split('\n')) {
    const hit = /^\s*(?:at|❯)\s.*?((?:file:\/\/|\/|[A-Za-z]:[\\/])[^()]*?):(\d+):\d+\)?$/.exec(line);
    if (hit) out.push({ file: exports.local(hit[1]), line: Number(hit[2]) });
  }
  return out.slice(0, 64).reverse();
};

exports.plain = (text) => String(text ?? '').replace(/\u001b\[[0-9;]*m/g, '');

// describe is what is known of something that was thrown.
exports.describe = (error) => {
  if (error === null || typeof error !== 'object') {
    return { kinds: ['Thrown'], message: exports.plain(error).slice(0, LIMIT), frames: [] };
  }
  const stack = exports.plain(error.stack);
  const message = exports.plain(error.message);
  // What Vitest throws for a matcher of the project's own has no name of its own.
  const matcher = /__VITEST_EXTEND_ASSERTION__/.test(stack.split('\n').find((line) => /^\s+at /.test(line)));
  const kinds = [error.name, error.code, error.failureType, matcher && 'AssertionError'].filter((kind) => typeof kind === 'string' && kind);
  return {
    kinds: kinds.length ? kinds : ['Error'],
    message: message.slice(0, LIMIT),
    text: (stack.includes(message) ? stack : `${message}\n${stack}`).slice(0, LIMIT),
    frames: exports.frames(stack),
  };
};
