package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

// rounds is how often each side is measured at least, in turns, and enough how long
// that goes on: what takes milliseconds is measured more often.
const (
	rounds = 9
	enough = 5 * time.Second
)

// cost is what something took: time on the wall and on all processors.
type cost struct{ wall, cpu time.Duration }

// costOf measures what something costs.
func costOf(run func() error) (cost, error) {
	start, before := time.Now(), spent()
	err := run()
	return cost{time.Since(start), spent() - before}, err
}

// process measures a whole process each time that it is asked.
func (b *bench) process(ctx context.Context, dir string, argv ...string) func() (cost, error) {
	return func() (cost, error) { return costOf(func() error { return b.do(ctx, dir, argv...) }) }
}

// typical is the median of what each cost has of one kind.
func typical(all []cost, of func(cost) time.Duration) time.Duration {
	return median(gates.Each(all, of))
}

func wall(c cost) time.Duration { return c.wall }
func cpu(c cost) time.Duration  { return c.cpu }

// where runs a benchmark of a project. Where the machine lacks something, it says what.
func (b *bench) where(ctx context.Context, p project, run func(context.Context, project) error) error {
	err := p.missing()
	if err == nil {
		err = run(ctx, p)
	}
	if errors.Is(err, errLacks) {
		b.say("%-11s %v", p.name, err)
		return nil
	}
	return err
}

// warm measures what a measurement of a project costs after one file has
// changed, beside the plain runner in an ordinary checkout with the same change,
// in turns.
func (b *bench) warm(ctx context.Context, p project) error {
	side, err := b.lay(ctx, p)
	if err != nil {
		return err
	}
	defer func() { _ = side.repo.Close() }()
	measurer, err := facts.New(side.options)
	if err != nil {
		return err
	}
	defer func() { _ = measurer.Close() }()
	var plain, ours []cost
	start := time.Now()
	for round := 0; round < rounds+2 || time.Since(start) < enough; round++ { // the first two warm both sides up
		a, err := side.plain(ctx, round)
		if err != nil {
			return err
		}
		c, err := side.measure(ctx, measurer, round)
		if err != nil {
			return err
		}
		if round >= 2 {
			plain, ours = append(plain, a), append(ours, c)
		}
	}
	ratio := func(of func(cost) time.Duration) float64 { // of neighbours: a machine has slow moments
		var all []float64
		for i := range ours {
			all = append(all, float64(of(ours[i]))/float64(max(of(plain[i]), 1)))
		}
		return median(all)
	}
	b.say("%-11s one file changed: %s, plain runner %s; ratio %.2f (bar: 1.3), of processor time %.2f", p.name,
		typical(ours, wall).Round(time.Millisecond), typical(plain, wall).Round(time.Millisecond), ratio(wall), ratio(cpu))
	return nil
}

// checkout is a project in an ordinary checkout, and the same in a repository.
type checkout struct {
	project
	dir     string // the checkout
	environ []string
	repo    *gitx.Repo
	options facts.Options
	base    gitx.ID
}

// lay makes the checkout and the repository.
func (b *bench) lay(ctx context.Context, p project) (checkout, error) {
	side := checkout{project: p, dir: filepath.Join(b.dir, "warm", p.name, "checkout")}
	top := filepath.Join(b.dir, "warm", p.name, "repository")
	err := errors.Join(p.put(side.dir), p.depend(top), b.do(ctx, ".", "git", "init", "--quiet", top))
	if err != nil {
		return side, err
	}
	side.environ = b.command(ctx, ".", "true").Env
	if side.repo, err = gitx.Open(ctx, gitx.Options{Dir: top, Environ: side.environ}); err != nil {
		return side, err
	}
	var edits []gitx.TreeEdit
	for name, text := range p.files {
		edits = append(edits, gitx.TreeEdit{Path: name, Content: []byte(text)})
	}
	if side.base, err = side.repo.WriteTree(ctx, "", edits); err != nil {
		return side, err
	}
	dirs, err := facts.DefaultDirs(side.environ)
	if err != nil {
		return side, err
	}
	language, err := lang.All().ByName(p.Language)
	side.options = facts.Options{
		Repo: side.repo, Dirs: dirs, Environ: side.environ, Language: language, Link: language.Link,
		Commands: testrun.Commands{Test: p.Test},
	}
	return side, err
}

