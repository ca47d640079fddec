package gitx

import (
	"context"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// TestLandKeepsLineEnds of the working copy, as the user's checkout has them.
func TestLandKeepsLineEnds(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	l.Git("config", "core.autocrlf", "true")
	l.Write("text", "one\ntwo\n")
	l.Write("gone", "g\n")
	l.commit("root")
	for _, name := range []string{"text", "gone"} {
		l.remove(name)
		l.Git("checkout", "--", name)
	}
	r := l.open()
	landing := l.step(r, put("text", "one\n2\n"), TreeEdit{Path: "gone", Delete: true}, put("new", "n\n"))
	gittest.Check(t, r.Land(ctx, landing))
	if got := l.Read("text"); got != "one\r\n2\r\n" {
		t.Errorf("%q", got)
	}
	l.landed(landing, "")
}

// TestLandNormalisesLineEnds: a text stored with CRLF becomes what the step
// turned it into.
func TestLandNormalisesLineEnds(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.Write("text", "one\r\ntwo\r\n")
	l.commit("root")
	r := l.open()
	landing := l.step(r, put("text", "one\ntwo\n"))
	gittest.Check(t, r.Land(context.Background(), landing))
	if got := l.Read("text"); got != "one\ntwo\n" {
		t.Errorf("%q", got)
	}
	l.landed(landing, "")
}

// TestLandMovesSubmodules only in the index, as git's own checkout does.
func TestLandMovesSubmodules(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := committed(t)
	sub := &lab{gittest.In(t, l.Path("sub"))}
	first := sub.commit("first")
	second := sub.commit("second")
	l.Git("update-index", "--add", "--cacheinfo", ModeSubmodule+","+string(second)+",sub")
	l.Git("commit", "--quiet", "-m", "sub")
	r := l.open()
	landing := l.step(r, TreeEdit{Path: "sub", Mode: ModeSubmodule, Blob: first})
	gittest.Check(t, r.Land(ctx, landing))
	if got := l.status(); got != " M sub" || l.rev("HEAD") != landing.New {
		t.Errorf("status %q", got)
	}
	l.refused(r, l.step(r, TreeEdit{Path: "sub", Mode: ModeFile, Content: []byte("file")}), map[string]State{"sub": Untracked})
}
