package javascript

import (
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

// A check that was altered may end what another test, or its own, waits for. Node
// has no time limit of its own: the file is ended, and only what ran has a verdict.
func TestAltered_endsWhatWaitsForEver(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "node")
	req := projecttest.Project(t, Language(), `
-- package.json --
{"name": "x", "scripts": {"test": "node --test test/"}}
-- test/a.test.js --
const { test } = require('node:test');
const assert = require('node:assert');
const http = require('node:http');

test('passes', () => {});

test('never answers', async (t) => {
  const server = http.createServer((req, res) => {
    assert.equal(req.url, '/altered');
    res.end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise((resolve) => server.close(resolve)));
  await new Promise((resolve, reject) => {
    http.get({ host: '127.0.0.1', port: server.address().port, path: '/' }, resolve).on('error', reject);
  });
});

test('comes after it', () => {});
-- test/b.test.js --
require('node:test').test('of another file', () => {});
`)
	req.Altered = true
	projecttest.Want(t, "tests", projecttest.Tests(projecttest.Measure(t, req).Facts), `
test/a.test.js::never answers failed assertion
test/a.test.js::passes passed
test/b.test.js::of another file passed
`)
}
