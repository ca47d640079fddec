// Package man_test holds the documentation to the program: the man page to its
// help, and the tables in docs to its settings, gates and exit codes.
package man_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// What the documents and the help are searched for.
var (
	wordPattern     = regexp.MustCompile(`[\w-]+`)
	sectionPattern  = regexp.MustCompile(`\n\.S[SH] `)
	flagPattern     = regexp.MustCompile(`(?:^|[\s\[])(--[a-z-]+)`)
	commandPattern  = regexp.MustCompile("(?m)(?:^|`)(?:\\.SS )?\"?git tdd ([a-z]+(?:-[a-z]+)*)")
	themePattern    = regexp.MustCompile(`(?m)^(COMMANDS|MORE .*):$`)
	exitCodePattern = regexp.MustCompile(`(?:[:;]\s+)(\d+) `)
	gatePattern     = regexp.MustCompile(`(?m)^([a-z-]+) {2,}(\S.*)$`)
)

// hidden are commands that settings of other programs call, and no person.
func hidden() []string { return []string{"agent-hook", "help", "hook"} }

// program is a built git-tdd with a home of its own.
type program struct {
	path string
	home string
}

func build(t *testing.T) program {
	t.Helper()
	home := t.TempDir()
	p := program{path: filepath.Join(home, "git-tdd"), home: home}
	if runtime.GOOS == "windows" {
		p.path += ".exe"
	}
	gittest.Run(t, exec.CommandContext(t.Context(), "go", "build", "-o", p.path, "../cmd/git-tdd"))
	gittest.Write(t, filepath.Join(home, "gitconfig"), "[user]\n\tname = Ada Example\n\temail = ada@example.org\n")
	return p
}

// run returns what the program prints on standard output.
func (p program) run(t *testing.T, args ...string) string {
	t.Helper()
	return gittest.Run(t, p.command(t.Context(), p.home, args...))
}

// command is a call of the program in a folder.
func (p program) command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, p.path, args...)
	cmd.Dir, cmd.Env = dir, p.environ()
	return cmd
}

// environ is that of a person who has the program on PATH.
func (p program) environ() []string {
	return append(gittest.Environ(gittest.XDG(p.home)...), "GIT_CONFIG_GLOBAL="+filepath.Join(p.home, "gitconfig"),
		"PATH="+filepath.Dir(p.path)+string(filepath.ListSeparator)+os.Getenv("PATH"))
}

// page is the man page as a reader sees it: without requests, fonts and escapes.
func page(t *testing.T) string {
	t.Helper()
	return strings.NewReplacer(`\-`, "-", `\fB`, "", `\fI`, "", `\fR`, "", `"`, "").Replace(gittest.Read(t, "git-tdd.1"))
}

// section is the part of a help text below a heading, one entry a line.
func section(help, heading string) []string {
	_, rest, found := strings.Cut(help, "\n"+heading+":\n")
	if !found {
		return nil
	}
	var entries []string
	for line := range strings.Lines(rest) {
		if strings.TrimSpace(line) == "" {
			break
		}
		entries = append(entries, strings.TrimSpace(line))
	}
	return entries
}

// listed are the entries of all commands: the eight that most people need, then the rest
// by theme.
func listed(help string) (entries []string) {
	for _, heading := range themePattern.FindAllStringSubmatch(help, -1) {
		entries = append(entries, section(help, heading[1])...)
	}
	return entries
}

// names are the words before the two blanks that separate an entry from its
// explanation: names of commands, or flags with what they take.
func names(entry string) []string {
	head, _, _ := strings.Cut(entry, "  ")
	return strings.Split(head, ", ")
}

// mentions reports whether a text holds a word that is not part of a longer one.
func mentions(text, word string) bool {
	return slices.Contains(wordPattern.FindAllString(text, -1), word)
}

// part is the part of the man page about one command.
func part(text, command string) string {
	_, rest, _ := strings.Cut(text, "\n.SS git tdd "+command)
	if end := sectionPattern.FindStringIndex(rest); end != nil {
		return rest[:end[0]]
	}
	return rest
}

