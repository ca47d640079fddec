package golang

import (
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// result is the verdict on one test, as facts hold it.
func (p *packageState) result(pkg, name string, declared map[string]place) gates.Test {
	t := p.tests[name]
	top, _, _ := strings.Cut(name, "/")
	out := gates.Test{ID: pkg + "." + name, File: declared[top].file, Line: declared[top].line}
	switch t.verdict {
	case "pass":
		out.Status = gates.StatusPassed
	case "skip":
		out.Status = gates.StatusSkipped
	default:
		out.Status = gates.StatusFailed
		out.Class = gates.Worse(t.class, gates.ClassAssertion)
		out.Message = message(t.out)
		p.explain(&out, name)
	}
	return out
}

// explain says of a test that failed only by its subtests that it did.
func (p *packageState) explain(out *gates.Test, name string) {
	if p.tests[name].class != gates.ClassNone || out.Message != "" {
		return
	}
	var subs []string
	for _, sub := range p.names {
		if t := p.tests[sub]; strings.HasPrefix(sub, name+"/") && t.verdict == "fail" {
			subs = append(subs, strings.TrimPrefix(sub, name+"/"))
			out.Class = gates.Worse(out.Class, t.class)
		}
	}
	if len(subs) > 0 {
		out.Message = "subtests failed: " + output.FirstFew(subs)
	}
}

// message is what a test printed, without the lines of the testing package.
func message(out string) string {
	var kept strings.Builder
	for line := range strings.Lines(out) {
		if trimmed := strings.TrimLeft(line, " "); !strings.HasPrefix(trimmed, "--- ") && !strings.HasPrefix(trimmed, "=== ") {
			kept.WriteString(line)
		}
	}
	return output.EndOf(strings.TrimSpace(kept.String()), output.MessageLimit)
}
