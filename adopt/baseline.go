package adopt

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/testrun"
)

// measure approves the commands that were chosen here, and measures the tree. What is on
// record as red is measured again: what it lacked may be installed by now.
func (s *Setup) measure(ctx context.Context, t *trial, projects testrun.Projects) error {
	if err := s.Approve(t.settings, projects); err != nil {
		return err
	}
	for _, fresh := range []check.Fresh{check.UseRecord, check.Anew} {
		recorded, err := s.measureOnce(ctx, t, fresh)
		if green := slices.Contains([]gates.Outcome{gates.Passed, gates.Empty}, t.whole.Facts.Outcome); err != nil || green || !recorded || s.Known {
			return err
		}
	}
	return nil
}

// measureOnce measures a tree, and warns of files that it lacks. recorded is set if all was on record.
func (s *Setup) measureOnce(ctx context.Context, t *trial, fresh check.Fresh) (recorded bool, err error) {
	checker := s.Checker(fresh)
	defer func() { err = errors.Join(err, checker.Close()) }()
	project, err := checker.Project(ctx, t.tree)
	if err != nil {
		return false, err
	}
	if t.each, err = checker.Each(ctx, project, t.tree); err != nil {
		return false, err
	}
	t.whole = check.Join(t.tree, t.each)
	files, err := Elsewhere(ctx, s.Repo, t.tree, project.Parts(), project.Settings.Workbench)
	s.warn(files...)
	return checker.Count() == 0, err
}

// warn says each warning once.
func (s *Setup) warn(texts ...string) {
	for _, text := range texts {
		if !slices.Contains(s.warned, text) {
			s.warned = append(s.warned, text)
			s.Note("warning: " + text)
		}
	}
}

// judge accepts tests that are green or missing, and failing ones that are known to.
func (s *Setup) judge(r testrun.Result, install string) error {
	f := r.Facts
	checked := f.Check == "" || f.Check == gates.Passed
	switch {
	case !f.Finished():
		return s.unmeasured(r, install)
	case checked && (f.Outcome == gates.Passed || f.Outcome == gates.Empty):
		if f.Outcome == gates.Empty && !s.Empty {
			s.warn("no test ran; if there are tests, name their command in " + config.FileName + " as ci.test_cmd")
		}
		s.Baseline(gates.TestsText(f))
		return nil
	case checked && s.Known && f.Outcome == gates.Failed && f.Detail == gates.DetailTest:
		s.Baseline(gates.TestsText(f) + "; what fails is known, and no step needs it")
		return nil
	}
	return red(f)
}

// unmeasured says why a baseline could not be measured, and what to do.
func (s *Setup) unmeasured(r testrun.Result, install string) error {
	class := r.Facts.Class()
	lines := append([]string{fmt.Sprintf("the baseline could not be measured (%s), so nothing was changed", class)}, diagnosticLines(r.Facts)...)
	if install != "" && (class == gates.ClassInfra || class == gates.ClassRunnerMissing) {
		lines = append(lines, "install what the project depends on, then run git tdd init again:", "  "+install)
	}
	if class == gates.ClassTimeout {
		lines = append(lines, "if the tests need longer, give them more time; "+config.FileName+" keeps it as ci.timeout:",
			fmt.Sprintf("  GIT_TDD_CI_TIMEOUT=%.0fm git tdd init", math.Ceil(3*s.timeout().Minutes())))
	}
	return &Error{Unmeasured, strings.Join(append(slices.Compact(lines), r.LastLines(10)), "\n")}
}

// red says what fails, and how to go on.
func red(f gates.Facts) error {
	lines := []string{"the baseline is red (" + gates.TestsText(f) + "), so nothing was changed; make it green first"}
	if f.Outcome == gates.Failed && f.Detail == gates.DetailTest {
		lines[0] += ",\nor adopt it as it is: git tdd init --known-failures"
	}
	failed := gates.Each(f.With(gates.StatusFailed), func(t gates.Test) string {
		return fmt.Sprintf("  failed: %s (%s) %s", t.ID, t.Class, firstLine(gates.Cause(t.Message)))
	})
	return &Error{Red, strings.Join(slices.Concat(lines, firstOf(failed), diagnosticLines(f)), "\n")}
}

// slowSuite is how long a suite takes, in ms, of which nothing more is asked than has to be.
const slowSuite = 10_000

// believe refuses a baseline that cannot fail: one that is known by an exit code alone,
// which stays the same if no source holds any code. Without tests there is nothing yet
// that could fail. Of tests that pass all the same it warns: they may run a copy of the
// project that is installed.
func (s *Setup) believe(ctx context.Context, t trial) (err error) {
	if f := t.whole.Facts; f.Detail == gates.DetailTest && f.SuiteMS() > slowSuite {
		return nil // to warn takes one more run
	}
	checker := s.Checker(check.UseRecord)
	defer func() { err = errors.Join(err, checker.Close()) }()
	project, err := checker.Project(ctx, t.tree)
	if err != nil {
		return err
	}
	deaf, _, err := checker.Hears(ctx, project, t.tree)
	if err != nil || len(deaf) == 0 {
		return err
	}
	command := "the test command"
	if argv := t.settings.CI.TestCmd; len(argv) > 0 {
		command = "`" + strings.Join(argv, " ") + "`"
	}
	if t.whole.Facts.Detail == gates.DetailTest {
		s.warn(fmt.Sprintf("all tests pass even if there is no code in any source (%s), so they run something else, such as an installed copy of the project, and show nothing of what a commit changes; "+
			"let them import what stands here, for instance by an editable install", gates.Few(deaf, gates.Word)))
		return nil
	}
	seen := fmt.Sprintf("%s succeeds even if there is no code in any source (%s), so its exit code shows nothing", command, gates.Few(deaf, gates.Word))
	if !slices.ContainsFunc(project.Entries, func(e gitx.Entry) bool { return project.Language.Kind(e.Path) == gates.KindTest }) {
		s.warn(seen + " yet")
		return nil
	}
	return &Error{Red, seen + ", and nothing was changed;\n" +
		"commit a " + config.FileName + " that names the command which runs the tests, then run git tdd trust:\n" + commandForm(project.Language.Name)}
}

// diagnosticLines are the first complaints, a line each.
func diagnosticLines(f gates.Facts) []string {
	return firstOf(gates.Each(slices.Concat(f.Diagnostics, f.CheckDiagnostics), func(d gates.Diagnostic) string {
		at := strings.TrimSuffix(fmt.Sprintf("%s:%d", d.File, d.Line), ":0")
		return strings.TrimRight(fmt.Sprintf("  %s: %s", d.Class, strings.TrimSpace(at+" "+firstLine(d.Message))), " ")
	}))
}

// firstOf are the first of some lines, and how many more there are.
func firstOf(lines []string) []string {
	const most = 20
	if more := len(lines) - most; more > 0 {
		return append(lines[:most:most], fmt.Sprintf("  and %d more", more))
	}
	return lines
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
