package config

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Retired is a setting of an earlier release that a file or the environment still has.
type Retired struct {
	File  string // empty: it is a variable
	Line  int
	Key   string // the setting's path, or the variable
	Was   string // its value
	Now   string // what happens instead, and what to do
	Laxer bool   // the value asked for something stricter than that
}

// String is one line: where it is, what it was, what happens now, what to do.
func (r Retired) String() string {
	at := printable(r.Key)
	if r.File != "" {
		at = fmt.Sprintf("%s, line %d: %s", r.File, r.Line, at)
	}
	how := ", a retired setting: "
	if r.Laxer {
		how = ", a retired setting, asked for MORE than happens now: "
	}
	return at + ": " + printable(r.Was) + how + r.Now
}

// retirement is one setting that went: the only place that knows of it.
type retirement struct {
	path    string            // * is any name
	becomes string            // the path that takes the value over; empty: nothing does
	values  map[string]string // what a value is called there, others go nowhere; nil: all stay as they are
	wins    bool              // over what becomes has already
	laxer   func(value string) bool
	now     string
}

// retirements are the settings that went with the release after 1.0. A file that has one
// is read until the release after next.
func retirements() []retirement {
	return []retirement{
		{
			path: "max_cycles", laxer: below(10),
			now: "a run asks a person after twice max_attempts_per_agent cycles for one criterion, by default 10; leave it out",
		},
		{
			path: "llm.budget.requests", laxer: above(0),
			now: "requests are not counted; llm.budget.tokens and time limit a run",
		},
		{path: "llm.budget.money", laxer: above(0), now: "money is not counted; llm.budget.tokens and time limit a run"},
		{path: "llm.prices", now: "money is not counted, and the tokens of each step stand in its commit; leave it out"},
		{path: "llm.plan", now: "a model writes its plan together with its edits; leave it out"},
		{path: "llm.seed", now: "no seed is sent; leave it out"},
		{
			path: "roles.*.by", becomes: "roles.*.model", values: map[string]string{Human: Human}, wins: true,
			now: "an agent takes the steps of a role that names one (agent: claude), a person those of model: human, otherwise the model does; write that",
		},
		{path: "roles.*.prompt.replace", becomes: "roles.*.prompt", now: "the text is added to what the role is told, and replaces nothing; write prompt: PATH"},
		{path: "roles.*.prompt.extend", becomes: "roles.*.prompt", now: "it is read as prompt: PATH; write that"},
		{path: "language.link", becomes: "workbench.link", now: "it is read as workbench.link; write that"},
		{path: "language.version_files", now: "facts belong to a tree with all its files, so it adds nothing; leave it out"},
		{path: "ci.report.format", becomes: "ci.report", now: "ci.report is JUnit if its pattern ends in .xml, TAP otherwise, and tap or exit-code without one; write that"},
		{path: "ci.report.path", becomes: "ci.report", wins: true, now: "it is read as ci.report: PATTERN, of JUnit if it ends in .xml, of TAP otherwise; write that"},
		{path: "projects.*.report.format", becomes: "projects.*.report", now: "a report is JUnit if its pattern ends in .xml, TAP otherwise, and tap or exit-code without one; write that"},
		{path: "projects.*.report.path", becomes: "projects.*.report", wins: true, now: "it is read as report: PATTERN, of JUnit if it ends in .xml, of TAP otherwise; write that"},
		{
			path: "gates.mutants", becomes: "gates.enforce.mutants", values: map[string]string{"refuse": "refuse"},
			now: "what no test notices is told, and refused with gates.enforce: {mutants: refuse}, as which refuse is read; write that",
		},
	}
}

func below(n int) func(string) bool {
	return func(value string) bool { v, err := strconv.Atoi(value); return err == nil && v < n }
}

func above(n float64) func(string) bool {
	return func(value string) bool { v, err := strconv.ParseFloat(value, 64); return err == nil && v > n }
}

// anyName is what a name of the project's own is in the path of a retirement.
const anyName = "*"

