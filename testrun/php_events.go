package testrun

import (
	"io"
	"regexp"
	"slices"
	"strings"
)

// phpIssue is something about a test that PHPUnit does not call a failure, but
// that a project may.
type phpIssue struct {
	key     string // the test
	kind    string // as the settings name it: risky, warning, notice, deprecation
	verdict journalEvent
}

// untold reports whether the exit code has a reason that neither report tells.
// Since PHPUnit 10 they hold no warnings, no test whose data could not be had,
// and nothing that troubles PHPUnit itself; its log of events does.
func (p *phpunit) untold(end ended) bool {
	if end.Exit == 0 || !p.over {
		return false
	}
	version := regexp.MustCompile(`(?m)^PHPUnit (\d+)\.`).FindStringSubmatch(end.Output)
	if version == nil || atoi(version[1]) < 10 {
		return false
	}
	told, said := len(p.journal.broken), 0
	for _, v := range p.verdicts {
		if v.Status == "failed" {
			told++
		}
	}
	sum := endOf(regexp.MustCompile(`(?s).*(\nTests: \d+, Assertions: \d+, .*)`).ReplaceAllString(end.Output, "$1"), messageLimit)
	for _, hit := range regexp.MustCompile(`, (Error|Failure|Warning|Notice|Deprecation)s: (\d+)`).FindAllStringSubmatch(sum, -1) {
		switch kind := strings.ToLower(hit[1]); {
		case kind == "error", kind == "failure":
			said += atoi(hit[2])
		case slices.Contains(p.forbidden, kind):
			return true
		}
	}
	return said > told || told == 0
}

// readEvents takes in the log of events. The lines after the first of an event
// are its words.
func (p *phpunit) readEvents(src io.Reader, output string) error {
	test := regexp.MustCompile(`^Test (?:Considered|Triggered) (?:PHP |PHPUnit )?(Risky|Error|Warning|Notice|Deprecation) \((.+?)\)(?: in (.+):(\d+))?$`)
	runner := regexp.MustCompile(`^Test Runner Triggered (?:PHPUnit )?Warning \((.*)\)$`)
	other := regexp.MustCompile(`^(?:Test|Data Provider|PHPUnit|Before|After|Event|Child Process) [A-Z]`)
	var open *phpIssue
	end := func() {
		if open != nil {
			p.trouble(*open, output)
		}
		open = nil
	}
	err := eachLine(src, func(raw []byte) {
		line := strings.TrimRight(string(raw), "\r")
		if !other.MatchString(line) && open != nil {
			open.verdict.Message = strings.TrimSpace(open.verdict.Message + "\n" + line)
			return
		}
		end()
		p.idle = p.idle || line == "Test Runner Execution Started (0 tests)"
		if hit := runner.FindStringSubmatch(line); hit != nil {
			p.warnings = append(p.warnings, hit[1])
		} else if hit := test.FindStringSubmatch(line); hit != nil {
			open = &phpIssue{key: hit[2], kind: strings.ToLower(hit[1]), verdict: journalEvent{Event: "verdict", Status: "failed", Kinds: []string{hit[1]}}}
			if hit[3] != "" {
				open.verdict.Frames = []journalFrame{{File: hit[3], Line: atoi(hit[4])}}
			}
		}
	})
	end()
	return err
}

// trouble takes in what an event says of a test. An error is one of PHPUnit's:
// the test could not be made.
func (p *phpunit) trouble(i phpIssue, output string) {
	id, details, _ := strings.Cut(i.key, ", ")
	if strings.Contains(details, "suppressed") || strings.Contains(details, "ignored") {
		return
	}
	method, set, ok := strings.Cut(id, "#")
	i.key = id
	if ok {
		i.key = method + ` with data set "` + set + `"`
		if regexp.MustCompile(`^\d+$`).MatchString(set) {
			i.key = method + " with data set #" + set
		}
	}
	if i.kind != "error" {
		p.issues = append(p.issues, i)
		return
	}
	file, line := phpPlace(output, id)
	i.verdict.File, i.verdict.Line, i.verdict.Text = file, line, i.verdict.Message
	p.verdicts[i.key] = i.verdict
}

// phpPlace is where a test stands of which PHPUnit printed what was wrong with
// it. No event tells.
func phpPlace(output, id string) (file string, line int) {
	_, rest, _ := strings.Cut(output, ") "+id+"\n")
	place := regexp.MustCompile(`^(/.+|[A-Za-z]:\\.+):(\d+)$`)
	for text := range strings.Lines(rest) {
		text = strings.TrimRight(text, "\r\n")
		if hit := place.FindStringSubmatch(text); hit != nil {
			return hit[1], atoi(hit[2])
		}
		if regexp.MustCompile(`^\d+\) `).MatchString(text) {
			break
		}
	}
	return "", 0
}

// blame makes failures of the tests with what the project's settings forbid: all
// of them, where only that explains the exit code and no setting was found.
func (p *phpunit) blame() {
	for _, i := range p.issues {
		v, known := p.verdicts[i.key]
		if !known || v.Status != "passed" || len(p.forbidden) > 0 && !slices.Contains(p.forbidden, i.kind) {
			continue
		}
		v.Status, v.Kinds, v.Message, v.Frames = "failed", i.verdict.Kinds, i.verdict.Message, i.verdict.Frames
		v.Text = "the project's settings make this a failure: " + i.kind + ": " + i.verdict.Message
		p.verdicts[i.key] = v
	}
}

// phpForbidden lists the issues that the settings of a project make failures.
func phpForbidden(dir string, argv []string) []string {
	files := []string{"phpunit.xml", "phpunit.dist.xml", "phpunit.xml.dist"}
	for i, arg := range argv {
		if name, ok := strings.CutPrefix(arg, "--configuration="); ok {
			files = []string{name}
		} else if (arg == "-c" || arg == "--configuration") && i+1 < len(argv) {
			files = []string{argv[i+1]}
		}
	}
	text := strings.Join(argv, " ") + " "
	if at := slices.IndexFunc(files, func(name string) bool { return len(readOr(dir, name)) > 0 }); at >= 0 {
		text += string(readOr(dir, files[at]))
	}
	var kinds []string
	for _, hit := range regexp.MustCompile(`(?i)\s(?:--)?fail-?on-?(risky|warning|notice|deprecation|all-?issues)(?:\s*=\s*["']true["']|\s)`).FindAllStringSubmatch(text, -1) {
		kind := strings.ToLower(hit[1])
		if strings.HasPrefix(kind, "all") {
			return []string{"risky", "warning", "notice", "deprecation"}
		}
		kinds = append(kinds, kind)
	}
	return kinds
}
