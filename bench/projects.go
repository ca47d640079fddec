package main

import "strings"

// projects are those that warm measures.
func projects() []project {
	return []project{
		goProject(), rustProject(),
		pythonProject("pytest", "python3", "-m", "pytest", "-q"),
		pythonProject("unittest", "python3", "-m", "unittest", "-q"),
		nodeProject(), scriptProject("vitest", "vitest", "run"), scriptProject("jest", "jest"),
	}
}

func goProject() project {
	p := project{
		name: "go", language: "go", test: []string{"go", "test", "./..."}, changed: "m0.go",
		text:  "package warm\n\nvar round = %\n\n// Sum0 adds.\nfunc Sum0(a, b int) int { return a + b + round - % }\n",
		files: map[string]string{"go.mod": "module example.com/warm\n\ngo 1.21\n"},
	}
	everyModule(p.files, "m§.go", "package warm\n\n// Sum§ adds.\nfunc Sum§(a, b int) int { return a + b }\n")
	everyModule(p.files, "m§_test.go", "package warm\n\nimport \"testing\"\n\nfunc TestSum§(t *testing.T) {\n\tif got := Sum§(1, 2); got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n")
	return p
}

func rustProject() project {
	p := project{
		name: "cargo", language: "rust", test: []string{"cargo", "test"}, changed: "src/m0.rs",
		text:  "pub fn sum(a: i32, b: i32) -> i32 {\n    a + b + std::hint::black_box(%) - %\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn sums() {\n        assert_eq!(super::sum(1, 2), 3);\n    }\n}\n",
		files: map[string]string{"Cargo.toml": "[package]\nname = \"warm\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"},
	}
	everyModule(p.files, "src/m§.rs", "pub fn sum(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn sums() {\n        assert_eq!(super::sum(1, 2), 3);\n    }\n}\n")
	lib := map[string]string{}
	everyModule(lib, "§", "pub mod m§;\n")
	var all strings.Builder
	for _, line := range lib {
		all.WriteString(line)
	}
	p.files["src/lib.rs"] = all.String()
	p.files["tests/all.rs"] = "#[test]\nfn sums() {\n    assert_eq!(warm::m0::sum(1, 2), 3);\n}\n"
	return p
}

func pythonProject(name string, test ...string) project {
	p := project{
		name: name, language: "python", test: test, changed: "warm/m0.py",
		text:  "def add(a, b):\n    return a + b + % - %\n",
		files: map[string]string{"warm/__init__.py": "", "tests/__init__.py": ""},
	}
	everyModule(p.files, "warm/m§.py", "def add(a, b):\n    return a + b\n")
	everyModule(p.files, "tests/test_m§.py", "import unittest\n\nfrom warm.m§ import add\n\n\nclass Test§(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n")
	return p
}

func nodeProject() project {
	p := project{
		name: "node", language: "javascript", test: []string{"node", "--test"}, changed: "src/m0.js",
		text:  "exports.add = (a, b) => a + b + % - %;\n",
		files: map[string]string{"package.json": "{\"name\": \"warm\", \"type\": \"commonjs\"}\n"},
	}
	everyModule(p.files, "src/m§.js", "exports.add = (a, b) => a + b;\n")
	everyModule(p.files, "test/m§.test.js", "const test = require('node:test');\nconst assert = require('node:assert');\nconst { add } = require('../src/m§.js');\n\ntest('adds §', () => assert.strictEqual(add(1, 2), 3));\n")
	return p
}

func scriptProject(name string, test ...string) project {
	p := project{
		name: name, language: "javascript", test: append([]string{"npx"}, test...), changed: "src/m0.js",
		text:    "exports.add = (a, b) => a + b + % - %;\n",
		modules: []string{name},
		files:   map[string]string{"package.json": "{\"name\": \"warm\", \"type\": \"commonjs\"}\n"},
	}
	everyModule(p.files, "src/m§.js", "exports.add = (a, b) => a + b;\n")
	head := ""
	if name == "vitest" {
		head = "import { test, expect } from 'vitest';\nimport { add } from '../src/m§.js';\n"
		p.files["package.json"] = "{\"name\": \"warm\", \"type\": \"module\"}\n"
		p.text = "export const add = (a, b) => a + b + % - %;\n"
		everyModule(p.files, "src/m§.js", "export const add = (a, b) => a + b;\n")
	} else {
		head = "const { add } = require('../src/m§.js');\n"
	}
	everyModule(p.files, "test/m§.test.js", head+"\ntest('adds §', () => { expect(add(1, 2)).toBe(3); });\n")
	return p
}
