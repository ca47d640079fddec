package testrun

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// phpunit is what PHPUnit wrote of one run.
type phpunit struct {
	places  *places
	journal *journal

	flow      string // that TeamCity's messages of this run carry
	planned   int    // tests that it said it would run; -1 where it did not
	started   int
	finished  map[string]bool         // by class and name: the tests that came to their end
	order     []string                // those that were started
	files     map[string]string       // of classes and tests
	verdicts  map[string]journalEvent // of the final report
	over      bool                    // the final report is whole
	issues    []phpIssue              // of tests that did not fail
	warnings  []string                // of PHPUnit itself
	idle      bool                    // there was no test to run
	forbidden []string                // kinds of issues that the project's settings make failures
}

func newPHPUnit(p *places) *phpunit {
	return &phpunit{
		places: p, journal: newJournal(), planned: -1,
		finished: make(map[string]bool), files: make(map[string]string), verdicts: make(map[string]journalEvent),
	}
}

// readStream takes in the messages for TeamCity, which PHPUnit writes as it
// goes. What has another flow, or none, was printed by somebody else.
func (p *phpunit) readStream(src io.Reader) error {
	return eachLine(src, func(line []byte) {
		kind, values, ok := teamcityMessage(strings.TrimRight(string(line), "\r"))
		if !ok {
			return
		}
		if p.flow == "" {
			p.flow = values["flowId"]
		}
		if values["flowId"] == p.flow {
			p.take(kind, values)
		}
	})
}

// teamcityMessage reads a line such as ##teamcity[testStarted name='a' flowId='1'].
func teamcityMessage(line string) (kind string, values map[string]string, ok bool) {
	line, begins := strings.CutPrefix(line, "##teamcity[")
	line, ends := strings.CutSuffix(line, "]")
	kind, rest, ok := strings.Cut(line, " ")
	values = make(map[string]string)
	for begins && ends && ok {
		name, value, more := strings.Cut(rest, "='")
		end := 0
		for ; end < len(value) && value[end] != '\''; end++ {
			if value[end] == '|' {
				end++ // what follows is meant as it stands
			}
		}
		if !more || end >= len(value) {
			break
		}
		values[strings.TrimSpace(name)], rest = teamcityText(value[:end]), value[end+1:]
	}
	return kind, values, begins && ends && ok
}

// teamcityText undoes the escapes of a value; most have none.
func teamcityText(value string) string {
	if !strings.Contains(value, "|") {
		return value
	}
	value = regexp.MustCompile(`\|0x([0-9A-Fa-f]{4})`).ReplaceAllStringFunc(value, func(code string) string {
		n, _ := strconv.ParseInt(code[3:], 16, 32) // four hexadecimal digits
		return string(rune(n))
	})
	return strings.NewReplacer("||", "|", "|n", "\n", "|r", "\r", "|'", "'", "|[", "[", "|]", "]").Replace(value)
}

