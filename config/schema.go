package config

import (
	"math"
	"time"

	"github.com/git-tdd/git-tdd/agents/presets"
	"github.com/git-tdd/git-tdd/gates"
)

// kind is the type of a field.
type kind int

const (
	section kind = iota // has the fields it names
	table               // entries that the project names, each with the same fields
	text
	whole  // an integer
	number // with a fraction, or the word none: nothing is sent
	span   // a duration, as in 5m
	list   // of texts
)

// field is one key of the file: the only place that says what it may hold. It
// governs how the file and the environment are read, and what Render writes.
type field struct {
	key    string
	doc    string // for the reader of a rendered file
	kind   kind
	fields []field // of a section, and of each entry of a table
	short  string  // the field that is meant by a text in place of the section

	// What the kind alone does not say. The checks return the remedy, or "".
	low, high float64                 // inclusive bounds of whole, number and span (in nanoseconds)
	each      func(s string) string   // of a text, an item of a list, the name of a table's entry
	all       func(l []string) string // of a list
	secret    bool                    // a wrong value may be a secret, so it is not shown
}

const (
	unlimited = 1e9                       // fits an int everywhere
	shortest  = float64(time.Millisecond) // no command or request ends sooner
)

// schema is the structure of the file. It is built when it is needed: a package
// variable would slow down every start of the program, even for help.
func schema() []field {
	return []field{
		{key: "kata_description", kind: text, doc: "the kata, a path in this tree", each: treePath},
		{key: "language", kind: section, short: "name", fields: languageFields(), doc: "found from the project where left out"},
		{key: "steps", kind: whole, doc: "role steps of one run", low: 1, high: unlimited},
		{key: "max_attempts_per_agent", kind: whole, doc: "tries of one step", low: 1, high: unlimited},
		{key: "rotation", kind: list, doc: "whose turn comes after whose", each: roleName, all: rotation},
		{
			key: "roles", kind: table, each: roleName, fields: roleFields(),
			doc: "model, or provider:model; a role of your own plays one of these, or has type, paths, gate and prompt; model: human for a person, agent: claude for an agent",
		},
		{key: "llm", kind: section, fields: llmFields()},
		{key: "ci", kind: section, fields: ciFields(), doc: "commands are lists of words, run without a shell"},
		{key: "projects", kind: table, each: projectFolder, fields: projectFields(), doc: "several in one tree, by folder: each with a language and commands of its own"},
		{key: "commit", kind: section, doc: "the author of the agents' commits", fields: []field{
			{key: "author_name", kind: text, each: identity},
			{key: "author_email", kind: text, each: identity},
		}},
		{key: "gates", kind: section, fields: gateFields()},
		{key: "isolation", kind: text, doc: "open | strict: what each role gets to see", each: oneOf("open", "strict")},
		{key: "contain", kind: text, doc: "agents | always | off: whose code runs contained", each: oneOf("agents", "always", "off")},
		{key: "workbench", kind: section, doc: "where trees are measured", fields: []field{
			{key: "link", kind: list, doc: "ignored paths to link in", each: treePath, all: distinct},
			{key: "setup_cmd", kind: list, doc: "run once before the first measurement", each: argument, all: command},
			{key: "env", kind: list, doc: "NAME=value, for the commands", each: declaration, secret: true},
			{key: "network", kind: text, doc: "none | loopback | host: what contained commands reach", each: oneOf("none", "loopback", "host")},
			{key: "read", kind: list, doc: "paths outside the project that they may read, from ~/, / or ../", each: outsidePath, all: distinct},
			{key: "write", kind: list, doc: "and those that they may change", each: outsidePath, all: distinct},
		}},
	}
}

// languageFields describe an unknown language, or add to a known one.
func languageFields() []field {
	return []field{
		{key: "name", kind: text, each: optional(languageName)},
		{key: "test", kind: list, doc: "patterns of paths, as are the next three", each: pattern, all: distinct},
		{key: "support", kind: list, doc: "fixtures, helpers, snapshots", each: pattern, all: distinct},
		{key: "source", kind: list, each: pattern, all: distinct},
		{key: "config", kind: list, doc: "of the build and of the runner", each: pattern, all: distinct},
		{key: "build_dirs", kind: list, doc: "build output that stays between runs", each: treePath, all: distinct},
		{key: "tools", kind: list, doc: "commands that print versions", each: tool, all: distinct},
		{key: "declares", kind: list, doc: "regular expressions; a group holds a test's name", each: declaring, all: distinct},
		{key: "asserts", kind: list, doc: "regular expressions of expectations", each: asserting, all: distinct},
	}
}

func roleFields() []field {
	return []field{
		{key: "model", kind: text, each: optional(modelName)},
		{key: "temperature", kind: number, low: 0, high: 2},
		{key: "plays", kind: text, each: optional(rulebook)},
		{key: "type", kind: text, each: optional(ownType)},
		{key: "paths", kind: list, each: pattern, all: distinct},
		{key: "gate", kind: text, each: optional(keeping)},
		{key: "agent", kind: section, short: "preset", fields: agentFields()},
		{key: "prompt", kind: text, each: optional(treePath)},
	}
}

