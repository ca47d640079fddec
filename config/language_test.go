package config_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

const tcl = `
language:
  name: tcl
  test: ["**/*.test"]
  support: [tests/data/**]
  source: ["**/*.tcl"]
  config: [pkgIndex.tcl]
  build_dirs: [out]
  tools: [tclsh --version]
  declares: ['^\s*test (\S+)']
  asserts: ['-result .*']
ci: {test_cmd: [tclsh, all.tcl], report: tap}
`

func TestDescribedLanguage(t *testing.T) {
	t.Parallel()
	s, err := config.Parse([]byte(tcl), nil, lang.All())
	gittest.Check(t, err)
	l, err := s.Resolve(lang.All(), nil)
	gittest.Check(t, err)
	for path, want := range map[string]gates.Kind{
		"tests/sum.test": gates.KindTest, "tests/data/a.tcl": gates.KindSupport, "src/sum.tcl": gates.KindSource,
		"pkgIndex.tcl": gates.KindConfig, "README.md": gates.KindOther, "a/testdata/x": gates.KindSupport, "what.ever": gates.KindOther,
	} {
		if got := l.Kind(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
	if got := l.Tools; !reflect.DeepEqual(got, [][]string{{"tclsh", "--version"}}) {
		t.Errorf("tools %q", got)
	}
	text := "test sum-1 {one} {\n  sum 1\n} -result   1\n test sum-2 {}\n"
	if got := l.Declared(text); !reflect.DeepEqual(got, []string{"sum-1", "sum-2"}) {
		t.Errorf("declared %q", got)
	}
	if got := l.Assertions(text); !reflect.DeepEqual(got, []string{"-result 1"}) {
		t.Errorf("expected %q", got)
	}
	again, err := config.Parse(config.Render(s), nil, lang.All())
	if err != nil || !reflect.DeepEqual(again, s) {
		t.Errorf("rendered and read again:\n%+v\n%v", again.Language, err)
	}
}

// TestMoreOfAKnownLanguage adds patterns before the known ones.
func TestMoreOfAKnownLanguage(t *testing.T) {
	t.Parallel()
	s, err := config.Parse([]byte("language: {name: python, test: [checks/**]}"), nil, lang.All())
	gittest.Check(t, err)
	l, err := s.Resolve(lang.All(), nil)
	gittest.Check(t, err)
	if l.Kind("checks/a.py") != gates.KindTest || l.Kind("a/test_a.py") != gates.KindTest || l.Kind("a.py") != gates.KindSource {
		t.Errorf("%s %s %s", l.Kind("checks/a.py"), l.Kind("a/test_a.py"), l.Kind("a.py"))
	}
	if len(s.Commands(l).Test) == 0 || l.Described == "" || len(l.Declared("def test_a(): pass\n")) != 1 {
		t.Error("what is known of the language is lost")
	}
}

// TestLanguageInTheEnvironment: the short form of a language stands for all of
// it.
func TestLanguageInTheEnvironment(t *testing.T) {
	t.Parallel()
	s, err := config.Parse([]byte(tcl), []string{"GIT_TDD_LANGUAGE=go"}, lang.All())
	if err != nil || !reflect.DeepEqual(s.Language, testrun.Description{Name: "go"}) {
		t.Errorf("%+v %v", s.Language, err)
	}
	s, err = config.Parse([]byte(tcl), []string{`GIT_TDD_LANGUAGE_TEST=["a/**", "b/**"]`}, lang.All())
	if err != nil || s.Language.Name != "tcl" || !reflect.DeepEqual(s.Language.Test, []string{"a/**", "b/**"}) {
		t.Errorf("%+v %v", s.Language, err)
	}
	_, err = config.Parse(nil, []string{"GIT_TDD_LANGUAGE=rst"}, lang.All())
	if wrong, ok := errors.AsType[*config.Error](err); !ok || !strings.Contains(wrong.Error(), "GIT_TDD_LANGUAGE: the text \"rst\"; write rust") {
		t.Errorf("%v", err)
	}
}