// take takes in a message.
func (p *phpunit) take(kind string, values map[string]string) {
	file, class, _ := strings.Cut(strings.TrimPrefix(values["locationHint"], "php_qn://"), `::\`)
	class, _, _ = strings.Cut(class, "::")
	switch kind {
	case "testSuiteStarted":
		p.files[class] = file
	case "testCount":
		p.planned = atoi(values["count"])
	case "testStarted":
		key := class + "::" + values["name"]
		p.started++
		p.files[key] = file
		p.order = append(p.order, key)
	case "testFinished":
		if key, ok := p.open(values["name"]); ok {
			p.finished[key] = true
		}
	case "testIgnored", "testFailed":
		p.ended(kind, values)
	}
}

// ended takes in how a test ended that did not pass. Since PHPUnit 10 one that
// is not even prepared does not start, a risky one passes in the final report,
// and a class whose preparation failed stands for all its tests.
func (p *phpunit) ended(kind string, values map[string]string) {
	name := values["name"]
	key, ok := p.open(name)
	file, class := p.files[name]
	switch {
	case ok && kind == "testFailed":
		p.risky(key, values["message"])
	case ok:
	case class && kind == "testFailed":
		p.journal.take(phpClassFailed(name, values))
	case class:
		p.skipClass(name, file)
	default:
		p.started++
	}
}

// phpClassFailed is what a class met before its first test.
func phpClassFailed(class string, values map[string]string) journalEvent {
	e := journalEvent{Event: "broken", Name: class, Message: values["message"]}
	e.phpWords(junitResult{Text: class + "\n" + values["message"] + "\n" + values["details"]})
	if hit := regexp.MustCompile(`^([\w\\]+): `).FindStringSubmatch(e.Message); hit != nil {
		e.Kinds, e.Message = []string{hit[1]}, strings.TrimPrefix(e.Message, hit[0])
	}
	return e
}

// skipClass notes that the tests of a class were skipped before the first. Only
// the source names them.
func (p *phpunit) skipClass(class, file string) {
	for _, name := range phpDeclared(string(readOr(p.places.dir, p.places.relative(file)))) {
		p.started++
		p.verdicts[class+"::"+name] = journalEvent{Event: "verdict", Status: "skipped", File: file}
	}
}

// open is the test of that name that is under way: one ends before the next
// starts.
func (p *phpunit) open(name string) (key string, ok bool) {
	if len(p.order) == 0 {
		return "", false
	}
	key = p.order[len(p.order)-1]
	return key, !p.finished[key] && strings.HasSuffix(key, "::"+name)
}

// readFinal takes in the report in JUnit's form, which is written at the end.
func (p *phpunit) readFinal(src io.Reader) {
	j := junitReport{places: p.places}
	j.each = func(c junitCase) { p.verdict(c, j.suites) }
	j.read(src)
	p.over = len(j.gaps) == 0
}

// verdict takes in a test case of the final report. One without a class stands
// for a test whose data could not be had, or for a class without tests.
func (p *phpunit) verdict(c junitCase, suites []junitSuite) {
	class := either(c.Class, strings.ReplaceAll(c.Classname, ".", `\`))
	if class == "" {
		holder := ""
		if len(suites) > 0 {
			holder = suites[len(suites)-1].name
		}
		if len(c.Errors) == 0 || !strings.Contains(holder, "::") {
			return
		}
		class, c.Name, _ = strings.Cut(holder, "::")
		c.File = p.files[class]
		p.order = append(p.order, class+"::"+c.Name)
		p.finished[class+"::"+c.Name] = true
	}
	key := class + "::" + c.Name
	e := journalEvent{Event: "verdict", Status: "passed", File: c.File, Line: atoi(c.LineText)}
	for _, result := range append(c.Errors, c.Failures...) {
		if result.Type == `PHPUnit\Framework\RiskyTestError` {
			p.risky(key, "")
			continue
		}
		e.Status = "failed"
		e.phpWords(result)
	}
	if len(c.Skipped) > 0 && e.Status == "passed" {
		e.Status = "skipped"
	}
	if known, twice := p.verdicts[key]; !twice || known.Status != "failed" {
		p.verdicts[key] = e
	}
}

// phpWords reads what PHPUnit wrote of an exception: the test, the exception's
// class and words, and the places, the innermost first.
func (e *journalEvent) phpWords(result junitResult) {
	text := strings.TrimSpace(result.Text)
	_, text, _ = strings.Cut(text, "\n")
	e.Kinds, e.Text = []string{result.Type}, text
	place := regexp.MustCompile(`^(/.+|[A-Za-z]:\\.+):(\d+)$`)
	var words []string
	e.Frames = nil
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if hit := place.FindStringSubmatch(line); hit != nil {
			e.Frames = append([]journalFrame{{File: hit[1], Line: atoi(hit[2])}}, e.Frames...)
			continue
		}
		words = append(words, line)
	}
	e.Message = strings.TrimPrefix(strings.TrimSpace(strings.Join(words, "\n")), result.Type+": ")
}

// abandon forgets the tests that were under way when PHP refused a file.
func (p *phpunit) abandon() {
	for _, key := range p.order {
		p.finished[key] = p.finished[key] && p.verdicts[key].Status != ""
	}
	if len(p.verdicts) == 0 {
		p.order, p.planned = nil, p.started
	}
}

// settle writes the journal of the run.
func (p *phpunit) settle(end ended) {
	if end.Exit != 0 {
		p.settings()
	}
	p.unstarted()
	for _, key := range p.order {
		class, name, _ := strings.Cut(key, "::")
		v := p.verdicts[key]
		file := either(v.File, p.files[key])
		if strings.HasPrefix(class, `PHPUnit\`) {
			continue
		}
		id := strings.Join([]string{p.places.relative(file), class, name}, "::")
		for _, e := range []journalEvent{{Event: "plan", ID: id, File: file, Line: v.Line}, {Event: "start", ID: id}} {
			p.journal.take(e)
		}
		if v.Status != "" && p.finished[key] {
			v.ID = id
			p.journal.take(v)
		}
	}
	if p.planned > p.started && !p.failed() {
		p.journal.faults = append(p.journal.faults, fmt.Sprintf("%d tests were planned, %d started", p.planned, p.started))
	}
	p.journal.ended = 1
	if !p.over {
		p.journal.ended, p.journal.open = 0, 1
	}
	p.journal.exit = end.Exit
}

// settings makes of issues what the exit code says of them.
func (p *phpunit) settings() {
	if !p.failed() || len(p.forbidden) > 0 {
		p.blame()
	}
	if p.failed() {
		return
	}
	for _, words := range p.warnings {
		p.journal.take(journalEvent{Event: "broken", Kinds: []string{phpTrouble}, Message: words})
	}
}

// unstarted adds the tests that have a verdict and were not said to start: such
// a one can only have failed or been skipped.
func (p *phpunit) unstarted() {
	started := make(map[string]bool, len(p.order))
	for _, key := range p.order {
		started[key] = true
	}
	for _, key := range slices.Sorted(maps.Keys(p.verdicts)) {
		if !started[key] && p.verdicts[key].Status != "passed" {
			p.order, p.finished[key] = append(p.order, key), true
		}
	}
}

func (p *phpunit) failed() bool {
	for _, v := range p.verdicts {
		if v.Status == "failed" {
			return true
		}
	}
	return len(p.journal.broken) > 0
}

// risky notes that a test is risky, and nothing worse.
func (p *phpunit) risky(key, why string) {
	p.issues = append(p.issues, phpIssue{key: key, kind: "risky", verdict: journalEvent{
		Kinds: []string{"risky assertion"}, Message: either(why, "this test is risky, and the project fails those"),
	}})
}

// atoi is a number, or 0 where there is none.
func atoi(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0
	}
	return max(0, n)
}
