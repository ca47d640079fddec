package rust

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

// cargoMessage is one line of cargo's --message-format=json.
type cargoMessage struct {
	Reason       string `json:"reason"`
	PackageID    string `json:"package_id"`
	ManifestPath string `json:"manifest_path"`
	Target       struct {
		Kind []string `json:"kind"`
		Name string   `json:"name"`
	} `json:"target"` // a library, a binary, an integration test
	Profile    struct{ Test bool } `json:"profile"` // with its tests
	Executable string              `json:"executable"`
	Message    rustcMessage        `json:"message"`
	Success    bool                `json:"success"`
}

// rustcMessage is a diagnostic of the compiler.
type rustcMessage struct {
	Level    string                `json:"level"`
	Text     string                `json:"message"`
	Code     struct{ Code string } `json:"code"` // E0425, or the name of a lint, or nothing
	Spans    []rustcSpan           `json:"spans"`
	Rendered string                `json:"rendered"`
}

// rustcSpan is a place in the sources that a diagnostic speaks of.
type rustcSpan struct {
	File    string `json:"file_name"`
	Line    int    `json:"line_start"`
	Primary bool   `json:"is_primary"`
	Label   string `json:"label"`
	Text    []struct {
		Line string `json:"text"`
		From int    `json:"highlight_start"` // in characters, from 1
		To   int    `json:"highlight_end"`
	} `json:"text"`
	Expansion *struct {
		Span rustcSpan `json:"span"`
	} `json:"expansion"`
}

// counts reports whether the message is an error of its own, and no summary of others.
func (m rustcMessage) counts() bool {
	return strings.HasPrefix(m.Level, "error") && !strings.HasPrefix(m.Text, "aborting due to")
}

// missingCodes are the errors of what has no definition in reach; those without a code match uncodedPattern.
const missingCodes = ` E0026 E0220 E0405 E0407 E0412 E0422 E0425 E0432 E0433 E0437 E0438 E0531 E0559 E0560 E0576 E0583 E0599 E0603 E0609 E0616 `

var (
	uncodedPattern = lazyregexp.New("^cannot find (?:macro|derive macro|attribute) `")
	foreignPattern = lazyregexp.New("unlinked crate `|maybe a missing crate `|can't find crate for `") // it is not there at all
	// lackPattern finds a type of the project, and none of elsewhere, that lacks a trait.
	lackPattern = lazyregexp.New("(?:(?:might be missing|is not implemented) for `(?:\\w+::)*(\\w+).*`|note: `(?:\\w+::)*(\\w+).*` does not implement .*)\n *--> [^/\\s]")
)

// lacks is the type that has to implement something first; empty if that is not what is wrong.
func (m rustcMessage) lacks() string {
	hit := append(lackPattern().FindStringSubmatch(m.Rendered), "", "", "")
	return cmp.Or(hit[1], hit[2])
}

// class says what kind of error a message is, before its place is looked at.
func (m rustcMessage) class() gates.Class {
	code, texts := m.Code.Code, m.Text
	for _, s := range m.Spans {
		if s.Primary {
			texts += "\n" + s.Label
		}
	}
	switch {
	case foreignPattern.MatchString(texts):
		return gates.ClassInfra
	case code != "" && strings.Contains(missingCodes, " "+code+" "), code == "" && uncodedPattern.MatchString(m.Text), m.lacks() != "":
		return gates.ClassMissingSymbol
	case code != "", strings.HasPrefix(m.Text, "linking with"):
		return gates.ClassCompile
	case strings.HasPrefix(m.Text, "linker `"):
		return gates.ClassInfra
	}
	return gates.ClassSyntax
}

// symbol is the last part of the name that a message misses at a place.
func (m rustcMessage) symbol(at rustcSpan) string {
	quoted := func(text, before string) string { // what stands between backquotes
		_, rest, _ := strings.Cut(text, before+"`")
		name, _, _ := strings.Cut(rest, "`")
		return name
	}
	name := cmp.Or(m.lacks(), quoted(m.Text, "named "), quoted(m.Text, ""))
	if strings.HasPrefix(m.Text, "unresolved import") {
		name = cmp.Or(quoted(at.Label, ""), quoted(m.Text, ""))
	} else if strings.HasSuffix(m.Text, " is not an iterator") { // whose method is called without being named
		name = at.word()
	}
	return strings.TrimSuffix(name[strings.LastIndex(name, "::")+1:], "!")
}

