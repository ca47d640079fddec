package gates_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

// TestExamples judges every example. With GATES_UPDATE=1 in the environment the
// findings are written into the examples; the verdict in the first line stays.
func TestExamples(t *testing.T) {
	t.Parallel()
	for _, name := range exampleFiles(t) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			t.Parallel()
			e := readExample(t, name)
			got := render(gates.Judge(&e.c))
			if got == e.want {
				return
			}
			if os.Getenv("GATES_UPDATE") != "" && firstLine(got) == firstLine(e.want) {
				writeWant(t, name, got)
				return
			}
			t.Errorf("%s\ngot:\n%s\n\nwant:\n%s", e.about, got, e.want)
		})
	}
}

// render is a verdict as the examples write it.
func render(v gates.Verdict) string {
	if v.Accepted() {
		lines := []string{"accepted"}
		for _, f := range v.Notes {
			lines = append(lines, f.String())
		}
		return strings.Join(lines, "\n")
	}
	verb := "refused: "
	if !v.Judged {
		verb = "unjudged: "
	}
	var names, lines []string
	for _, f := range v.Findings {
		if !slices.Contains(names, f.Gate) {
			names = append(names, f.Gate)
		}
		lines = append(lines, f.String())
	}
	return verb + strings.Join(names, ", ") + "\n" + strings.Join(lines, "\n")
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func exampleFiles(t *testing.T) []string {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatalf("no examples: %v", err)
	}
	return names
}

func readExample(t *testing.T, name string) example {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return parseExample(t, data)
}

func writeWant(t *testing.T, name, want string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(data), "-- want --\n")
	if err := os.WriteFile(name, []byte(before+"-- want --\n"+want+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestExamplesAreComplete checks that the examples show every gate accepting
// and refusing, every class of failure, and every special step.
func TestExamplesAreComplete(t *testing.T) {
	t.Parallel()
	accepted, refused := map[string]bool{}, map[string]bool{}
	classes, specials := map[gates.Class]bool{}, map[gates.Special]bool{}
	names := exampleFiles(t)
	for _, name := range names {
		e := readExample(t, name)
		if e.about == "" {
			t.Errorf("%s does not say what it shows", name)
		}
		v := gates.Judge(&e.c)
		specials[e.c.Special] = true
		noteClasses(classes, e.c.After)
		for _, g := range gates.All() {
			if g.Judges(&e.c) && v.Accepted() {
				accepted[g.Name] = true
			}
		}
		for _, f := range v.Findings {
			refused[f.Gate] = true
		}
	}
	if len(names) < 90 {
		t.Errorf("%d examples, want at least 90", len(names))
	}
	for _, g := range gates.All() {
		if !accepted[g.Name] || !refused[g.Name] {
			t.Errorf("gate %s: an example accepted: %v, one refused: %v", g.Name, accepted[g.Name], refused[g.Name])
		}
	}
	for _, c := range []gates.Class{
		gates.ClassAssertion, gates.ClassExitCode, gates.ClassUnimplemented, gates.ClassException, gates.ClassMissingSymbol,
		gates.ClassCompile, gates.ClassSyntax, gates.ClassNoTests, gates.ClassTimeout, gates.ClassCrash,
		gates.ClassRunnerMissing, gates.ClassInfra,
	} {
		if !classes[c] {
			t.Errorf("no example shows the class %q", c)
		}
	}
	for _, s := range []gates.Special{gates.Ordinary, gates.Skipped, gates.Characterization, gates.Disputed, gates.Unguarded, gates.Complete} {
		if !specials[s] {
			t.Errorf("no example shows Tdd-Outcome %q", s)
		}
	}
}

func noteClasses(seen map[gates.Class]bool, f gates.Facts) {
	for _, test := range f.Tests {
		seen[test.Class] = true
	}
	for _, d := range slices.Concat(f.Diagnostics, f.CheckDiagnostics) {
		seen[d.Class] = true
	}
	if f.Detail == gates.DetailExitCode && f.Outcome == gates.Failed {
		seen[gates.ClassExitCode] = true
	}
}

// TestGatesAreDocumented checks that every gate has what explain shows.
func TestGatesAreDocumented(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, g := range gates.All() {
		if g.Name == "" || g.Who == "" || g.Judges == nil || g.Static == nil && g.Run == nil || seen[g.Name] {
			t.Errorf("gate %q: needs a name of its own, Who, Judges, and Static or Run", g.Name)
		}
		seen[g.Name] = true
		for _, part := range []string{"\n\nWhy: ", "\n\nTo satisfy it: "} {
			if !strings.Contains(g.Doc, part) {
				t.Errorf("gate %s: its Doc has no %q", g.Name, part)
			}
		}
		for line := range strings.Lines(g.Doc) {
			if len([]rune(line)) > 85 {
				t.Errorf("gate %s: a line of its Doc is too long for a terminal: %q", g.Name, line)
			}
		}
	}
}