// put writes the files of a project, and links what it needs.
func (p project) put(dir string) error {
	for name, text := range p.files {
		if err := write(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	return p.depend(dir)
}

func write(name, text string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o750); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o600) //nolint:gosec // a file of ours
}

// plain changes one file of the checkout and runs the tests.
func (s checkout) plain(ctx context.Context, round int) (cost, error) {
	name, text := s.change(round)
	if err := write(filepath.Join(s.dir, name), text); err != nil {
		return cost{}, err
	}
	return costOf(func() error {
		argv := s.Test
		if s.Plain != nil {
			argv = s.Plain
		}
		cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
		cmd.Dir, cmd.Env = s.dir, []string{"CI=1", "NO_COLOR=1"}
		for _, kv := range s.environ { // what a measured command sees: some variables alone cost a runner half its time
			if name, _, _ := strings.Cut(kv, "="); testrun.Inherits(name, lang.All()) {
				cmd.Env = append(cmd.Env, kv)
			}
		}
		cmd.Env = append(cmd.Env, s.Env...)
		inSession(cmd)
		out, err := cmd.CombinedOutput()
		if hit := lacksPattern.Find(out); err != nil && hit != nil {
			return fmt.Errorf("%w: %s", errLacks, bytes.TrimSpace(hit))
		}
		if err != nil {
			return fmt.Errorf("the plain runner: %w\n%s", err, out)
		}
		return nil
	})
}

// errLacks says that this machine has not all that a project needs.
var errLacks = errors.New("not measured")

// lacksPattern finds the line in which a runner says that the machine lacks
// something: a package that was not downloaded yet, a library, a compiler.
var lacksPattern = regexp.MustCompile(`(?m)^.*(?:in offline mode|for offline mode|No module named|Could not find a package configuration file|Could NOT find|` +
	`No CMAKE_CXX_COMPILER could be found|: not found$|No compiler is provided|JAVA_HOME).*$`)

// errNoFacts says that a benchmark has nothing to compare.
var errNoFacts = errors.New("the measurement shows something else than passing tests")

// measure changes the same file in a tree and measures that.
func (s checkout) measure(ctx context.Context, m *facts.Measurer, round int) (cost, error) {
	name, text := s.change(round)
	tree, err := s.repo.WriteTree(ctx, s.base, []gitx.TreeEdit{{Path: name, Content: []byte(text)}})
	if err != nil {
		return cost{}, err
	}
	var e facts.Entry
	took, err := costOf(func() (err error) {
		e, err = m.Entry(ctx, tree)
		return err
	})
	if f := e.Result.Facts; err == nil && (f.Outcome != gates.Passed || f.Detail != gates.DetailTest || len(f.Tests) < modules) {
		err = fmt.Errorf("%w: %s, %s, %d tests\n%v", errNoFacts, f.Outcome, f.Detail, len(f.Tests), e.Result)
	}
	return took, err
}

// change is the one changed file in a round.
func (p project) change(round int) (name, text string) {
	return p.Changed, strings.ReplaceAll(p.text, "%", fmt.Sprint(round))
}

// missing says which tool or package this machine lacks for a project, as far as
// can be seen without running anything.
func (p project) missing() error {
	if _, err := exec.LookPath(p.Test[0]); err != nil {
		return fmt.Errorf("%w: %s is not installed", errLacks, p.Test[0])
	}
	for _, name := range p.Modules {
		if _, err := os.Stat(filepath.Join(os.Getenv("TDD_NODE_MODULES"), name)); err != nil || os.Getenv("TDD_NODE_MODULES") == "" { //nolint:gosec // a folder that the user names
			return fmt.Errorf("%w: TDD_NODE_MODULES names no folder that holds %s", errLacks, name)
		}
	}
	return nil
}

// depend links the packages that a project needs.
func (p project) depend(dir string) error {
	if len(p.Modules) == 0 {
		return nil
	}
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	return os.Symlink(os.Getenv("TDD_NODE_MODULES"), filepath.Join(dir, "node_modules"))
}