// word is what is marked in the first line of a place.
func (s rustcSpan) word() string {
	if len(s.Text) == 0 {
		return ""
	}
	t, line := s.Text[0], []rune(s.Text[0].Line)
	if t.From < 1 || t.To < t.From || t.To > len(line)+1 {
		return ""
	}
	return string(line[t.From-1 : t.To-1])
}

// outermost is where in somebody's own text a span comes from, when a macro made the code.
func (s rustcSpan) outermost() rustcSpan {
	for s.Expansion != nil {
		label := s.Label
		s = s.Expansion.Span
		s.Label = label
	}
	return s
}

// diagnostics turns an error into findings: one for each name that is missing.
func diagnostics(p *testrun.Places, m cargoMessage) []gates.Diagnostic {
	msg := m.Message
	if !msg.counts() {
		return nil
	}
	primary := slices.DeleteFunc(slices.Clone(msg.Spans), func(s rustcSpan) bool { return !s.Primary })
	if len(primary) == 0 {
		primary = []rustcSpan{{}}
	}
	if msg.Code.Code != "E0432" {
		primary = primary[:1]
	}
	var out []gates.Diagnostic
	for _, s := range primary {
		s = s.outermost()
		d := gates.Diagnostic{
			Class: msg.class(), Line: s.Line, Message: strings.TrimPrefix(msg.Code.Code+": "+msg.Text, ": "),
			File: p.Relative(s.File, filepath.Dir(m.ManifestPath)),
		}
		if d.File == "" {
			d.Line = 0
		}
		if d = p.Asked(d); d.Class == gates.ClassMissingSymbol {
			d.Symbol = msg.symbol(s)
		}
		out = append(out, d)
	}
	return out
}

// keepGoing makes cargo build as much as it can after an error.
const keepGoing = "--keep-going"

// buildRest builds all of what a test command could not build: cargo test starts no build
// after one that failed, so that an error of one class could hide another.
func (c *testRun) buildRest(ctx context.Context) error {
	whole := wholeBuild(c.argv)
	if c.build.ok || !c.build.finished || c.end.Exit == 0 || whole == nil {
		return nil
	}
	again := newCargoBuild(c.places)
	end, err := c.session.Run(ctx, testrun.Job{Name: "test", Argv: whole, Env: c.env, Line: func(line []byte) string {
		show, _ := again.read(line)
		return show
	}})
	if _, stopped := end.Trouble(); stopped {
		c.end = end
	}
	c.build.diagnostics = gates.Union(c.build.diagnostics, again.diagnostics)
	return err
}

// wholeBuild is the build of the targets that a test command builds, which goes on after an
// error; nil where the command names single targets.
func wholeBuild(argv []string) []string {
	at := slices.IndexFunc(argv, func(a string) bool { return slices.Contains([]string{"test", "t", "nextest"}, a) })
	if at < 1 {
		return nil
	}
	rest := ownArgs(argv[at+1:])
	out := append(slices.Clone(argv[:at]), "build", keepGoing, "--message-format=json")
	for i, arg := range rest {
		hit := optionPattern().FindStringSubmatch(arg)
		arg = strings.Replace(arg, "--cargo-profile", "--profile", 1) // of nextest, whose --profile is its own
		switch {
		case hit == nil, argv[at] == "nextest" && hit[3] == "--profile":
		case hit[1] != "":
			return nil
		case hit[2] != "" || hit[4] != "":
			out = append(out, arg)
		case i+1 < len(rest):
			out = append(out, arg, rest[i+1])
		}
	}
	if !slices.Contains(out, "--all-targets") {
		out = append(out, "--tests")
	}
	return out
}

// optionPattern matches the options that name targets one by one, and those that decide what
// else is built, alone or by a value. Any other says which tests run, and how.
var optionPattern = lazyregexp.New(`^(?:(--lib|--bins?|--test|--examples?|--bench(?:es)?|--doc)(?:=.*)?` +
	`|(--all-targets|--workspace|--all|--all-features|--no-default-features|--release|-r|--locked|--offline|--frozen|--ignore-rust-version)` +
	`|(-p|--package|--exclude|-F|--features|--manifest-path|--target|--target-dir|--config|-Z|--profile|--cargo-profile)(=.*)?)$`)
