package man_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// What pages are searched for.
var (
	linkPattern    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	headingPattern = regexp.MustCompile(`(?m)^#+ (.+)$`)
	spanPattern    = regexp.MustCompile("`(git tdd [^`]+)`")
	dropPattern    = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	assignPattern  = regexp.MustCompile(`^[A-Z_]+=\S*$`)
	wordsPattern   = regexp.MustCompile(`"[^"]*"|'[^']*'|\S+`)
	choicePattern  = regexp.MustCompile(` ([a-z]+(?:\|[a-z]+)+)$`)
)

// pages are all documents that a reader may come upon.
func pages(t *testing.T) []string {
	t.Helper()
	found, err := filepath.Glob("../docs/*.md")
	gittest.Check(t, err)
	return append(found, "../README.md", "../CONTRIBUTING.md", "../ARCHITECTURE.md")
}

// TestLinks: what a page leads to is there, headings within pages too.
func TestLinks(t *testing.T) {
	t.Parallel()
	for _, page := range pages(t) {
		for _, match := range linkPattern.FindAllStringSubmatch(withoutCode(gittest.Read(t, page)), -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			path, anchor, _ := strings.Cut(match[1], "#")
			target := page
			if path != "" {
				target = filepath.Join(filepath.Dir(page), path)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s leads to %s, which there is not", page, match[1])
			} else if anchor != "" && !slices.Contains(anchors(gittest.Read(t, target)), anchor) {
				t.Errorf("%s leads to %s, where there is no such heading", page, match[1])
			}
		}
	}
}

// TestReadingOn: README leads to every page of docs.
func TestReadingOn(t *testing.T) {
	t.Parallel()
	readme := gittest.Read(t, "../README.md")
	if words := len(strings.Fields(readme)); words > 1000 {
		t.Errorf("README has %d words, not 1,000", words)
	}
	for _, page := range pages(t) {
		if path, below := strings.CutPrefix(page, "../docs/"); below && !strings.Contains(readme, "](docs/"+path+")") {
			t.Errorf("README does not lead to %s", page)
		}
	}
}

// anchors are the names by which GitHub knows the headings of a page.
func anchors(text string) (names []string) {
	for _, match := range headingPattern.FindAllStringSubmatch(withoutCode(text), -1) {
		names = append(names, strings.ReplaceAll(dropPattern.ReplaceAllString(strings.ToLower(match[1]), ""), " ", "-"))
	}
	return names
}

// withoutCode is a page without its fenced blocks.
func withoutCode(text string) string {
	var out []string
	for i, part := range strings.Split(text, "\n```") {
		if i%2 == 0 {
			out = append(out, part)
		}
	}
	return strings.Join(out, "\n")
}

// commands are the calls of git-tdd in a page: in its blocks for a shell, and where
// its text names one.
func commands(text string) (calls [][]string) {
	var lines []string
	for i, part := range strings.Split("\n"+text, "\n```") {
		if i%2 == 0 {
			for _, match := range spanPattern.FindAllStringSubmatch(part, -1) {
				lines = append(lines, match[1])
			}
			continue
		}
		kind, block, _ := strings.Cut(part, "\n")
		for line := range strings.Lines(block) {
			if prompted, found := strings.CutPrefix(line, "$ "); found || kind == "sh" {
				lines = append(lines, prompted)
			}
		}
	}
	for _, line := range lines {
		calls = append(calls, called(line)...)
	}
	return calls
}

// called are the arguments of each call of git-tdd in a line of a shell.
func called(line string) (calls [][]string) {
	words := wordsPattern.FindAllString(line, -1)
	var call []string
	for _, word := range append(words, ";") {
		switch {
		case word == "#" || word == "&&" || word == "|" || word == `\|` || word == ";" || word == ">":
			calls = append(calls, ofOurs(call)...)
			if word == "#" {
				return calls
			}
			call = nil
		case len(call) > 0 || !assignPattern.MatchString(word):
			call = append(call, word)
		}
	}
	return calls
}

