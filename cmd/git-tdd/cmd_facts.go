package main

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/adopt"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/envvar"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

// factsReport is what `git tdd facts --json` prints.
type factsReport struct {
	Revision string         `json:"revision"` // as it was asked for; empty: what is staged
	Tree     string         `json:"tree"`
	Language factsLanguage  `json:"language"`
	Commands []factsCommand `json:"commands"` // in the order in which they run, without those that are not set
	Report   string         `json:"report,omitempty"`
	Files    []factsFile    `json:"files,omitempty"` // with --files only

	// What follows is left out with --files, which measures nothing.
	Cached    bool         `json:"cached"`
	Measured  *time.Time   `json:"measured,omitempty"` // left out if the run did not finish
	Toolchain string       `json:"toolchain,omitempty"`
	Silent    []string     `json:"silent,omitempty"` // tools that gave no version, and why
	Runs      int          `json:"runs,omitempty"`   // how often this tree was run
	Flaky     []string     `json:"flaky,omitempty"`  // what differed between runs
	Facts     *gates.Facts `json:"facts,omitempty"`
	// Grades, with --evidence only, say what each passing test is worth; left out
	// where tests cannot be mirrored.
	Grades map[string]gates.Grade `json:"grades,omitempty"`
	graded bool                   // it was asked for
	ran    []testrun.Run          // by name, for the commands
}

// factsLanguage is a language and how it was found.
type factsLanguage struct {
	Name string `json:"name"`
	From string `json:"from"` // a file of the tree, a variable, or "nothing that is known"
}

// factsCommand is one command, where it comes from, and its result.
type factsCommand struct {
	Name       string   `json:"name"`
	Project    string   `json:"project,omitempty"` // its folder; empty for the root
	Argv       []string `json:"argv"`
	From       string   `json:"from"`
	Ran        bool     `json:"ran"`
	Exit       int      `json:"exit"`
	DurationMS int64    `json:"duration_ms"`
	TimedOut   bool     `json:"timed_out,omitempty"`
	Output     string   `json:"output,omitempty"`
	Truncated  bool     `json:"truncated,omitempty"`
}

// factsFile is one file of the tree as the gates see it.
type factsFile struct {
	Path       string     `json:"path"`
	Kind       gates.Kind `json:"kind"`
	Tests      []string   `json:"tests,omitempty"` // those that it declares
	Assertions int        `json:"assertions,omitempty"`
	Mixed      bool       `json:"mixed,omitempty"` // a source file with tests inside
}

func (p *program) factsCommand() *cli.Command {
	return &cli.Command{
		Name: "facts", Usage: "what a tree's facts are, on record or measured now", ArgsUsage: "[REV]", Before: p.inRepo,
		Description: "REV is any revision or tree, by default HEAD. Says which language was found and by\n" +
			"what, which commands run and where each comes from, and what they showed. Trees are\n" +
			"measured outside your working tree, so nothing of yours is read or changed.\n" +
			"Exit 0: there are facts, whatever they are: red is one too; 3: the run did not finish\n" +
			"(a timeout, a crash, a missing tool), which is no fact.",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "staged", Usage: "the tree of the index, as a commit would make it"},
			&cli.BoolFlag{Name: "fresh", Usage: "measure anew, whatever is on record"},
			&cli.BoolFlag{Name: "evidence", Usage: "say what each passing test is worth: whether it notices when it expects something else"},
			&cli.BoolFlag{Name: "files", Usage: "run nothing; list each file's kind and the tests that it declares"},
			&cli.BoolFlag{Name: "json", Usage: "print JSON"},
		},
		Action: p.factsAction,
	}
}

func (p *program) factsAction(c *cli.Context) error {
	if c.Bool("files") && (c.Bool("fresh") || c.Bool("evidence")) {
		return usage("--files measures nothing, so there is nothing for --fresh or --evidence to do")
	}
	tree, revision, err := p.asked(c)
	if err != nil {
		return err
	}
	r := factsReport{Revision: revision, Tree: string(tree), graded: c.Bool("evidence")}
	checker := p.checker(check.Options{Fresh: freshOf(c), Observer: p.waiting("the facts"), Adopt: p.found})
	err = errors.Join(p.learn(c, checker, tree, &r), checker.Close())
	p.err.quiet()
	if err != nil {
		return err
	}
	if c.Bool("json") {
		err = p.json(r)
	} else {
		p.showProject(r)
		p.showFiles(r.Files)
		p.showMeasured(r)
		p.showGrades(r)
	}
	if err == nil && r.Facts != nil && !r.Facts.Finished() {
		return unjudged("the run did not finish, so it shows neither red nor green, and is not kept")
	}
	return err
}

// asked finds the tree that the command line names; the revision is empty for the staged tree.
func (p *program) asked(c *cli.Context) (tree gitx.ID, revision string, err error) {
	revision = c.Args().First()
	switch {
	case c.Bool("staged") && revision != "":
		return "", "", usage("--staged and a revision exclude each other")
	case c.Bool("staged"):
		tree, err = p.repo.StagedTree(c.Context, p.environ)
		return tree, "", err
	case revision == "":
		head, err := p.repo.Head(c.Context)
		if err == nil && head.Unborn() {
			err = usage("there is no commit yet; --staged takes what is staged")
		}
		return head.Tree, "HEAD", err
	}
	found, err := p.repo.Object(c.Context, revision+"^{tree}")
	if errors.Is(err, gitx.ErrMissing) {
		err = usage("there is no revision or tree " + quote(revision))
	}
	return found.ID, revision, err
}

