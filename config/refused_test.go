package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRefused lists what is refused: the file, and what its only problem must
// say.
func TestRefused(t *testing.T) {
	t.Parallel()
	cases := []struct{ name, file, want string }{
		{"unknown here, known there", "test_cmd: [a]", "test_cmd: unknown key; write it under ci"},
		{"unknown everywhere", "zebra: 1", "unknown key; known here: kata_description, language"},
		{"unknown in a role", "roles: {tester: {modell: x}}", "roles.tester.modell: unknown key; write model"},
		{"unknown in a provider", "llm: {providers: {a: {base_url: \"http://x\", key: y}}}", "llm.providers.a.key: unknown key"},
		{"unknown in a size", "gates: {size: {tester: {filse: 1}}}", "gates.size.tester.filse: unknown key; write files"},
		{"capitals", "Steps: 3", "Steps: unknown key; write steps"},
		{"merge key", "<<: {steps: 1}", "unknown key"},
		{"key that is a list", "? [a]\n: 1", "line 1: a key that is no plain word"},
		{"twice", "steps: 1\n\nsteps: 2", "line 3: steps: given on line 1 already"},
		{"twice in a table", "roles:\n  tester: {model: a}\n  tester: {model: b}", "line 3: roles.tester: given on line 2 already"},

		{"root is a list", "- a", "line 1: a list of 1 item"},
		{"root is a text", "hello", `the text "hello"`},
		{"section is a text", "llm: fast", "line 1: llm: the text \"fast\"; write keys under it: base_url"},
		{"table is a list", "roles: [a]", "roles: a list of 1 item; write names under it, each with keys: model"},
		{"entry is a text", "roles: {tester: gpt}", "roles.tester: the text \"gpt\"; write keys under it: model"},
		{"text is a map", "isolation: {a: b}", "isolation: a group of keys; write one text"},
		{"text is a number", "kata_description: 5", "put quotes around it"},
		{"text is a date", "commit: {author_name: 2024-01-01}", "put quotes around it"},

		{"number in quotes", `steps: "5"`, `steps: the text "5"; write a whole number, without quotes`},
		{"number with a fraction", "steps: 1.5", "steps: the value 1.5; write a whole number"},
		{"octal", "steps: 010", "the value 010; write a whole number"},
		{"number of the universe", "steps: 99999999999999999999", "write a whole number"},
		{"no steps", "steps: 0", "write a whole number from 1 to"},
		{"negative budget", "llm: {budget: {tokens: -1}}", "llm.budget.tokens: the value -1; write a whole number from 0 to"},
		{"a list of numbers", "steps: [1]", "steps: a list of 1 item; write a whole number"},
		{"too hot", "roles: {tester: {temperature: 2.5}}", "write a number from 0 to 2, or none"},
		{"not a number", "roles: {tester: {temperature: .nan}}", "write a number from 0 to 2"},
		{"temperature in quotes", `roles: {tester: {temperature: "0.5"}}`, "write a number from 0 to 2"},
		{"duration without a unit", "ci: {timeout: 300}", "ci.timeout: the value 300; write a number and a unit"},
		{"negative duration", "ci: {timeout: -5m}", "not negative"},
		{"no time at all", "ci: {timeout: 0s}", "write at least 1ms"},

		{"command as a text", `ci: {test_cmd: "cargo test"}`, `ci.test_cmd: the text "cargo test"; write a list: ["cargo", "test"]`},
		{"rotation as a text", "rotation: tester, implementor", `write a list: ["tester", "implementor"]`},
		{"number in a command", "ci: {test_cmd: [sleep, 5]}", "item 2 is the value 5; put quotes around it"},
		{"no tests", "ci: {test_cmd: []}", "at least one"},
		{"program without a name", `ci: {fmt_cmd: ["", x]}`, "start with the name of a program"},
		{"NUL in a command", `ci: {fmt_cmd: [x, "a\0b"]}`, "NUL"},

		{"unknown reason", "gates: {red_reasons: [asertion]}", "item 1 is the text \"asertion\"; write assertion"},
		{"reason that never counts", "gates: {red_reasons: [assertion, syntax]}", "item 2 is the text \"syntax\"; leave it out: a run that failed for this reason"},
		{"infra", "gates: {red_reasons: [infra]}", "leave it out"},
		{"no reasons", "gates: {red_reasons: []}", "at least one"},
		{"coverage", "gates: {coverage: 80%}", "gates.coverage: the text \"80%\"; write one of off, on"},
		{"permission", "gates: {stubs: alow}", "gates.stubs: the text \"alow\"; write allow"},
		{"isolation", "isolation: total", "write one of open, strict"},
		{"contain", "contain: never", "write one of agents, always"},
		{"pattern", "gates: {protected: [\"a[\"]}", "gates.protected: item 1 is the text \"a[\"; write a pattern"},
		{"pattern from the root", "gates: {protected: [/ci/**]}", "start at the top of the tree"},

		{"no turns", "rotation: []", "name at least one role"},
		{"turns twice", "rotation: [tester, implementor, tester]", "write tester once"},
		{"turn of a stranger", "rotation: [testr, implementor]", "rotation: the role testr has no rules; write tester"},
		{"role without rules", "roles: {critic: {model: x}}", "roles.critic.plays: a role of your own without rules"},
		{"role with others' rules", "roles: {tester: {plays: refactorer}}", "leave plays out"},
		{"rules of a stranger", "rotation: [critic]\nroles: {critic: {plays: judge}}", "line 2: roles.critic.plays: the text \"judge\"; write one of tester"},
		{"name of a role", "roles: {\"a/b\": {plays: tester}}", "name a role with lower-case letters"},
		{"agent missing", "roles: {tester: {agent: {env: [KEY]}}}", "write agent: {preset: claude}"},
		{"agent unknown", "roles: {tester: {agent: claud}}", "write claude"},
		{"agent sees all", "isolation: strict\nroles: {tester: {agent: claude}}", "write isolation: open"},
		{"agent time", "roles: {tester: {agent: {preset: claude, timeout: soon}}}", "write a time such as 15m"},
		{"size of a stranger", "gates: {size: {critic: {files: 1}}}", "gates.size.critic: this name; write one of tester, implementor, refactorer"},
		{"model with a blank", "roles: {tester: {model: \"a b\"}}", "without white space"},
		{"provider without a model", "roles: {tester: {model: \"deepseek:\"}}", "write deepseek:MODEL"},

		{"provider without an address", "llm:\n  providers:\n    a: {api_key_env: K}", "line 3: llm.providers.a.base_url: no address"},
		{"name of a provider", "llm: {providers: {\"a:b\": {base_url: \"http://x\"}}}", "name a provider with letters"},
		{"address of a file", "llm: {base_url: \"file:///etc/passwd\"}", "write an address such as"},
		{"address without a host", "llm: {base_url: \"http:///v1\"}", "write an address such as"},
		{"address with a query", "llm: {base_url: \"http://x/v1?a=b\"}", "without ? and #"},
		{"address with a fragment", "llm: {base_url: \"http://x/v1#\"}", "without ? and #"},

		{"kata outside", "kata_description: ../kata.md", "write a path in the tree"},
		{"kata at the root of the disk", "kata_description: /etc/passwd", "write a path in the tree"},
		{"link into git", "workbench: {link: [a/.Git/hooks]}", "write a path outside .git"},
		{"declared without a value", "workbench: {env: [HOME]}", "write NAME=value"},
		{"declared for git", "workbench: {env: [GIT_DIR=x]}", "leave it out: commands run without git's variables"},
		{"author of two lines", `commit: {author_name: "a\nb"}`, "write one line"},
		{"author without a name", `commit: {author_name: ""}`, "write one line"},
		{"author with an address", `commit: {author_email: "<a@b>"}`, "without < and >"},
		{"format of a report", "ci: {report: xml}", "ci.report: the text \"xml\"; write the files that the runner writes"},
		{"report outside", "ci: {report: ../*.tap}", "ci.report: the text \"../*.tap\"; write a pattern without .."},
		{"report that is everything", "ci: {report: src/**}", "write the files that the runner writes"},
		{"unknown language", "language: rst", "language: the text \"rst\"; write rust, or describe the language"},
		{"unknown language by its name", "language:\n  name: rst", "line 2: language.name: the text \"rst\"; write rust, or describe"},
		{"language that is a number", "language: 5", "language: the value 5; put quotes around it"},
		{"language that is a list", "language: [go]", "language: a list of 1 item; write keys under it: name, test"},
		{"key of a language", "language: {name: tcl, tests: [a]}\n", "language.tests: unknown key; write test"},
		{"language without a name", "language:\n  test: [a/**]", "line 1: language.name: no name"},
		{"name of a language", "language: Pro Log", "name a language with lower-case letters"},
		{"language without tests", "language:\n  name: tcl\n  source: [a/**]", "line 1: language.test: no pattern of tests"},
		{"language without sources", "language: {name: tcl, test: [a/**]}", "language.source: no pattern of sources"},
		{"language without a command", "language: {name: tcl, test: [a/**], source: [b/**]}", "ci.test_cmd: no command for a language that is not known"},
		{"pattern of a language", "language:\n  name: go\n  test: [\"a[\"]", "line 3: language.test: item 1 is the text \"a[\"; write a pattern"},
		{"pattern from the root of a language", "language: {name: go, source: [/src/**]}", "start at the top of the tree"},
		{"expression that does not parse", "language: {name: go, asserts: [\"(x\"]}", "language.asserts: item 1 is the text \"(x\"; write a regular expression as Go has them: error parsing regexp: missing closing )"},
		{"expression of nothing", "language: {name: go, asserts: [\"x*\"]}", "it matches the empty text"},
		{"expression without a group", "language: {name: go, declares: [\"test\"]}", "it has no group"},
		{"folder outside", "language: {name: go, build_dirs: [../x]}", "write a path in the tree"},
		{"folder in git", "language: {name: go, link: [.git/x]}", "write a path outside .git"},
		{"tool without a name", "language: {name: go, tools: [\" \"]}", "start with the name of a program"},

		{"tab", "llm:\n\ttimeout: 5m", "line 2: found character that cannot start any token; indent with spaces"},
		{"broken", "steps: [1", "line 1: "},
		{"not UTF-8", "language: \xff", "correct the YAML"},
		{"two documents", "steps: 1\n---\nsteps: 2", "line 2: a second document"},
		{"anchor", "steps: &a 1", "an anchor or alias; write the value itself"},
		{"anchor in a list", "rotation: [&a tester]", "an anchor or alias"},
		{"anchor on a section", "llm: &a {timeout: 5m}", "an anchor or alias"},
		{"tag", "steps: !!int 5", "the tag !!int; write the value without a tag"},
		{"binary", "language: !!binary cnVzdA==", "the tag !!binary"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := problems(t, c.file)
			if len(got) != 1 || !strings.Contains(got[0], c.want) {
				t.Errorf("%s\ngives %q\nwant one problem with %q", c.file, got, c.want)
			}
		})
	}
}

