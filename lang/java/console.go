package java

import (
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// console is what a build tool says of a run, beside what is reported of its tests.
type console struct {
	javac   *javac
	ended   string   // its last line, which says whether the build succeeded
	reasons []string // why the build failed
	open    bool     // the last reason may go on
}

// class says what a reason of Maven or Gradle means: nothing new where tests failed, because
// their reports have them; a compile error where the compiler said no more.
func class(reason string) gates.Class {
	for _, means := range []struct {
		class gates.Class
		words []string
	}{
		{gates.ClassTimeout, []string{"There was a timeout", "timeout or other error in the fork", "Timeout has been exceeded"}},
		{gates.ClassCrash, []string{
			"forked VM terminated", "error in the forked process", "error occurred in starting fork", "ExecutionException The forked VM", "Crashed tests:",
			"finished with non-zero exit value", "Test process encountered an unexpected problem",
		}},
		{gates.ClassNoTests, []string{"No tests were executed", "No tests matching pattern", "No tests to run", "No tests found for given includes"}},
		{gates.ClassCompile, []string{"Compilation failure", "compilation failed", "Compilation failed", "Compilation error"}},
		{gates.ClassNone, []string{"There are test failures", "for the individual test results", "There were failing tests"}},
	} {
		if slices.ContainsFunc(means.words, func(w string) bool { return strings.Contains(reason, w) }) {
			return means.class
		}
	}
	return gates.ClassInfra
}

// explain sorts the reasons for which a build failed: what does not compile, in the
// compiler's words if there are any, and what else went wrong. That tests failed,
// or that there were none, shows elsewhere.
func (c *console) explain() (broken, faults []gates.Diagnostic) {
	for _, reason := range c.reasons {
		d := gates.Diagnostic{Class: class(reason), Message: output.EndOf(reason, output.MessageLimit)}
		switch {
		case d.Class == gates.ClassNone || d.Class == gates.ClassNoTests:
		case d.Class != gates.ClassCompile:
			faults = append(faults, d)
		default:
			if broken = c.javac.findings(); len(broken) == 0 {
				broken = []gates.Diagnostic{d}
			}
		}
	}
	return broken, faults
}

// nothing reports a build that failed only because there was no test to run.
func (c *console) nothing() bool {
	return len(c.reasons) > 0 && !slices.ContainsFunc(c.reasons, func(r string) bool { return class(r) != gates.ClassNoTests })
}

// gradleConsole reads what Gradle says of a run, beside the journal.
type gradleConsole struct{ console }

// read takes in a line.
func (g *gradleConsole) read(raw []byte) {
	line := strings.TrimRight(string(raw), "\r ")
	switch {
	case strings.HasPrefix(line, "BUILD SUCCESSFUL"), strings.HasPrefix(line, "BUILD FAILED"):
		g.ended = line
	case line == "* What went wrong:":
		g.reasons, g.open = append(g.reasons, ""), true
	case strings.HasPrefix(line, "* "):
		g.open = false
	case g.open && line != "":
		g.reasons[len(g.reasons)-1] = strings.TrimSpace(g.reasons[len(g.reasons)-1] + "\n" + line)
	}
	g.javac.read(line)
}

// verdict is what a run showed, by the journal and by Gradle's words.
func (g *gradleConsole) verdict(run journal.Run) testrun.Verdict {
	if _, stopped := run.End.Trouble(); stopped {
		return run.Verdict()
	}
	run.Broken, run.Faults = g.explain()
	reported := run.Journal.Open+run.Journal.Ended > 0
	switch {
	case run.End.Exit == 0 && (!reported || !strings.HasPrefix(g.ended, "BUILD SUCCESSFUL")):
		run.Faults = append(run.Faults, gates.Diagnostic{Class: gates.ClassCrash, Message: "exit code 0, but Gradle did not say that the build succeeded, or its report is gone"})
	case run.End.Exit != 0 && len(g.reasons) == 0:
		run.Faults = append(run.Faults, gates.Diagnostic{Class: gates.ClassInfra, Message: output.FirstError(run.End.Output)})
	case g.nothing():
		run.NoTestsExit = 1
	}
	return run.Verdict()
}

var (
	positionPattern = lazyregexp.New(`^(?:\[ERROR\] )?(/?.*?\.java):(?:\[(\d+)(?:,\d+)?\]|(\d+):)(?: error:)? (.*)$`)
	kotlincPattern  = lazyregexp.New(`^(?:\[ERROR\] |e: )(?:file://)?(/?.*?\.kts?):(?: ?[\[(]|)(\d+)(?:, ?|:)(\d+)[\])]?:? (.*)$`)
	detailPattern   = lazyregexp.New(`^(?:\[ERROR\] )?\s+(symbol|location|required|found|reason)\s*: +(.*)$`)
	genericPattern  = lazyregexp.New(`<[^>]*>`)
	symbolPattern   = lazyregexp.New(`^\s*[@\w]+\s+([\w$]+)`)

	missingPackagePattern = lazyregexp.New(`^package ([\w.]+) does not exist`)
	privatePattern        = lazyregexp.New(`^([\w$]+)(?:\(.*\))? has private access in|^Cannot access '(?:\w+ )*(\w+)[^']*': it is private`)
	importPattern         = lazyregexp.New(`^\s*import\s+([\w.]+)\.(\w+)`)
	syntaxPattern         = lazyregexp.New(`(?:^|\s)(?:\S+|<identifier>|identifier|literal) expected$|expected$|^illegal (?:start|character|escape|text|line)|` +
		`^reached end of file|^not a statement|^unclosed |^invalid method declaration|^orphaned |without '|^empty character literal|` +
		`^Expecting |^Unexpected tokens|^Unclosed |^malformed |^integer number too large|^class, interface|^unnamed classes|^compact source`)
)

// javac reads what the compiler of Java says, as Maven prints it
// ("[ERROR] /a/B.java:[1,2] …") or as it does itself ("/a/B.java:1: error: …"), and that
// of Kotlin ("e: file:///a/B.kt:1:2 …").
type javac struct {
	index *sourceIndex
	found []gates.Diagnostic
}

// read takes in a line.
func (j *javac) read(line string) {
	if hit := detailPattern().FindStringSubmatch(line); hit != nil && len(j.found) > 0 {
		addDetail(&j.found[len(j.found)-1], hit[1], hit[2])
		return
	}
	hit := positionPattern().FindStringSubmatch(line)
	column := 0
	if hit == nil {
		if hit = kotlincPattern().FindStringSubmatch(line); hit != nil {
			column = output.Atoi(hit[3])
			hit[3] = ""
		}
	}
	if hit == nil || strings.HasPrefix(hit[4], "warning:") {
		return
	}
	d := gates.Diagnostic{File: j.index.places.Relative(hit[1]), Line: output.Atoi(hit[2] + hit[3]), Message: hit[4]}
	d.Class, d.Symbol = j.class(d)
	if column > 0 && strings.HasPrefix(d.Message, "Unresolved reference") {
		d.Class, d.Symbol = j.unresolved(d, column)
	}
	j.found = append(j.found, d)
}

// addDetail takes in what the compiler adds to an error.
func addDetail(d *gates.Diagnostic, key, value string) {
	if len(d.Message) < output.MessageLimit {
		d.Message += "; " + key + ": " + strings.TrimSpace(value)
	}
	if key != "symbol" || d.Class != gates.ClassMissingSymbol {
		return
	}
	generic := genericPattern().ReplaceAllString(value, " ")
	if hit := symbolPattern().FindStringSubmatch(generic); hit != nil {
		d.Symbol = hit[1]
	}
}

// class says what kind of error a text is, and which name it misses, as far as
// the text itself tells.
func (j *javac) class(d gates.Diagnostic) (gates.Class, string) {
	if hit := missingPackagePattern().FindStringSubmatch(d.Message); hit != nil {
		if !j.index.ownPackage(hit[1]) {
			return gates.ClassInfra, ""
		}
		return gates.ClassMissingSymbol, j.imported(d, hit[1])
	}
	if hit := privatePattern().FindStringSubmatch(d.Message); hit != nil {
		return gates.ClassMissingSymbol, hit[1] + hit[2]
	}
	switch {
	case strings.HasPrefix(d.Message, "cannot find symbol"):
		return gates.ClassMissingSymbol, ""
	case syntaxPattern.MatchString(d.Message):
		return gates.ClassSyntax, ""
	}
	return gates.ClassCompile, ""
}

// unresolved says what a name misses that Kotlin does not know: at a column, or in an
// import.
func (j *javac) unresolved(d gates.Diagnostic, column int) (gates.Class, string) {
	line := j.index.places.Line(d.File, d.Line)
	if in := importPattern().FindStringSubmatch(line); in != nil {
		if !j.index.ownPackage(in[1]) {
			return gates.ClassInfra, ""
		}
		return gates.ClassMissingSymbol, in[2]
	}
	return gates.ClassMissingSymbol, wordPattern().FindString(strings.Trim(line[min(column-1, len(line)):], "`"))
}

// imported is the name that a line of source asks of a package that is not there.
func (j *javac) imported(d gates.Diagnostic, pkg string) string {
	if hit := regexp.MustCompile(`\b` + regexp.QuoteMeta(pkg) + `\.(\w+)`).FindStringSubmatch(j.index.places.Line(d.File, d.Line)); hit != nil {
		return hit[1]
	}
	return pkg[strings.LastIndexByte(pkg, '.')+1:]
}

// findings are the errors, each once. What production code misses was not asked
// for by a test; what follows from a missing name on the same line is no error
// of its own.
func (j *javac) findings() []gates.Diagnostic {
	var out []gates.Diagnostic
	for _, d := range j.found {
		if d.Class == gates.ClassMissingSymbol && (j.index.places.Of(d.File, d.Line) != testrun.InTest || j.helper(d)) {
			d.Class, d.Symbol = gates.ClassCompile, ""
		}
		out = append(out, d)
	}
	out = gates.Union(nil, out)
	return slices.DeleteFunc(out, func(d gates.Diagnostic) bool {
		return strings.HasPrefix(d.Message, "static import only from") && slices.ContainsFunc(out, func(o gates.Diagnostic) bool {
			return o.Class == gates.ClassMissingSymbol && o.File == d.File && o.Line == d.Line
		})
	})
}

// helper reports whether a missing name is one of a test library: an
// annotation, or an assertion without the class that has it.
func (j *javac) helper(d gates.Diagnostic) bool {
	line := j.index.places.Line(d.File, d.Line)
	if line == "" || d.Symbol == "" {
		return false
	}
	own := strings.HasPrefix(d.Symbol, "assert") && (strings.Contains(d.Message, "symbol: method") || strings.HasPrefix(d.Message, "Unresolved")) &&
		!regexp.MustCompile(`\.\s*`+d.Symbol+`\b`).MatchString(line)
	return own || regexp.MustCompile(`@`+regexp.QuoteMeta(d.Symbol)+`\b`).MatchString(line)
}
