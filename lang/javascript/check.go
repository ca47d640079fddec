package javascript

import (
	"context"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// readTypeCheck runs the compiler of TypeScript and reads its complaints.
func readTypeCheck(ctx context.Context, s *testrun.Session, argv []string) (testrun.Verdict, error) {
	t := typeCheck{explainer: explainer{s.Places(), readManifest(s.Request.Dir).Name}}
	end, err := s.Run(ctx, testrun.Job{Name: "check", Argv: argv, OnLine: func(line []byte) { t.read(string(line)) }})
	_, stopped := end.Trouble()
	switch {
	case err != nil || stopped || end.Exit == 0:
		return end.Verdict(), err
	case len(t.out) == 1 && t.empty:
		return testrun.Verdict{Outcome: gates.Passed, Detail: gates.DetailTest}, nil
	case len(t.out) > 0:
		return testrun.Broken(t.out), nil
	case npmSaysPattern.MatchString(end.Output):
		return testrun.Crashed(gates.ClassRunnerMissing, "the TypeScript compiler is not installed: npm install --save-dev typescript"), nil
	}
	return end.Verdict(), nil
}

var (
	complaintPattern = lazyregexp.New(`^(?:(.+?)\((\d+),\d+\): )?error TS(\d+): (.*)$`)
	npmSaysPattern   = lazyregexp.New(`(?m)^npm (?:error|ERR!)`)
	quotedPattern    = lazyregexp.New(`'([^']+)'`)
)

// typeCheck reads what the compiler of TypeScript prints.
type typeCheck struct {
	explainer

	out   []gates.Diagnostic
	empty bool // it says that there is nothing to check
}

// read takes in a line. One that is indented continues the last complaint.
func (t *typeCheck) read(line string) {
	line = strings.TrimRight(line, "\r")
	if strings.HasPrefix(line, "  ") && len(t.out) > 0 {
		t.out[len(t.out)-1].Message += "; " + strings.TrimSpace(line)
		return
	}
	hit := complaintPattern().FindStringSubmatch(line)
	if hit == nil {
		return
	}
	d := gates.Diagnostic{File: t.places.Relative(hit[1]), Line: output.Atoi(hit[2]), Message: hit[4]}
	d.Class, d.Symbol = t.complaint(hit[3], hit[4])
	if d.Class == gates.ClassInfra && hit[3][0] == '6' && t.places.Language.Kind(d.File) != gates.KindConfig {
		d.Class = gates.ClassCompile // what is never used, for instance
	}
	t.empty = t.empty || hit[3] == "18003"
	t.out = append(t.out, t.places.Asked(d))
}

// complaint is the class of a complaint, by its number, and the name that it misses.
func (t *typeCheck) complaint(code, text string) (gates.Class, string) {
	quoted := quotedPattern().FindAllStringSubmatch(text, -1)
	name := func(i int) string {
		if i >= len(quoted) {
			return ""
		}
		return strings.Trim(quoted[i][1], `"`)
	}
	switch code {
	case "2304", "2552", "2503", "2339", "2551", "2353":
		return gates.ClassMissingSymbol, name(0)
	case "2305", "2724", "2614", "2694", "1192":
		if module := name(0); ownModule(module, t.name) || code == "2694" || strings.HasSuffix(text, "?") {
			return gates.ClassMissingSymbol, name(1)
		}
		return gates.ClassCompile, ""
	case "2307":
		return journal.Missing(name(0), ownModule(name(0), t.name), testrun.InTest)
	}
	switch {
	case len(code) == 4 && code[0] == '1':
		return gates.ClassSyntax, ""
	case len(code) == 4 && (code[0] == '5' || code[0] == '6'), code == "18003":
		return gates.ClassInfra, ""
	}
	return gates.ClassCompile, ""
}