func TestSecretsAreNotShown(t *testing.T) {
	t.Parallel()
	for _, file := range []string{
		"llm: {api_key_env: sk-proj-s3cret}",
		"llm: {api_key_env: [s3cret]}",
		"llm: {base_url: \"https://s3cret@api.example/v1\"}",
		"llm: {base_url: \"https://me:s3cret@api.example/v1\"}",
		"llm: {base_url: \"https://api.example/v1?key=s3cret\"}",
		"llm: {base_url: \"https://me:s3cret@[bad\"}",
		"workbench: {env: [\"9TOKEN=s3cret\"]}",
		"workbench: {env: \"TOKEN=s3cret\"}",
	} {
		if got := problems(t, file); strings.Contains(strings.Join(got, "\n"), "s3cret") {
			t.Errorf("%s gives %q", file, got)
		}
	}
	if got := problems(t, "", "GIT_TDD_LLM_API_KEY=s3cret"); strings.Contains(got[0], "s3cret") || !strings.Contains(got[0], "write GIT_TDD_LLM_API_KEY_ENV") {
		t.Errorf("%q", got)
	}
}

// TestHostileFiles checks that files made to blow up a reader get an answer,
// any answer.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	const most = 256 << 10
	for name, file := range map[string]string{
		"too large":       strings.Repeat("#", most+1),
		"deep flow":       strings.Repeat("[", most),
		"deep maps":       strings.Repeat("{a: ", most/4),
		"deep blocks":     deepBlocks(600),
		"laughs":          laughs(),
		"many keys":       numbered("k%: 1\n", 20_000),
		"many roles":      "roles:\n" + numbered(" r%: {model: x}\n", 12_000),
		"many providers":  "llm: {providers: {" + numbered("p%: {x: 1}, ", 12_000) + "}}",
		"many turns":      "rotation: [" + numbered("r%, ", 25_000) + "]",
		"many duplicates": strings.Repeat("steps: 1\n", 20_000),
		"one long key":    strings.Repeat("k", most-10) + ": 1",
		"one long value":  "steps: " + strings.Repeat("9 ", most/2-10),
		"long pattern":    "gates: {protected: [\"" + strings.Repeat("{a,", 50_000) + "\"]}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := problems(t, file); len(got) == 0 {
				t.Error("accepted")
			}
		})
	}
}

