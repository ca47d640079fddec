package hooks

import (
	"context"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// surveyed is a repository as some version of git shows it. What that git does is shown
// by stories, if it is installed.
func surveyed(t *testing.T, i Installer, git string) Installer {
	t.Helper()
	s, err := i.survey(context.Background())
	gittest.Check(t, err)
	s.git = git
	return s
}

// TestConfigure: the configuration names a shim that runs, a hook in the folder
// is left as it is and one of ours is replaced; unconfiguring restores every
// byte.
func TestConfigure(t *testing.T) {
	t.Parallel()
	i, dir := lab(t)
	const theirs = "#!/bin/sh\nexit 0 # theirs\n"
	put(t, filepath.Join(dir, "pre-push"), theirs, 0o755)
	config := filepath.Join(i.Repo.GitDir, "config")
	before := gittest.Read(t, config)
	put(t, filepath.Join(dir, "commit-msg"), i.shim("commit-msg", dir), 0o755)
	for n := range 2 {
		s := surveyed(t, i, "2.54.0")
		for _, name := range (Installer{}).names() {
			h := Hook{Name: name, Path: filepath.Join(dir, name)}
			gittest.Check(t, s.configure(t.Context(), &h))
			changed := h.Changed
			if err := s.look(t.Context(), &h); err != nil || h.State != Configured || changed != (n == 0) || h.Remedy != "" {
				t.Errorf("time %d: %+v %v", n, h, err)
			}
		}
	}
	if exists(filepath.Join(dir, "commit-msg")) {
		t.Error("the shim in the folder is still there")
	}
	s := surveyed(t, i, "2.54.0")
	cmd := exec.Command("sh", "-c", s.command("commit-msg")+` "$@"`, "hook", "message") // as git runs it
	cmd.Dir = i.Repo.Top
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("where nothing is guarded: %v\n%s", err, out)
	}
	for _, name := range (Installer{}).names() {
		gittest.Check(t, s.unconfigure(t.Context(), &Hook{Name: name}))
	}
	if after := gittest.Read(t, config); after != before {
		t.Errorf("%s\nwant\n%s", after, before)
	}
	if got := gittest.Read(t, filepath.Join(dir, "pre-push")); got != theirs {
		t.Errorf("%q", got)
	}
	if exists(filepath.Dir(s.script("commit-msg"))) {
		t.Error("the folder of the shims is still there")
	}
}

// TestLookAtConfig: if git does not do what the configuration says, that is
// reported.
func TestLookAtConfig(t *testing.T) {
	t.Parallel()
	i, dir := lab(t)
	h := Hook{Name: "commit-msg", Path: filepath.Join(dir, "commit-msg")}
	gittest.Check(t, surveyed(t, i, "2.54.0").configure(t.Context(), &h))
	for name, tc := range map[string]struct {
		git    string
		change func(*Installer)
		want   State
		remedy string
	}{
		"as installed":   {"2.54.0", func(*Installer) {}, Configured, ""},
		"a later git":    {"3.0.1", func(*Installer) {}, Configured, ""},
		"an older git":   {"2.53.9", func(*Installer) {}, Idle, "git tdd hooks install"},
		"switched off":   {"2.54.0", func(s *Installer) { s.named[key("commit-msg", "enabled")] = "off" }, Idle, "git config --unset"},
		"switched on":    {"2.54.0", func(s *Installer) { s.named[key("commit-msg", "enabled")] = "true" }, Configured, ""},
		"moved":          {"2.54.0", func(s *Installer) { s.named[key("commit-msg", "command")] = "/elsewhere" }, Idle, "has moved"},
		"of no event":    {"2.54.0", func(s *Installer) { s.named[key("commit-msg", "event")] = "" }, Absent, ""},
		"not configured": {"2.54.0", func(s *Installer) { delete(s.named, key("commit-msg", "command")) }, Absent, ""},
	} {
		s := surveyed(t, i, tc.git)
		tc.change(&s)
		if state, remedy := s.lookAtConfig("commit-msg"); state != tc.want || !strings.Contains(remedy, tc.remedy) {
			t.Errorf("%s: %s, %q", name, state, remedy)
		}
	}
}

// TestCommandOfAnOddPlace: a path that a shell would misread is quoted.
func TestCommandOfAnOddPlace(t *testing.T) {
	t.Parallel()
	i, _ := lab(t)
	s := surveyed(t, i, "2.54.0")
	s.Repo.CommonDir = "/tmp/it's here"
	if got := s.command("pre-push"); got != `'/tmp/it'\''s here/git-tdd-hooks/pre-push'` {
		t.Error(got)
	}
	s.Repo.CommonDir = "/tmp/plain-2_3/a.git"
	if got := s.command("pre-push"); got != "/tmp/plain-2_3/a.git/git-tdd-hooks/pre-push" {
		t.Error(got)
	}
}
