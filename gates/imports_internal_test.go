package gates

import "testing"

// A test that imports from elsewhere may look at something else; more names from where it
// always imported are none of that.
func TestImportsFromElsewhere(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		was, now string
		want     bool
	}{
		{"import { Queue } from '../src/queue.js';", "import { Queue } from './support/index.js';", true},
		{"import assert from 'node:assert/strict';", "import assert from 'node:assert';", true},
		{"import { a } from './calc'", "import { a, b } from './calc'", false},
		{"const { a } = require('./calc');", "const { a } = require('./other');", true},
		{"from calc import add", "from copy_of_calc import add", true},
		{"from calc import add", "from calc import add, sub", false},
		{"from calc import add", "import pytest\nfrom calc import add", false},
		{"use calc::add;", "use calc::{add, sub};", false},
		{"use calc::add;", "use common::add;", true},
		{"import org.calc.Calc;", "import org.other.Calc;", true},
		{"import org.calc.Calc;", "import org.calc.*;", false},
		{"use App\\Calc;", "use Tests\\Calc;", true},
		{"import (\n\t\"testing\"\n\t\"m/calc\"\n)", "import (\n\t\"testing\"\n\tcalc \"m/copy\"\n)", true},
		{"#include \"calc.h\"", "#include \"copy/calc.h\"", true},
	} {
		side := func(text string) *File {
			return &File{Path: "t", Kind: KindTest, Test: text + "\n", Declared: []string{"one"}}
		}
		if got := (FileChange{Old: side(tc.was), New: side(tc.now)}).importsFromElsewhere(); got != tc.want {
			t.Errorf("%q to %q: %v", tc.was, tc.now, got)
		}
	}
}