// TestDocumentation builds the program once and holds all documents to it.
func TestDocumentation(t *testing.T) {
	t.Parallel()
	p := build(t)
	for name, check := range map[string]func(*testing.T, program){
		"man page names every command and flag": manPageNamesEveryCommandAndFlag,
		"no command is invented":                noCommandIsInvented,
		"exit codes":                            exitCodesAreDocumented,
		"gates":                                 docsNameEveryGate,
		"settings":                              docsNameEverySettingWithItsDefault,
		"calls in pages":                        pagesCallWhatThereIs,
		"refusal in README":                     readmeShowsARealRefusal,
		"cheap calls in pages":                  cheapCommandsRun,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, p)
		})
	}
}

func manPageNamesEveryCommandAndFlag(t *testing.T, p program) {
	t.Helper()
	text := page(t)
	help := p.run(t, "help")
	for _, entry := range section(help, "GLOBAL OPTIONS") {
		for _, flag := range names(entry) {
			if flag, _, _ = strings.Cut(flag, " "); !mentions(text, flag) {
				t.Errorf("the page does not name the flag %s", flag)
			}
		}
	}
	commands := listed(help)
	if len(commands) < 10 {
		t.Fatalf("the help lists %d commands:\n%s", len(commands), help)
	}
	for _, entry := range commands {
		command := names(entry)
		about := part(text, command[0])
		if about == "" {
			t.Errorf("the page has no part about git tdd %s", command[0])
			continue
		}
		for _, alias := range command[1:] {
			if !mentions(about, alias) {
				t.Errorf("the part about %s does not name its alias %s", command[0], alias)
			}
		}
		if command[0] == "log" || command[0] == "help" {
			continue // every flag of log is git log's
		}
		helps := []string{p.run(t, "help", command[0])}
		usage := strings.Join(section(helps[0], "USAGE"), "")
		if choice := usage[strings.LastIndex(usage, " ")+1:]; strings.Contains(choice, "|") { // install|uninstall|status
			for sub := range strings.SplitSeq(choice, "|") {
				helps = append(helps, p.run(t, command[0], sub, "--help"))
			}
		}
		checkFlags(t, command[0], about, helps)
	}
}

// checkFlags holds the part about a command to its help and that of its own
// commands, both ways.
func checkFlags(t *testing.T, command, about string, helps []string) {
	t.Helper()
	known := []string{"--help", "-h"}
	var entries []string
	for _, help := range helps {
		entries = append(entries, section(help, "OPTIONS")...)
	}
	for _, entry := range entries {
		for _, flag := range names(entry) {
			flag, _, _ := strings.Cut(flag, " ")
			if !slices.Contains(known, flag) && !mentions(about, flag) {
				t.Errorf("the part about %s does not name %s", command, flag)
			}
			known = append(known, flag)
		}
	}
	for _, match := range flagPattern.FindAllStringSubmatch(about, -1) {
		if !slices.Contains(known, match[1]) {
			t.Errorf("the page gives %s the flag %s, which it does not have", command, match[1])
		}
	}
}

func noCommandIsInvented(t *testing.T, p program) {
	t.Helper()
	known := hidden()
	for _, entry := range listed(p.run(t, "help")) {
		known = append(known, names(entry)...)
	}
	pages, err := filepath.Glob("../docs/*.md")
	gittest.Check(t, err)
	for _, file := range append(pages, "git-tdd.1", "../README.md") {
		for _, match := range commandPattern.FindAllStringSubmatch(strings.ReplaceAll(gittest.Read(t, file), `\-`, "-"), -1) {
			if !slices.Contains(known, match[1]) {
				t.Errorf("%s speaks of git tdd %s, which there is not", file, match[1])
			}
		}
	}
}

func TestManPageRendersWithoutWarnings(t *testing.T) {
	t.Parallel()
	gittest.Need(t, "groff")
	cmd := exec.CommandContext(t.Context(), "groff", "-ww", "-man", "-Tutf8", "git-tdd.1")
	var warnings bytes.Buffer
	cmd.Stderr = &warnings
	text, err := cmd.Output()
	if err != nil || warnings.Len() > 0 {
		t.Fatalf("groff: %v\n%s", err, warnings.Bytes())
	}
	if len(text) < 1000 {
		t.Fatalf("the page is empty:\n%s", text)
	}
}

