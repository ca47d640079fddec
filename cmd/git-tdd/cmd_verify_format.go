package main

import (
	"cmp"
	"context"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/clean"
	"github.com/git-tdd/git-tdd/report"
	"github.com/git-tdd/git-tdd/verify"
)

// The formats of a report.
const (
	formatText     = "text"
	formatJSON     = "json"
	formatJUnit    = "junit"
	formatSARIF    = "sarif"
	formatGitHub   = "github"
	formatMarkdown = "markdown"
	formatHTML     = "html"
)

func formats() []string {
	return []string{formatText, formatJSON, formatJUnit, formatSARIF, formatGitHub, formatMarkdown, formatHTML}
}

// formatFlags choose a format.
func formatFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "format", Usage: "print as `FORMAT`: " + strings.Join(formats(), ", "), Value: formatText},
		&cli.BoolFlag{Name: "json", Usage: "print JSON; the same as --format json"},
	}
}

// formatOf is the format that a command line asks for.
func (p *program) formatOf(c *cli.Context) (string, error) {
	format := c.String("format")
	switch {
	case c.Bool("json"):
		return formatJSON, nil
	case !slices.Contains(formats(), format):
		return "", noSuch("format", format, formats())
	case format == formatHTML:
		return format, p.wantsFile("git tdd " + c.Command.Name + " --format html")
	}
	return format, nil
}

// freshOf says whether a command line asks for everything to be measured anew.
func freshOf(c *cli.Context) check.Fresh {
	if c.Bool("fresh") {
		return check.Anew
	}
	return check.UseRecord
}

// render prints a report of a command for a program, and below annotations its sum.
func (p *program) render(r verify.Report, format, command, sum string) error {
	switch format {
	case formatSARIF:
		return p.json(sarif(r))
	case formatJUnit:
		p.junit("git tdd "+command, r)
	default:
		p.out.printf("%s%s\n", annotations(r), sum)
	}
	return nil
}

// html is a report as a page.
func (p *program) html(ctx context.Context, r verify.Report, revisions string) error {
	if err := p.openAny(ctx); err != nil {
		return err
	}
	o := report.Options{Repo: p.repo, Checker: p.checker(check.Options{Fresh: check.Recorded}), Range: revisions, Proofs: &r}
	o.Commits = gates.Each(r.Commits, func(proof verify.Proof) gitx.ID { return proof.Commit })
	page, err := p.drawPage(ctx, o)
	if err != nil {
		return err
	}
	return p.out.write(page)
}

// title names a commit on one line.
func title(proof verify.Proof) string {
	return clean.Text(proof.Commit.Short() + " " + proof.Subject)
}

// junitSuite is a report in JUnit's format, with a test case for each commit.
type junitSuite struct {
	XMLName  xml.Name    `xml:"testsuite"`
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string `xml:"classname,attr"`
	Name    string `xml:"name,attr"`
	Problem *junitProblem
	Output  string `xml:"system-out,omitempty"`
}

