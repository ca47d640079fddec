package gitx

import (
	"context"
	"testing"
)

// TestLandKeepsLineEnds of the working copy, as the user's checkout has them.
func TestLandKeepsLineEnds(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := newLab(t)
	l.git(t, "config", "core.autocrlf", "true")
	l.write(t, "text", "one\ntwo\n")
	l.write(t, "gone", "g\n")
	l.commit(t, "root")
	for _, name := range []string{"text", "gone"} {
		remove1(t, l.path(name))
		l.git(t, "checkout", "--", name)
	}
	r := l.open(t)
	landing := l.step(t, r, put("text", "one\n2\n"), TreeEdit{Path: "gone", Delete: true}, put("new", "n\n"))
	if err := r.Land(ctx, landing); err != nil {
		t.Fatal(err)
	}
	if got := l.read(t, "text"); got != "one\r\n2\r\n" {
		t.Errorf("%q", got)
	}
	l.landed(t, landing, "")
}

// TestLandNormalisesLineEnds: a text stored with CRLF becomes what the step
// turned it into.
func TestLandNormalisesLineEnds(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.write(t, "text", "one\r\ntwo\r\n")
	l.commit(t, "root")
	r := l.open(t)
	landing := l.step(t, r, put("text", "one\ntwo\n"))
	if err := r.Land(context.Background(), landing); err != nil {
		t.Fatal(err)
	}
	if got := l.read(t, "text"); got != "one\ntwo\n" {
		t.Errorf("%q", got)
	}
	l.landed(t, landing, "")
}

// TestLandMovesSubmodules only in the index, as git's own checkout does.
func TestLandMovesSubmodules(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l := committed(t)
	sub := newLabIn(t, l.path("sub"))
	first := sub.commit(t, "first")
	second := sub.commit(t, "second")
	l.git(t, "update-index", "--add", "--cacheinfo", ModeSubmodule+","+string(second)+",sub")
	l.git(t, "commit", "--quiet", "-m", "sub")
	r := l.open(t)
	landing := l.step(t, r, TreeEdit{Path: "sub", Mode: ModeSubmodule, Blob: first})
	if err := r.Land(ctx, landing); err != nil {
		t.Fatal(err)
	}
	if got := l.status(t); got != " M sub" || l.rev(t, "HEAD") != landing.New {
		t.Errorf("status %q", got)
	}
	refused(t, r, l.step(t, r, TreeEdit{Path: "sub", Mode: ModeFile, Content: []byte("file")}), map[string]State{"sub": Untracked})
}
