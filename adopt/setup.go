package adopt

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// Setup writes down how a project is tested, after it has tried that, in a commit of its own.
type Setup struct {
	*Place

	Languages testrun.Languages
	Environ   []string
	Language  string // that was named; empty: the one that is found
	Inside    bool   // the folder was named, and may be one project of several
	Kata      []byte // the text that was asked for; nil: what is there, or a form to fill in
	Known     bool   // failing tests are accepted
	// Checker measures what [Setup.Approve] has approved.
	Checker func(check.Fresh) *check.Checker
	Approve func(config.Settings, testrun.Projects) error

	Found    func(what string, runs testrun.Projects) // is called before the commands run,
	Baseline func(text string)                        // with how the tests ended,
	Note     func(text string)                        // and with what was left out, and warnings

	files  []string // of the commit
	said   string   // what was found
	warned []string
}

// Done is what was set up.
type Done struct {
	Settings config.Settings
	Alone    *Alone    // the whole tree as one project
	Several  []Project // or its projects
	Skipped  []Found   // found beside them
	Files    []string  // of the commit
}

// Error says why nothing was set up, and what to do.
type Error struct {
	Reason Reason
	Text   string
}

func (e *Error) Error() string { return e.Text }

// Reason is the kind of an [Error].
type Reason string

// The reasons.
const (
	Unfit      Reason = "unfit"      // the folder or the repository cannot be set up as it is
	Red        Reason = "red"        // the baseline is refused
	Unmeasured Reason = "unmeasured" // there is no baseline
)

func unfit(text string) error { return &Error{Unfit, text} }

// KataForm is the form in which the goal of a project is written.
const KataForm = `# What is to be built

Say in a few sentences what the next piece of work is and how it should behave.

## Acceptance criteria
`

// Settled is the file of the settings at HEAD; empty if there is none. One that is not
// committed is an error.
func (s *Setup) Settled(ctx context.Context) (string, error) {
	for _, name := range []string{config.FileName, config.AltFileName} {
		if _, ok, err := s.Repo.Text(ctx, s.Head.Tree, name); err != nil || ok {
			return name, err
		}
		if !missing(filepath.Join(s.Repo.Top, name)) {
			return "", unfit(name + " is here but not committed; commit it (git add " + name + ", git commit), then run git tdd init again")
		}
	}
	return "", nil
}

// Adopt adds to an existing project what it lacks.
func (s *Setup) Adopt(ctx context.Context) (Done, error) {
	d, err := s.find(ctx)
	if err != nil {
		return Done{}, err
	}
	settings, err := s.set(ctx, d, nil, "chore: adopt git-tdd\n")
	done := Done{Settings: settings, Files: s.files}
	d.tell(&done)
	return done, err
}

// Start makes a project of a language in the empty folder.
func (s *Setup) Start(ctx context.Context, l testrun.Language, message string) (Done, error) {
	files, err := l.Scaffold.Make(filepath.Base(s.Repo.Top))
	if err != nil {
		return Done{}, err
	}
	var edits []gitx.TreeEdit
	for _, f := range files {
		edits = append(edits, gitx.TreeEdit{Path: f.Path, Content: f.Content})
	}
	d := &scaffold{language: l, set: Alone{Project: Project{Found: Found{Language: l}, Choice: testrun.Choice{Commands: l.Defaults}}}.Settings()}
	if l.Scaffold.Install != "" {
		d.set.CI.CheckCmd = []string{} // what it needs is not installed yet
	}
	settings, err := s.set(ctx, d, edits, message)
	return Done{Settings: settings, Files: s.files}, err
}

// find finds how the tree at HEAD is tested.
func (s *Setup) find(ctx context.Context) (draft, error) {
	search, err := In(ctx, s.Repo, s.Head.Tree, s.Languages, s.Environ)
	if err != nil {
		return nil, err
	}
	search.Language = s.Language
	if s.Inside {
		search.Folder = s.within()
	}
	several, skipped, err := search.Several()
	if err != nil || len(several) > 0 {
		return &severalDraft{projects: several, skipped: skipped}, err
	}
	one, err := search.Alone()
	switch {
	case errors.Is(err, config.ErrNoLanguage):
		return nil, unfit(err.Error())
	case err != nil:
		return nil, err
	case len(one.Commands.Test) == 0:
		return nil, unfit("for the language " + one.Language.Name + " the tests' command must be named: commit a .tdd.yaml with\n" + commandForm(one.Language.Name) + "\nthen run git tdd trust")
	}
	return &aloneDraft{one: one, set: one.Settings(), here: search.Here}, nil
}