// learn finds out what is asked of a tree, and how its project is run.
func (p *program) learn(c *cli.Context, checker *check.Checker, tree gitx.ID, r *factsReport) error {
	project, err := checker.Project(c.Context, tree)
	switch {
	case err != nil:
		return err
	case c.Bool("files"):
		err = r.learnFiles(c.Context, checker, project)
	default:
		err = p.learnFacts(c.Context, checker, project, r)
	}
	if err != nil {
		return err
	}
	return p.describe(project, r)
}

// learnFacts reads the facts from the record, or measures them.
func (p *program) learnFacts(ctx context.Context, checker *check.Checker, project *check.Project, r *factsReport) error {
	before := checker.Count()
	e, err := checker.Entry(ctx, project, project.Tree)
	if err != nil {
		return err
	}
	elsewhere, err := adopt.Elsewhere(ctx, p.repo, project.Tree, project.Parts(), project.Settings.Workbench)
	p.err.quiet()
	for _, text := range elsewhere {
		p.err.printf("warning: %s\n", text)
	}
	if err != nil {
		return err
	}
	r.Silent = e.Silent
	r.Cached, r.Toolchain, r.Runs, r.Flaky, r.Facts = checker.Count() == before, e.Toolchain, e.Runs, e.Flaky, &e.Result.Facts
	if !e.Measured.IsZero() {
		r.Measured = &e.Measured
	}
	r.ran = e.Result.Runs
	if r.graded {
		p.err.phase("asking what the tests notice", "")
		r.Grades, err = checker.Grades(ctx, project, *r.Facts)
	}
	return err
}

// learnFiles finds out what each file is for. Nothing is run.
func (r *factsReport) learnFiles(ctx context.Context, checker *check.Checker, project *check.Project) error {
	all, err := checker.Change(ctx, project.Language, "", project.Tree)
	for _, f := range all.Files {
		r.Files = append(r.Files, factsFile{
			Path: f.New.Path, Kind: f.New.Kind, Tests: f.New.Declared, Assertions: len(f.New.Assertions),
			Mixed: f.New.Source != "" && f.New.Test != "",
		})
	}
	return err
}

// describe says how a project is run, and where that is set.
func (p *program) describe(project *check.Project, r *factsReport) error {
	own, err := project.Own()
	if err != nil {
		return err
	}
	r.Language = factsLanguage{Name: project.Language.Name, From: cmp.Or(p.giver("LANGUAGE", project, []string{own.Language.Name}), foundBy(project))}
	if len(own.Projects) > 0 {
		r.Language.From = project.File
		for _, part := range project.Parts() {
			set := project.Settings.Projects[cmp.Or(part.Dir, ".")]
			from := func(argv []string) string {
				return map[bool]string{true: project.File, false: "the default of " + part.Language.Name}[argv != nil]
			}
			r.add("fmt", part.Dir, part.Commands.Fmt, from(set.FmtCmd))
			r.add("check", part.Dir, part.Commands.Check, from(set.CheckCmd))
			r.add("test", part.Dir, part.Commands.Test, from(set.TestCmd))
		}
		return nil
	}
	c := project.Parts()[0].Commands
	r.add("setup", "", project.Settings.Workbench.SetupCmd, p.giver("WORKBENCH_SETUP_CMD", project, own.Workbench.SetupCmd))
	r.add("fmt", "", c.Fmt, p.giver("CI_FMT_CMD", project, own.CI.FmtCmd))
	r.add("check", "", c.Check, p.giver("CI_CHECK_CMD", project, own.CI.CheckCmd))
	r.add("test", "", c.Test, p.giver("CI_TEST_CMD", project, own.CI.TestCmd))
	r.Report = string(c.Report.Format)
	return nil
}

// add adds a command that is set, with its result if it was run.
func (r *factsReport) add(name, folder string, argv []string, from string) {
	if len(argv) == 0 {
		return
	}
	c := factsCommand{Name: name, Project: folder, Argv: argv, From: from}
	if run, ran := gates.Find(r.ran, func(run testrun.Run) bool { return run.Name == name && run.Dir == folder }); ran {
		c.Ran, c.Exit, c.DurationMS, c.TimedOut = true, run.Exit, run.Duration.Milliseconds(), run.TimedOut
		c.Output, c.Truncated = run.Output, run.Truncated
	}
	r.Commands = append(r.Commands, c)
}

// foundBy is the path that shows the language of a project without settings; empty if none does.
func foundBy(project *check.Project) string {
	l, _ := gates.Find(lang.All().Candidates(check.Paths(project.Entries)), func(l testrun.Language) bool { return l.Name == project.Language.Name })
	return l.FoundBy
}

// giver is the variable or file that sets a value; empty if neither does.
func (p *program) giver(key string, project *check.Project, own []string) string {
	if key = "GIT_TDD_" + key; envvar.Get(p.environ, key) != "" {
		return key
	}
	if strings.Join(own, "") != "" {
		return project.File
	}
	return ""
}