func deepBlocks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func laughs() string {
	file := "a0: &a0 [x]\n"
	for _, i := range []string{"01", "12", "23", "34", "45", "56", "67", "78", "89"} {
		from, to := i[:1], i[1:]
		file += "a" + to + ": &a" + to + " [" + strings.Repeat("*a"+from+", ", 20) + "]\n"
	}
	return file
}

func numbered(line string, n int) string {
	var b strings.Builder
	for i := range n {
		digits := strings.NewReplacer("0", "a", "1", "b").Replace(strings.Repeat("0", i%7)) // names stay short
		b.WriteString(strings.Replace(line, "%", digits+itoa(i), 1))
	}
	return b.String()
}

func itoa(i int) string {
	if i < 10 {
		return string(rune('0' + i))
	}
	return itoa(i/10) + string(rune('0'+i%10))
}

func FuzzParse(f *testing.F) {
	design, err := os.ReadFile(filepath.Join("testdata", "design.yaml"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(design, "GIT_TDD_STEPS", "5")
	f.Add([]byte("roles: {critic: {plays: tester}}"), "GIT_TDD_ROLES_CRITIC_MODEL", "1\xde")
	f.Add([]byte("a: &a [*a]"), "GIT_TDD_CI_TEST_CMD", `["a", "b"]`)
	f.Fuzz(func(t *testing.T, file []byte, name, value string) {
		checkParsed(t, file, []string{name + "=" + value})
	})
}
