package adopt_test

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/adopt"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/testrun"
)

func search(files map[string]string) adopt.Search {
	src := testrun.Sources{Paths: slices.Sorted(maps.Keys(files)), Read: func(path string) string { return files[path] }}
	return adopt.Search{Sources: src, Languages: lang.All()}
}

func TestSettings_alone(t *testing.T) {
	t.Parallel()
	absent := func(names ...string) func(string, string) bool {
		return func(program, _ string) bool { return !slices.Contains(names, program) }
	}
	for name, tc := range map[string]struct {
		files map[string]string
		here  func(string, string) bool
		want  string
	}{
		"a Makefile":               {map[string]string{"Makefile": "test: all\n", "a.pas": ""}, nil, "generic: make test"},
		"a script":                 {map[string]string{"package.json": `{"scripts":{"test":"eslint . && mocha"},"devDependencies":{"mocha":"1"}}`, "test/a.js": ""}, nil, "javascript: npx --no-install mocha"},
		"no script, but a runner":  {map[string]string{"package.json": `{"devDependencies":{"vitest":"1"}}`, "a.test.js": ""}, nil, "javascript: npx --no-install vitest run"},
		"rspec without Bundler":    {map[string]string{"Gemfile": "", ".rspec": "", "spec/a_spec.rb": ""}, absent("bundle"), "ruby: rspec"},
		"what is usual is written": {map[string]string{"go.mod": "", "a_test.go": ""}, nil, "go: go test ./..."},
	} {
		s := search(tc.files)
		s.Here = tc.here
		got, err := s.Settings(nil)
		if text := got.Language.Name + ": " + strings.Join(got.CI.TestCmd, " "); err != nil || text != tc.want {
			t.Errorf("%s: %s, %v; want %s", name, text, err, tc.want)
		}
	}
	if _, err := search(map[string]string{"README": ""}).Settings(nil); !errors.Is(err, config.ErrNoLanguage) {
		t.Errorf("nothing to go by: %v", err)
	}
}

func TestAlone_others(t *testing.T) {
	t.Parallel()
	for want, files := range map[string]map[string]string{
		"":           {"package.json": "{}", "tsconfig.json": "{}", "src/a.test.ts": ""},
		"javascript": {"package.json": "{}", "go.mod": "", "a_test.go": ""},
	} {
		got, err := search(files).Alone()
		var names []string
		for _, l := range got.Others {
			names = append(names, l.Name)
		}
		if text := strings.Join(names, " "); err != nil || text != want {
			t.Errorf("beside %s: %q, %v; want %q", got.Language.Name, text, err, want)
		}
	}
}

func TestSettings_several(t *testing.T) {
	t.Parallel()
	got, err := search(map[string]string{
		"api/go.mod": "", "api/a_test.go": "", "web/package.json": `{"devDependencies":{"jest":"1"}}`, "web/a.test.js": "", "docs/package.json": "{}",
	}).Settings(nil)
	if err != nil || len(got.Projects) != 2 || got.Projects["api"].Language != "go" || !slices.Equal(got.Projects["web"].TestCmd, []string{"npx", "--no-install", "jest"}) {
		t.Errorf("%+v, %v", got.Projects, err)
	}
	if text := config.Render(got); len(text) == 0 {
		t.Error("no text")
	} else if again, err := config.Parse(text, nil, lang.All()); err != nil || len(again.Projects) != 2 {
		t.Errorf("read again: %+v, %v", again.Projects, err)
	}
}