func exitCodesAreDocumented(t *testing.T, p program) {
	t.Helper()
	help := p.run(t, "help")
	manual, table := page(t), gittest.Read(t, "../docs/trailers.md")
	codes := exitCodePattern.FindAllStringSubmatch(help, -1)
	if len(codes) != 6 {
		t.Fatalf("the help names %d exit codes, not 6:\n%s", len(codes), help)
	}
	for _, match := range codes {
		if !strings.Contains(manual, "\n.TP\n.B "+match[1]+"\n") {
			t.Errorf("the page does not explain exit code %s", match[1])
		}
		if !strings.Contains(table, "\n| "+match[1]+" |") {
			t.Errorf("docs/trailers.md does not explain exit code %s", match[1])
		}
	}
}

func docsNameEveryGate(t *testing.T, p program) {
	t.Helper()
	table := gittest.Read(t, "../docs/gates.md")
	gates := gatePattern.FindAllStringSubmatch(p.run(t, "explain"), -1)
	if len(gates) < 9 {
		t.Fatalf("explain lists %d gates", len(gates))
	}
	for _, gate := range gates {
		if row := fmt.Sprintf("\n| `%s` | %s |", gate[1], gate[2]); !strings.Contains(table, row) {
			t.Errorf("docs/gates.md lacks the row%s", row)
		}
	}
}

func docsNameEverySettingWithItsDefault(t *testing.T, p program) {
	t.Helper()
	var file yaml.Node
	gittest.Check(t, yaml.Unmarshal([]byte(p.run(t, "explain", "settings")), &file))
	table := gittest.Read(t, "../docs/settings.md")
	settings := leaves("", file.Content[0])
	if rows := strings.Count(table, "\n| `"); rows > 50 {
		t.Errorf("%d settings: more than a person reads", rows)
	}
	if len(settings) < 40 {
		t.Fatalf("explain names %d settings", len(settings))
	}
	for _, s := range settings {
		checkSetting(t, table, s)
	}
}

// setting is one key of .tdd.yaml, and its default as it stands there.
type setting struct{ key, value string }

func checkSetting(t *testing.T, table string, s setting) {
	t.Helper()
	for name, value := range map[string]string{"roles": "NAME", "gates.size": "ROLE"} { // these have a row for all
		if _, rest, ok := strings.Cut(strings.TrimPrefix(s.key, name+"."), "."); ok && strings.HasPrefix(s.key, name+".") {
			s.key = name + "." + value + "." + rest
		}
	}
	if field, size := strings.CutPrefix(s.key, "gates.size.ROLE."); size { // written as one value
		s.key, s.value = "gates.size.ROLE", field+": "+s.value
	}
	_, row, found := strings.Cut(table, "\n| `"+s.key+"` | ")
	if !found {
		t.Errorf("docs/settings.md lacks %s", s.key)
		return
	}
	// The commands and the language are the project's own.
	if s.key == "language" || strings.HasSuffix(s.key, "_cmd") && strings.HasPrefix(s.key, "ci.") {
		return
	}
	row, _, _ = strings.Cut(row, "\n")
	if !strings.Contains(row, "`"+s.value+"`") && (s.key != "gates.size.ROLE" || !strings.Contains(row, s.value)) {
		t.Errorf("docs/settings.md does not give %s its default %s, but: %s", s.key, s.value, row)
	}
}

// leaves flattens a document into its settings; an empty table has none.
func leaves(path string, n *yaml.Node) []setting {
	switch n.Kind {
	case yaml.MappingNode:
		var out []setting
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := strings.TrimPrefix(path+"."+n.Content[i].Value, ".")
			out = append(out, leaves(key, n.Content[i+1])...)
		}
		return out
	case yaml.SequenceNode:
		var items []string
		for _, item := range n.Content {
			items = append(items, item.Value)
		}
		return []setting{{path, "[" + strings.Join(items, ", ") + "]"}}
	case yaml.ScalarNode:
		return []setting{{path, n.Value}}
	case yaml.DocumentNode, yaml.AliasNode:
	}
	return nil
}
