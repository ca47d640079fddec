package config_test

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/lang"
)

// checkParsed checks that a file and an environment are either refused with
// reasons, or read as settings that survive being written and read again.
func checkParsed(t *testing.T, file []byte, environ []string) {
	t.Helper()
	s, err := config.Parse(file, environ, lang.All())
	if err != nil {
		var e *config.Error
		if !errors.As(err, &e) || len(e.Problems) == 0 || e.Error() == "" {
			t.Fatalf("%q: %v is no *Error with problems", file, err)
		}
		return
	}
	for _, written := range [][]byte{config.Render(s, "a comment"), config.Brief(s, "a comment")} {
		again, err := config.Parse(written, nil, lang.All())
		if err != nil {
			t.Fatalf("%v in\n%s", err, written)
		}
		if !reflect.DeepEqual(again, s) {
			t.Fatalf("got  %+v\nwant %+v\nfrom\n%s", again, s, written)
		}
	}
	s.InTheClear()
	for _, role := range s.Rotation {
		if s.Next(role) == "" || s.Plays(role) == "" {
			t.Fatalf("role %s leads nowhere", role)
		}
	}
}

func TestRenderKeepsEverything(t *testing.T) {
	t.Parallel()
	full := config.Default()
	full.Language.Name, full.Kata = "go", "docs/a b#c.md"
	full.Steps = 1_000_000
	full.Rotation = []gates.Role{gates.Tester, "code-critic"}
	full.Roles["code-critic"] = config.Role{Model: "on", Plays: gates.Refactorer}
	full.Roles[gates.Tester] = config.Role{Model: "1.5", Temperature: new(0.0)}
	full.LLM.APIKeyEnv = ""
	full.LLM.Providers["x.y"] = config.Provider{BaseURL: "https://x.example/v1"}
	full.CI.TestCmd = []string{"sh", "-c", "a: b # c\n\t'\"", "", "~", "5", "[", "é\u202e", "- x\n- y\n"}
	full.CI.CheckCmd = []string{}
	full.CI.Report = "out/**/*.xml"
	full.Commit.AuthorName = "null"
	full.Gates.Protected = []string{"*", "&a", "!x", "{a,b}/**"}
	full.Workbench.Env = []string{"A=b: c", "B="}
	for name, s := range map[string]config.Settings{"default": config.Default(), "full": full} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, written := range [][]byte{config.Render(s), config.Brief(s)} {
				if got := parse(t, string(written)); !reflect.DeepEqual(got, s) {
					t.Errorf("got  %+v\nwant %+v\nfrom\n%s", got, s, written)
				}
			}
		})
	}
}

func TestRenderGolden(t *testing.T) {
	t.Parallel()
	s := config.Default()
	s.Language.Name = "rust"
	s.CI.TestCmd = []string{"cargo", "test", "--all"}
	want, err := os.ReadFile("testdata/rendered.yaml")
	if err != nil {
		t.Fatal(err)
	}
	got := config.Render(s, "The settings of git tdd: see git tdd --help.", "Whatever is left out has its default.")
	if string(got) != string(want) {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	for line := range strings.Lines(string(got)) {
		if len(line) > 160 {
			t.Errorf("a long line: %s", line)
		}
	}
}

// What has its default is not written: often three lines are left.
func TestBrief(t *testing.T) {
	t.Parallel()
	s := config.Default()
	s.Language.Name, s.CI.TestCmd = "python", []string{"python3", "-m", "pytest"}
	if got, want := string(config.Brief(s)), "language: python\nci:\n  test_cmd: [python3, -m, pytest]\n"; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	s.Roles[gates.Tester] = config.Role{Model: "small", Temperature: s.Roles[gates.Tester].Temperature}
	s.CI.CheckCmd = []string{}
	if got, want := string(config.Brief(s, "x")), "# x\n\nlanguage: python\nroles:\n  tester: {model: small}\nci:\n  test_cmd: [python3, -m, pytest]\n  check_cmd: []\n"; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}
