package adopt

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// draft is what may be written down, if it works here.
type draft interface {
	settings() config.Settings
	found() string // in words
	// mend changes the draft by what a trial shows. It reports whether there is something to try again.
	mend(*Setup, trial) (again bool)
	// install is the line that installs what the project depends on.
	install(gates.Facts) string
	tell(*Done)
}

// scaffold is a new project.
type scaffold struct {
	language testrun.Language
	set      config.Settings
}

func (d *scaffold) settings() config.Settings  { return d.set }
func (*scaffold) mend(*Setup, trial) bool      { return false }
func (d *scaffold) install(gates.Facts) string { return d.language.Scaffold.Install }
func (*scaffold) tell(*Done)                   {}
func (d *scaffold) found() string {
	return "an empty folder: a " + d.language.Name + " project starts here"
}

// aloneDraft is the whole tree as one project.
type aloneDraft struct {
	one  Alone
	set  config.Settings
	here func(program, dir string) bool

	first   []string   // the command that was found, while others are tried
	others  [][]string // that are still to be tried
	settled bool       // on a command
}

func (d *aloneDraft) settings() config.Settings { return d.set }
func (d *aloneDraft) tell(done *Done)           { done.Alone = &d.one }

func (d *aloneDraft) found() string {
	return strings.TrimSuffix(d.one.Language.Name+", by "+d.one.Language.FoundBy, ", by ")
}

func (d *aloneDraft) install(f gates.Facts) string {
	return d.one.Language.InstallLine(d.one.Paths, complaints(f))
}

// mend looks for a command that names its tests, and leaves out a check that does not pass.
func (d *aloneDraft) mend(s *Setup, t trial) bool {
	f := t.whole.Facts
	if !d.settled && d.another(s, f) {
		return true
	}
	if d.settled = true; !checkOnlyFails(f) {
		return false
	}
	s.Note(fmt.Sprintf("left out: the check `%s` does not pass here (%s); put it into %s as ci.check_cmd once it does",
		strings.Join(d.one.Commands.Check, " "), firstComplaint(f.CheckDiagnostics), config.FileName))
	d.set.CI.CheckCmd = []string{}
	return true
}

// another chooses the next command to try, if the one before names no test: one that is
// likely, is here, and names tests that pass. After the last one it is the first again.
func (d *aloneDraft) another(s *Setup, f gates.Facts) bool {
	now := d.set.CI.TestCmd
	switch named := f.Detail == gates.DetailTest; {
	case d.first == nil && f.Detail != gates.DetailExitCode:
		return false
	case d.first == nil:
		d.first = now
		d.others = slices.DeleteFunc(d.one.Language.Others(d.one.Paths, now), func(argv []string) bool { return !d.here(argv[0], "") })
		if len(d.others) == 0 {
			return false
		}
	case named && (f.Outcome == gates.Passed || s.Known && f.Outcome == gates.Failed):
		d.one.Why = fmt.Sprintf("`%s` names no test, and `%s` does", strings.Join(d.first, " "), strings.Join(now, " "))
		return false
	}
	if len(d.others) == 0 {
		d.set.CI.TestCmd, d.settled = d.first, true
		return true
	}
	d.set.CI.TestCmd, d.others = d.others[0], d.others[1:]
	return true
}

// severalDraft is a tree of several projects, or of one in a folder.
type severalDraft struct {
	projects []Project
	skipped  []Found
}

func (d *severalDraft) settings() config.Settings { return Settings(d.projects) }
func (*severalDraft) install(gates.Facts) string  { return "" }
func (d *severalDraft) tell(done *Done)           { done.Several, done.Skipped = d.projects, d.skipped }
func (d *severalDraft) found() string             { return gates.Count(len(d.projects), "project") }

// mend leaves out what cannot be measured here, and checks that do not pass; nothing if
// that would be all.
func (d *severalDraft) mend(s *Setup, t trial) (again bool) {
	byFolder := slices.SortedFunc(slices.Values(d.projects), func(a, b Project) int { return cmp.Compare(a.Key(), b.Key()) }) // as the settings order them
	var rest []Project
	var notes []string
	for n, p := range byFolder {
		f := t.each[n].Facts
		if why := p.unusable(f, t.whole.Facts, len(byFolder)); why != "" {
			notes = append(notes, why)
			continue
		}
		if checkOnlyFails(f) {
			notes = append(notes, fmt.Sprintf("the check in %s does not pass here (%s)", p.Key(), firstComplaint(f.CheckDiagnostics)))
			p.Set.CheckCmd, again = []string{}, true
		}
		rest = append(rest, p)
	}
	if len(rest) == 0 {
		return false
	}
	for _, text := range notes {
		s.Note("left out: " + text)
	}
	d.projects = Only(rest, func(Project) bool { return true })
	return again || len(rest) < len(byFolder)
}

// unusable says why a project is left out; empty if it is not.
func (p Project) unusable(f, whole gates.Facts, of int) string {
	switch {
	case !f.Finished() && !checkOnlyFails(f):
		return fmt.Sprintf("%s (%s) could not be measured here (%s: %s)%s", p.Key(), p.Language.Name, f.Class(), firstComplaint(slices.Concat(f.Diagnostics, f.CheckDiagnostics)), p.remedy(f))
	case f.Outcome == gates.Empty:
		return fmt.Sprintf("no test ran in %s (%s)", p.Key(), p.Language.Name)
	case f.Detail == gates.DetailExitCode && whole.Detail == gates.DetailExitCode && of > 1:
		return fmt.Sprintf("the tests in %s (%s) cannot be told apart, only the exit code", p.Key(), p.Language.Name)
	}
	return ""
}

// remedy is how a project that was left out is taken in later.
func (p Project) remedy(f gates.Facts) string {
	how := ""
	if install := p.Language.InstallLine(p.Paths, complaints(f)); install != "" {
		if p.Dir != "" {
			install = "cd " + p.Dir + " && " + install
		}
		how = "run `" + install + "`, then "
	}
	return fmt.Sprintf("; %swrite it under projects in %s: `%s: {language: %s}`", how, config.FileName, p.Key(), p.Language.Name)
}

// checkOnlyFails reports whether the tests can be judged and the check does not pass.
func checkOnlyFails(f gates.Facts) bool {
	return f.Check != "" && f.Check != gates.Passed && f.Complete()
}

// firstComplaint is the first of some complaints, in one line.
func firstComplaint(all []gates.Diagnostic) string {
	if len(all) == 0 {
		return "it says nothing"
	}
	return firstLine(all[0].Message)
}

// complaints is all that a run complained of.
func complaints(f gates.Facts) string {
	return strings.Join(gates.Each(slices.Concat(f.Diagnostics, f.CheckDiagnostics), func(d gates.Diagnostic) string { return d.Message }), "\n")
}