func ofOurs(call []string) [][]string {
	for _, name := range [][]string{{"git", "tdd"}, {"git-tdd"}, {"go", "run", "./cmd/git-tdd"}} {
		if len(call) > len(name) && slices.Equal(call[:len(name)], name) {
			return [][]string{call[len(name):]}
		}
	}
	return nil
}

// pagesCallWhatThereIs: every call in a page is of a command that there is, with
// flags that it has.
func pagesCallWhatThereIs(t *testing.T, p program) {
	t.Helper()
	known, calls := map[string]string{}, 0
	for _, page := range pages(t) {
		for _, call := range commands(gittest.Read(t, page)) {
			calls++
			checkCall(t, p, known, page, call)
		}
	}
	if calls < 100 {
		t.Errorf("only %d calls in all pages", calls)
	}
}

func checkCall(t *testing.T, p program, known map[string]string, page string, call []string) {
	t.Helper()
	if strings.HasPrefix(call[0], "-") || slices.Contains(hidden(), call[0]) || call[0] == "log" {
		return // of the program itself; hidden; git log's own
	}
	help := p.help(t, known, call[0])
	if help == "" {
		t.Errorf("%s calls git tdd %s, which there is not", page, call[0])
		return
	}
	if choice := choicePattern.FindStringSubmatch(strings.Join(section(help, "USAGE"), "")); choice != nil && len(call) > 1 {
		if slices.Contains(strings.Split(choice[1], "|"), call[1]) {
			help = p.help(t, known, call[0], call[1])
		}
	}
	for _, word := range call[1:] {
		flag, _, _ := strings.Cut(strings.Trim(word, "[]"), "=")
		if strings.HasPrefix(flag, "-") && flag != "-" && !mentions(strings.Join(section(help, "OPTIONS"), "\n"), flag) {
			t.Errorf("%s gives git tdd %s the flag %s, which it does not have", page, strings.Join(call, " "), flag)
		}
	}
}

// help is what a command says of itself; nothing if there is none.
func (p program) help(t *testing.T, known map[string]string, path ...string) string {
	t.Helper()
	key := strings.Join(path, " ")
	if _, asked := known[key]; !asked {
		out, err := p.command(t.Context(), p.home, append(path, "--help")...).Output()
		if err != nil || !strings.HasPrefix(string(out), "NAME:\n   git tdd "+key) {
			out = nil
		}
		known[key] = string(out)
	}
	return known[key]
}

// cheapCommandsRun runs what pages call, where it takes no time, in a new project.
func cheapCommandsRun(t *testing.T, p program) {
	t.Helper()
	dir := filepath.Join(p.home, "cheap")
	p.run(t, "init", "--language", "go", "--kata", "string-calculator", dir)
	gittest.Check(t, os.Mkdir(filepath.Join(dir, ".claude"), 0o755)) // by which an agent is found
	cheap := []string{"status", "log", "explain", "prompt", "trust", "hooks status", "hooks install", "agents", "help", "report"}
	ran := map[string]bool{}
	for _, page := range pages(t) {
		for _, call := range commands(gittest.Read(t, page)) {
			line := strings.Join(call, " ")
			starts := func(name string) bool { return line == name || strings.HasPrefix(line, name+" ") }
			if ran[line] || !slices.ContainsFunc(cheap, starts) || strings.ContainsAny(line, "ABCDEFGHIJKLMNOPQRSTUVWXYZ…[|") {
				continue
			}
			ran[line] = true
			if out, err := p.command(t.Context(), dir, call...).CombinedOutput(); err != nil {
				t.Errorf("%s: git tdd %s: %v\n%s", page, line, err, out)
			}
		}
	}
	if len(ran) < 10 {
		t.Errorf("only %d calls were run: %v", len(ran), ran)
	}
}
