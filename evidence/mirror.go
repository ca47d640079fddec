package evidence

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/syntax"
)

// File is a file that holds tests, or what helps them.
type File struct {
	Path     string
	Content  string
	Declared []string
	Checks   []syntax.Check
}

// Question is a tree some of whose files are replaced, and the tests that are
// asked what they make of it. Other tests may run too.
type Question struct {
	Files map[string]string // content by path
	Tests []gates.Test
	For   string // what the answer is for, if it holds for nothing else
	// Hasty is set if nothing is lost where the run takes too long. Otherwise it is given
	// more time then.
	Hasty bool
	// Took is how long the tests that are asked take by themselves; zero if nobody knows.
	Took time.Duration
}

// Run measures the tree of a question.
type Run func(ctx context.Context, q Question) (gates.Facts, error)

// mirror grades the tests of a tree.
type mirror struct {
	files  []File
	run    Run
	tests  map[string]*graded // by id
	broken map[*syntax.Check]bool
}

// graded is one test while it is graded.
type graded struct {
	test gates.Test
	file *File
	name string // as its file declares it
	// shared is set if its file declares several of that name, in other suites.
	shared bool
	grade  gates.Grade
	// passed is set if the test passed although its own checks were made to expect
	// something else.
	passed bool
	// deaf is set if the test passed although each of its checks expected another
	// value, altered where it stands: then what it compares is equal to anything.
	deaf bool
	// lost is set if the test never ran while it expected another value: that it notices its
	// checks turned round is too little to grade it by then.
	lost bool
}

// Grades says what each passing test of some facts is worth. Tests whose files are
// not among those given have no grade.
func Grades(ctx context.Context, files []File, plain gates.Facts, run Run) (map[string]gates.Grade, error) {
	m := newMirror(files, plain.With(gates.StatusPassed), run)
	for _, s := range stages() {
		if err := m.ask(ctx, s); err != nil {
			return nil, err
		}
	}
	if err := m.alone(ctx); err != nil {
		return nil, err
	}
	out := map[string]gates.Grade{}
	groups := groups(plain)
	for id, g := range m.tests {
		grade := g.settled()
		if grade == "" || grade == gates.GradeNone && groups[id] || grade == gates.GradeHollow && m.spared(g) {
			continue
		}
		out[id] = grade
	}
	return out, nil
}

// spared reports whether a test that passed may be the row of a table that expects nothing which
// could be altered: others of its rows noticed what was.
func (m *mirror) spared(g *graded) bool {
	noticed := func(o *graded) bool { return o.file == g.file && o.name == g.name && o.grade == gates.GradeValue }
	return slices.ContainsFunc(g.own(), func(c *syntax.Check) bool { return c.Partial }) && slices.ContainsFunc(slices.Collect(maps.Values(m.tests)), noticed)
}

// Helped reports whether a passing test of some files has no check of its own, so that
// what it checks may stand in another file.
func Helped(files []File, plain gates.Facts) bool {
	tests := maps.Values(newMirror(files, plain.With(gates.StatusPassed), nil).tests)
	return slices.ContainsFunc(slices.Collect(tests), func(g *graded) bool { return !g.checked() })
}

// newMirror finds some tests in the files that declare them.
func newMirror(files []File, tests []gates.Test, run Run) *mirror {
	m := &mirror{files: files, run: run, tests: map[string]*graded{}, broken: map[*syntax.Check]bool{}}
	for _, t := range tests {
		if g := find(files, t); g != nil {
			m.tests[t.ID] = g
		}
	}
	return m
}

// groups are the ids of tests that hold others: what they are worth, those are.
func groups(f gates.Facts) map[string]bool {
	out := map[string]bool{}
	for _, t := range f.Tests {
		for id := t.ID; strings.Contains(id, "::"); {
			id = id[:strings.LastIndex(id, "::")]
			out[id] = true
		}
	}
	return out
}

// find finds the file that declares a test: the one that the runner named, unless
// what stands on the test's line there is no test of its name, and in another file
// is. A test may be inherited from there: where the runner gives it no line at all,
// from a file by whose name the test's own file calls it.
func find(files []File, t gates.Test) *graded {
	var found *graded
	best := 0
	for i := range files {
		f := &files[i]
		g := &graded{test: t, file: f, name: gates.DeclaredName(f.Declared, t.ID)}
		if g.name == "" && t.File == f.Path {
			g.name = g.standing()
		}
		if g.name == "" {
			continue
		}
		first := slices.Index(f.Declared, g.name)
		g.shared = slices.Contains(f.Declared[first+1:], g.name)
		fits := 0
		switch {
		case t.File == "" || t.File == f.Path:
			fits = 2
		case t.Line == 0 && mentions(files, t.File, f.Path):
			fits = 1
		}
		if slices.ContainsFunc(f.Checks, func(c syntax.Check) bool { return c.Test == g.name && g.at(c) }) {
			fits += 4 // it stands where the runner found it
		}
		if fits > best {
			found, best = g, fits
		}
	}
	return found
}