// found is a setting that went, with a value of one word, or "".
func (t retirement) found(at Retired, value string) Retired {
	at.Now, at.Laxer = t.now, t.laxer != nil && t.laxer(value)
	return at
}

// takes is the value by which a setting that went goes on.
func (t retirement) takes(value string) (string, bool) {
	if t.becomes == "" || t.values == nil {
		return value, t.becomes != ""
	}
	value, ok := t.values[value]
	return value, ok
}

// filled is a path with names for its *.
func filled(path string, names []string) []string {
	parts := strings.Split(path, ".")
	for i := range parts {
		if parts[i] == anyName {
			parts[i], names = names[0], names[1:]
		}
	}
	return parts
}

// retire takes the settings that went out of a document, and puts what goes on of them
// where it belongs now.
func (r *reader) retire(root *yaml.Node) {
	for _, t := range r.retirements {
		take(root, strings.Split(t.path, "."), nil, func(names []string, line int, value *yaml.Node) {
			at := Retired{File: FileName, Line: line, Key: strings.Join(filled(t.path, names), "."), Was: written(value)}
			r.retired = append(r.retired, t.found(at, value.Value))
			if now, ok := t.takes(value.Value); ok {
				value.Value = now
				r.put(root, filled(t.becomes, names), value, t.wins)
			}
		})
	}
}

// take takes the values of the rest of a path out of a node; names are what * stood for before.
func take(n *yaml.Node, rest, names []string, found func(names []string, line int, value *yaml.Node)) {
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		key, value, known := n.Content[i], n.Content[i+1], names
		switch {
		case rest[0] == anyName:
			known = append(slices.Clip(names), key.Value)
		case rest[0] != key.Value:
			continue
		}
		if len(rest) > 1 {
			take(value, rest[1:], known, found)
			continue
		}
		n.Content = slices.Delete(n.Content, i, i+2)
		i -= 2
		found(known, key.Line, value)
	}
}

// put puts a value at a path of a document, unless there is one; a list is added to one.
func (r *reader) put(n *yaml.Node, path []string, value *yaml.Node, wins bool) {
	fields := r.fields
	for _, key := range path[:len(path)-1] {
		f, named := lookup(fields, key)
		if named { // the other keys are names in a table
			fields = f.fields
		}
		n = entryOf(n, key, value.Line)
		if n.Kind == yaml.ScalarNode && f.short != "" {
			was := *n
			*n = yaml.Node{Kind: yaml.MappingNode, Line: was.Line, Content: []*yaml.Node{scalar("!!str", f.short), &was}}
		}
		if n.Kind != yaml.MappingNode {
			return
		}
	}
	switch there := entryOf(n, path[len(path)-1], value.Line); {
	case wins || there.Kind == yaml.MappingNode && len(there.Content) == 0:
		*there = *value
	case there.Kind == yaml.SequenceNode && value.Kind == yaml.SequenceNode:
		there.Content = append(there.Content, value.Content...)
	}
}

// entryOf is the value of a key of a mapping: an empty mapping if it had none.
func entryOf(n *yaml.Node, key string, line int) *yaml.Node {
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	name, value := scalar("!!str", key), &yaml.Node{Kind: yaml.MappingNode, Line: line}
	name.Line = line
	n.Content = append(n.Content, name, value)
	return value
}

// written is a value on one line, as somebody wrote it.
func written(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode {
		return n.Value
	}
	return describe(n)
}

// retireVariables is retire for the environment, of which it returns what is left.
func (r *reader) retireVariables(vars map[string]string) {
	for _, t := range r.retirements {
		pattern := regexp.MustCompile("^" + prefix + strings.ReplaceAll(regexp.QuoteMeta(word(t.path)), "___", "_(.+)_") + "$")
		for name, value := range vars {
			m := pattern.FindStringSubmatch(name)
			if m == nil {
				continue
			}
			delete(vars, name)
			r.retired = append(r.retired, t.found(Retired{Key: name, Was: value}, value))
			now, ok := t.takes(value)
			if target := prefix + word(strings.Join(filled(t.becomes, m[1:]), ".")); ok && (vars[target] == "" || t.wins) {
				vars[target] = now
			}
		}
	}
}