// commandForm is how a project names the command of its tests.
func commandForm(language string) string {
	return "  language: " + language + "\n  ci: {test_cmd: [PROGRAM, ARGUMENT]}"
}

// timeout is that of the environment: it is written down for those who come later.
func (s *Setup) timeout() time.Duration {
	settings, err := config.Parse(nil, s.Environ, s.Languages)
	if err != nil {
		return config.Default().CI.Timeout // whoever reads the settings tells of the error
	}
	return settings.CI.Timeout
}

// set tries a draft, leaves out what does not work, and commits the rest.
func (s *Setup) set(ctx context.Context, d draft, files []gitx.TreeEdit, message string) (config.Settings, error) {
	t, err := s.try(ctx, d, files)
	for err == nil && d.mend(s, t) {
		t, err = s.try(ctx, d, files)
	}
	if err == nil {
		err = s.judge(t.whole, d.install(t.whole.Facts))
	}
	if err == nil && !s.Empty {
		err = s.believe(ctx, t)
	}
	if err == nil {
		err = s.commit(ctx, t.tree, message+knownFailures(t.whole.Facts))
	}
	return t.settings, err
}

// trial is a tree with some settings, and what its projects show.
type trial struct {
	settings config.Settings
	tree     gitx.ID
	whole    testrun.Result
	each     []testrun.Result // in the order of the projects
}

func (s *Setup) try(ctx context.Context, d draft, files []gitx.TreeEdit) (trial, error) {
	t := trial{settings: d.settings()}
	if !s.Head.Unborn() {
		t.settings.CI.Timeout = s.timeout()
	}
	edits, err := s.withKata(ctx, t.settings, append(slices.Clip(files), gitx.TreeEdit{
		Path: config.FileName, Content: config.Brief(t.settings, "What is left out has its default: git tdd explain settings"),
	}))
	if err != nil {
		return t, err
	}
	s.files = gates.Each(edits, func(e gitx.TreeEdit) string { return e.Path })
	if t.tree, err = s.Repo.WriteTree(ctx, s.Head.Tree, edits); err != nil {
		return t, err
	}
	entries, err := s.Repo.Entries(ctx, t.tree)
	if err != nil {
		return t, err
	}
	projects, err := t.settings.Split(s.Languages, check.Paths(entries))
	if err != nil {
		return t, err
	}
	if what := d.found(); what != s.said {
		s.said = what
		s.Found(what, projects)
	}
	return t, s.measure(ctx, &t, projects)
}

// withKata adds the text of the kata if the project has none.
func (s *Setup) withKata(ctx context.Context, settings config.Settings, edits []gitx.TreeEdit) ([]gitx.TreeEdit, error) {
	_, there, err := s.Repo.Text(ctx, s.Head.Tree, settings.Kata)
	switch {
	case err != nil:
		return nil, err
	case there && s.Kata != nil:
		return nil, unfit(settings.Kata + " is there already; it is not overwritten. Leave --kata out to work by it")
	case there:
		return edits, nil
	case s.Kata == nil:
		return append(edits, gitx.TreeEdit{Path: settings.Kata, Content: []byte(KataForm)}), nil
	}
	return append(edits, gitx.TreeEdit{Path: settings.Kata, Content: s.Kata}), nil
}

// commit makes the commit, in the user's own name, and lands it.
func (s *Setup) commit(ctx context.Context, tree gitx.ID, message string) error {
	lock, err := s.Repo.Lock(ctx, "git tdd init")
	if err != nil {
		return err
	}
	author := config.Default().Commit
	c := gitx.NewCommit{Tree: tree, Message: message, Author: gitx.Ident{Name: author.AuthorName, Mail: author.AuthorEmail}, ByUser: true}
	if !s.Head.Unborn() {
		c.Parents = []gitx.ID{s.Head.Commit}
	}
	id, err := s.Repo.CommitTree(ctx, c)
	if err == nil {
		err = s.Repo.Land(ctx, gitx.Landing{Branch: s.Head.Branch, Old: s.Head.Commit, New: id, Log: "tdd: init"})
	}
	if err == nil {
		s.created = nil
	}
	return errors.Join(err, lock.Close())
}

// knownFailures is the part of the message that lists what fails already.
func knownFailures(f gates.Facts) string {
	var lines strings.Builder
	for _, t := range f.With(gates.StatusFailed) {
		fmt.Fprintf(&lines, "- %s (%s)\n", t.ID, t.Class)
	}
	if lines.Len() == 0 {
		return ""
	}
	return "\nKnown failures:\n" + lines.String()
}