type junitProblem struct {
	XMLName xml.Name
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

func (p *program) junit(name string, r verify.Report) {
	suite := junitSuite{
		Name: name, Tests: len(r.Commits),
		Failures: r.Count(verify.Refused), Errors: r.Count(verify.Unjudged),
	}
	for _, proof := range r.Commits {
		c := junitCase{Class: "git-tdd", Name: title(proof), Output: clean.Text(claimAndSeen(proof))}
		findings := gates.Each(proof.Findings, func(f gates.Finding) string { return clean.Text(f.String()) })
		if kind := map[verify.Verdict]string{verify.Refused: "failure", verify.Unjudged: "error"}[proof.Verdict]; kind != "" {
			c.Problem = &junitProblem{XMLName: xml.Name{Local: kind}, Message: string(proof.Verdict), Text: strings.Join(findings, "\n")}
		}
		suite.Cases = append(suite.Cases, c)
	}
	text, _ := xml.MarshalIndent(suite, "", "  ") // there are only texts and numbers in it
	p.out.printf("%s%s\n", xml.Header, text)
}

// annotations are the findings of a report as workflow commands.
func annotations(r verify.Report) string {
	var b strings.Builder
	for _, proof := range r.Commits {
		for _, f := range slices.Concat(proof.Findings, proof.Notes) {
			where := "title=" + workflowValue(proof.Commit.Short()+" "+f.Gate)
			if f.Path != "" {
				where += ",file=" + workflowValue(f.Path)
			}
			if f.Line > 0 {
				where += fmt.Sprintf(",line=%d", f.Line)
			}
			fmt.Fprintf(&b, "::%s %s::%s\n", strings.Replace(level(f), "note", "notice", 1), where, workflowText(title(proof)+"\n"+f.String()))
		}
	}
	return b.String()
}

// level is the severity of a finding: what could not be judged, or is only told, is a warning.
func level(f gates.Finding) string {
	switch {
	case f.Unjudged, f.Told:
		return "warning"
	case f.Note:
		return "note"
	}
	return "error"
}

// workflowText escapes whatever would end a workflow command.
func workflowText(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

func workflowValue(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(workflowText(clean.Text(s)))
}

// markdown is a report for the page of a job.
func markdown(r verify.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### git tdd verify: %s\n\n%s\n", r.Verdict(), summaryOf(r))
	if r.Note != "" {
		fmt.Fprintf(&b, "\nNote: %s\n", r.Note)
	}
	b.WriteString("\n| | commit | step | role | subject | claim | seen |\n|---|---|---|---|---|---|---|\n")
	for _, proof := range r.Commits {
		mark := map[verify.Verdict]string{verify.Held: "✓", verify.Refused: "✗", verify.Unjudged: "?"}[proof.Verdict]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", mark, proof.Commit.Short(), number(proof.Step),
			cell(string(proof.Role)), cell(proof.Subject), cell(proof.Claim), cell(strings.Trim(proof.Seen+"; "+proof.Doubt(), "; ")))
	}
	for _, proof := range r.Commits {
		said := slices.Concat(proof.Findings, proof.Notes)
		if len(said) > 0 {
			fmt.Fprintf(&b, "\n**%s**\n\n", cell(title(proof)))
		}
		for _, f := range said {
			fmt.Fprintf(&b, "- %s\n", cell(f.String()))
		}
	}
	return b.String()
}

// cell escapes text from elsewhere for Markdown.
func cell(s string) string {
	s = strings.Join(strings.Fields(clean.Text(s)), " ")
	return strings.NewReplacer(
		`\`, `\\`, "|", `\|`, "`", "\\`", "*", `\*`, "_", `\_`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "[", `\[`, "]", `\]`, "@", "@\u200b", "#", `\#`,
	).Replace(s)
}

// jsonObject is an object of JSON.
type jsonObject map[string]any

// sarif is a report as a SARIF 2.1.0 log, with a result for each finding.
func sarif(r verify.Report) jsonObject {
	results, rules := []jsonObject{}, gates.Each(gates.All(), func(g gates.Gate) jsonObject {
		return jsonObject{"id": g.Name, "fullDescription": jsonObject{"text": g.Doc}}
	})
	for _, proof := range r.Commits {
		for _, f := range slices.Concat(proof.Findings, proof.Notes) {
			// GitHub rejects results without a file and a line.
			file := cmp.Or(f.Path, proof.Places[f.Test], proof.Places[""], config.FileName)
			results = append(results, jsonObject{
				"ruleId": f.Gate, "level": level(f), "message": jsonObject{"text": title(proof) + "\n" + clean.Text(f.String())},
				"locations":           []jsonObject{{"physicalLocation": jsonObject{"artifactLocation": jsonObject{"uri": file}, "region": jsonObject{"startLine": max(f.Line, 1)}}}},
				"partialFingerprints": jsonObject{"commit/v1": proof.Commit},
			})
		}
	}
	tool := jsonObject{"driver": jsonObject{"name": "git-tdd", "version": programVersion(), "rules": rules}}
	return jsonObject{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": []jsonObject{{"tool": tool, "results": results}}}
}