// agentFields say which coding agent takes the steps of a role.
func agentFields() []field {
	return []field{
		{key: "preset", kind: text, each: optional(oneOf(presets.Names()...))},
		{key: "cmd", kind: list, each: argument, all: command},
		{key: "prompt", kind: text, each: optional(oneOf(string(presets.Stdin), string(presets.File), string(presets.Arg), string(presets.ACP)))},
		{key: "resume", kind: list, each: argument, all: command},
		{key: "env", kind: list, each: variable, all: distinct},
		{key: "timeout", kind: text, each: optional(turnTime)},
		{key: "network", kind: text, each: optional(oneOf("none", "loopback", "host"))},
		{key: "read", kind: list, each: outsidePath, all: distinct},
		{key: "write", kind: list, each: outsidePath, all: distinct},
	}
}

func providerFields() []field {
	return []field{
		{key: "base_url", kind: text, each: baseURL},
		{key: "api_key_env", kind: text, each: optional(variable), secret: true, doc: "the variable that holds the key, never the key"},
	}
}

func llmFields() []field {
	return append(providerFields(),
		field{
			key: "providers", kind: table, each: providerName, fields: providerFields(),
			doc: "deepseek: {base_url: …, api_key_env: …} makes deepseek:coder-v2 a model",
		},
		field{key: "timeout", kind: span, doc: "of one request", low: shortest, high: math.MaxInt64},
		field{key: "budget", kind: section, doc: "of one run; 0 is no limit", fields: []field{
			{key: "tokens", kind: whole, high: unlimited},
			{key: "time", kind: span, high: math.MaxInt64},
		}},
		field{key: "requests_per_minute", kind: whole, doc: "of all roles together; 0 is no limit", high: unlimited},
		field{key: "max_context", kind: whole, doc: "tokens of one prompt", low: 1, high: unlimited},
	)
}

func ciFields() []field {
	return []field{
		{key: "test_cmd", kind: list, each: argument, all: needed(command)},
		{key: "check_cmd", kind: list, doc: "[] is none", each: argument, all: command},
		{key: "fmt_cmd", kind: list, doc: "[] is none", each: argument, all: command},
		{key: "timeout", kind: span, doc: "of one command", low: shortest, high: math.MaxInt64},
		{key: "report", kind: text, doc: "what it writes, where the runner is not known: files, JUnit if *.xml, otherwise TAP; or tap, its output; or exit-code", each: optional(report)},
	}
}

// projectFields say how a folder is tested.
func projectFields() []field {
	return []field{
		{key: "language", kind: text, each: languageName},
		{key: "test_cmd", kind: list, each: argument, all: command},
		{key: "check_cmd", kind: list, each: argument, all: command},
		{key: "fmt_cmd", kind: list, each: argument, all: command},
		{key: "report", kind: text, each: optional(report)},
		{key: "reads", kind: list, doc: "folders of other projects that it needs", each: projectFolder, all: distinct},
	}
}

func gateFields() []field {
	allowed, onOff := oneOf(string(gates.Refuse), string(gates.Allow)), oneOf(string(gates.Off), string(gates.On))
	return []field{
		{key: "red_reasons", kind: list, doc: "why a new test may fail", each: redReason, all: needed(distinct)},
		{key: "max_new_red", kind: whole, doc: "new failing tests in one step", low: 1, high: unlimited},
		{key: "stubs", kind: text, doc: "refuse | allow: a tester's stubs in the sources", each: allowed},
		{key: "characterization", kind: text, doc: "refuse | allow: of agents; people may", each: allowed},
		{key: "confirm_runs", kind: whole, doc: "runs that a verdict needs", low: 1, high: 100},
		{key: "size", kind: table, doc: "the most that one step may change, by whose rules it keeps", each: rulebook, fields: []field{
			{key: "files", kind: whole, low: 1, high: unlimited},
			{key: "lines", kind: whole, low: 1, high: unlimited},
		}},
		{key: "protected", kind: list, doc: "what agents never touch", each: pattern, all: distinct},
		{key: "coverage", kind: text, doc: "off | on: of the sources, which no refactoring may lower", each: onOff},
		{key: "double_loop", kind: text, doc: "off | on: agents begin a criterion with an acceptance test; people may", each: onOff},
		{
			key: "evidence", kind: text, doc: "full | changed | off: of what tests are worth; left out: full, in hooks changed",
			each: optional(oneOf(string(gates.EvidenceFull), string(gates.EvidenceChanged), string(gates.EvidenceOff))),
		},
		{key: "impact", kind: text, doc: "off | on: hooks measure only the tests that a commit can have an effect on", each: onOff},
		{key: "pace", kind: text, doc: "steps | cycles: one commit may bring a failing test and what makes it pass", each: oneOf(string(gates.PaceSteps), string(gates.PaceCycles))},
		{key: "enforce", kind: section, short: gates.EnforceDefault, doc: "refuse | tell: let through, and say what would be refused; or gate by gate, and mutants", fields: enforceFields()},
	}
}

// enforceFields are the gates, and what holds for those that are not named.
func enforceFields() []field {
	word := oneOf(string(gates.EnforceRefuse), string(gates.EnforceTell))
	fields := []field{{key: gates.EnforceDefault, kind: text, each: word}, {key: gates.EnforceMutants, kind: text, each: word}}
	return append(fields, gates.Each(gates.All(), func(g gates.Gate) field { return field{key: g.Name, kind: text, each: word} })...)
}

// lookup returns the field with that key.
func lookup(fields []field, key string) (field, bool) {
	return gates.Find(fields, func(f field) bool { return f.key == key })
}

func keys(fields []field) []string {
	return gates.Each(fields, func(f field) string { return f.key })
}
