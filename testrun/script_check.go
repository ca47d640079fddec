package testrun

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
)

// readTypeCheck runs the compiler of TypeScript and reads its complaints.
func readTypeCheck(ctx context.Context, b *bench, argv []string) (report, error) {
	t := typeCheck{places: b.places(), name: readManifest(b.req.Dir).Name}
	end, err := b.run(ctx, job{name: "check", argv: argv, hear: func(line []byte) { t.read(string(line)) }})
	if err != nil {
		return report{}, err
	}
	if _, stopped := end.trouble(); stopped || end.Exit == 0 {
		return end.verdict(), nil
	}
	r := report{outcome: gates.Broken, detail: gates.DetailTest, diagnostics: t.out}
	switch {
	case len(t.out) == 0 && hasPrefix(end.Output, "npm error", "npm ERR!"):
		r.outcome = gates.Crashed
		r.diagnostics = []gates.Diagnostic{{Class: gates.ClassRunnerMissing, Message: "the TypeScript compiler is not installed: npm install --save-dev typescript"}}
	case len(t.out) == 0:
		return end.verdict(), nil
	case slices.ContainsFunc(t.out, noFact):
		r.outcome = gates.Crashed
	}
	return r, nil
}

// typeCheck reads what the compiler of TypeScript prints.
type typeCheck struct {
	places *places
	name   string // of the project's own package
	out    []gates.Diagnostic
}

// read takes in a line. One that is indented goes on with the last complaint.
func (t *typeCheck) read(line string) {
	line = strings.TrimRight(line, "\r")
	if strings.HasPrefix(line, "  ") && len(t.out) > 0 {
		t.out[len(t.out)-1].Message += "; " + strings.TrimSpace(line)
		return
	}
	hit := regexp.MustCompile(`^(?:(.+?)\((\d+),\d+\): )?error TS(\d+): (.*)$`).FindStringSubmatch(line)
	if hit == nil {
		return
	}
	n, _ := strconv.Atoi(hit[2]) // digits; none, or too many, are line 0
	d := gates.Diagnostic{File: t.places.relative(hit[1]), Line: n, Message: hit[4]}
	d.Class, d.Symbol = t.class(hit[3], hit[4])
	if d.Class == gates.ClassMissingSymbol && t.places.of(d.File, n) != placeTest {
		d.Class, d.Symbol = gates.ClassCompile, "" // no test asked for it
	}
	t.out = append(t.out, d)
}

// class is the class of a complaint by its number, and the name it misses.
func (t *typeCheck) class(code, text string) (gates.Class, string) {
	quoted := regexp.MustCompile(`'([^']+)'`).FindAllStringSubmatch(text, -1)
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
		if module := name(0); ownModule(module, t.name) {
			base := module[strings.LastIndexByte(module, '/')+1:]
			base, _, _ = strings.Cut(base, ".")
			return gates.ClassMissingSymbol, base
		}
		return gates.ClassInfra, ""
	}
	switch {
	case len(code) == 4 && code[0] == '1':
		return gates.ClassSyntax, ""
	case len(code) == 4 && (code[0] == '5' || code[0] == '6'), code == "18003":
		return gates.ClassInfra, ""
	}
	return gates.ClassCompile, ""
}