// mentions reports whether a file of tests names another one, as a class names what
// it extends.
func mentions(files []File, file, other string) bool {
	stem, _, _ := strings.Cut(path.Base(other), ".")
	return slices.ContainsFunc(files, func(f File) bool { return f.Path == file && strings.Contains(f.Content, stem) })
}

// standing is the name of the test that stands where the runner found one, whose own
// name is put together at run time; empty if there is none.
func (g *graded) standing() string {
	c, _ := gates.Find(g.file.Checks, func(c syntax.Check) bool { return c.Test != "" && g.at(c) })
	return c.Test
}

// at reports whether a check is of the test that stands where the runner found this
// one.
func (g *graded) at(c syntax.Check) bool {
	return c.Body.End > 0 && covers(g.file.Content, c.Body, g.test.Line)
}

// own are the checks in the body of a test: where its file has several of its name,
// of the one that stands where the runner found it.
func (g *graded) own() []*syntax.Check {
	var named []*syntax.Check
	for i := range g.file.Checks {
		if c := &g.file.Checks[i]; g.owns(c.Test) {
			named = append(named, c)
		}
	}
	here := slices.DeleteFunc(slices.Clone(named), func(c *syntax.Check) bool { return !g.at(*c) })
	if len(here) > 0 {
		return here
	}
	return named
}

// owns reports whether a check is of this test, by the name that it gives: with the
// suites around it, where several tests of the file have the name.
func (g *graded) owns(name string) bool {
	suite, mine := strings.CutSuffix(name, g.name)
	switch {
	case name == "":
		return false
	case mine && (suite == "" || strings.HasSuffix(suite, "::") && !g.shared):
		return true
	}
	return strings.Contains(name, "::") && gates.Titled(name, g.test.ID)
}

// covers reports whether a part of a text has something on a line.
func covers(content string, part syntax.Span, line int) bool {
	first := 1 + strings.Count(content[:part.Start], "\n")
	return first <= line && line <= first+strings.Count(content[part.Start:part.End], "\n")
}

// units are the checks in the body of a test, by the part of it.
func (g *graded) units() map[string][]*syntax.Check {
	out := map[string][]*syntax.Check{}
	for _, c := range g.own() {
		out[c.Unit] = append(out[c.Unit], c)
	}
	return out
}

// checked reports whether a test has a check of its own that can be altered.
func (g *graded) checked() bool {
	return slices.ContainsFunc(g.own(), func(c *syntax.Check) bool { return len(c.Altered)+len(c.Negated) > 0 })
}

// direct reports whether each check of a test that judges says, where it stands, the
// value that it compares with.
func (g *graded) direct() bool {
	judging := g.judging()
	return len(judging) > 0 && !slices.ContainsFunc(judging, func(c *syntax.Check) bool {
		within := func(e syntax.Edit) bool { return c.At.Start <= e.Start && e.End <= c.At.End && e.Start < e.End }
		return c.Call || len(c.Altered) == 0 || slices.ContainsFunc(c.Altered, func(e syntax.Edit) bool { return !within(e) })
	})
}

// judging are the checks of a test that can be altered and are no guards.
func (g *graded) judging() []*syntax.Check {
	return slices.DeleteFunc(slices.Clone(g.own()), func(c *syntax.Check) bool { return c.Guard || len(c.Altered)+len(c.Negated) == 0 })
}

// settled is the grade of a test that noticed what it noticed, and nothing else;
// empty if it never ran while it expected something else, or another value.
func (g *graded) settled() gates.Grade {
	switch {
	case g.lost && g.grade == gates.GradeSense:
		return ""
	case g.grade != "":
		return g.grade
	case !g.checked():
		return gates.GradeNone
	case g.passed:
		return gates.GradeHollow
	}
	return ""
}

// Raising has those of some tests whose checks, made to expect something else, fail by an
// exception that is no assertion, as a program of tests does that has no framework. Those
// whose checks cannot be found are among them: nothing is known of how they fail.
func Raising(ctx context.Context, files []File, tests []gates.Test, run Run) (map[string]bool, error) {
	out := map[string]bool{}
	for _, t := range tests {
		out[t.ID] = true
	}
	m := newMirror(files, tests, func(ctx context.Context, q Question) (gates.Facts, error) {
		facts, err := run(ctx, q)
		for _, t := range facts.With(gates.StatusFailed) {
			out[t.ID] = t.Class == gates.ClassException
		}
		return facts, err
	})
	for _, s := range stages()[:3] {
		if err := m.ask(ctx, s); err != nil {
			return nil, err
		}
	}
	return out, nil
}
