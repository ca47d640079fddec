#!/bin/sh
# Records the corpus again: testrun/testdata/record.sh [RUNNER[/CASE]]. The tools
# of the runners must be there; TDD_NODE_MODULES names a node_modules folder with
# vitest, jest and typescript. Look at what changed before you commit it.
set -eu
cd "$(dirname "$0")/.."
only=$(printf '%s' "${1:-.*}" | sed 's|/|$/^|')
TDD_CORPUS=record exec go test -count=1 -timeout 60m -run "^TestCorpusLive\$/^$only\$" .
