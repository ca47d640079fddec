package gitx

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// hostile is a repository whose configuration, attributes and hooks name a
// program of their own wherever git allows it.
func hostile(t *testing.T) (l *lab, canaries string) {
	t.Helper()
	l = landLab(t)
	l.Write(".gitattributes", "* filter=evil diff=evil merge=evil\n")
	l.Git("add", ".gitattributes")
	l.Git("commit", "--quiet", "-m", "attributes", "--only", ".gitattributes")
	canaries = t.TempDir()
	hooks := t.TempDir()
	program := filepath.Join(hooks, "evil")
	script := fmt.Sprintf("#!/bin/sh\necho \"$0 $*\" >%s/$$-$(basename \"$0\")\ncat\n", canaries)
	gittest.Files{"evil*": script}.Write(t, hooks)
	for _, hook := range []string{"reference-transaction", "post-index-change", "pre-commit", "post-commit", "post-checkout", "pre-auto-gc", "post-rewrite", "commit-msg"} {
		gittest.Check(t, os.Symlink(program, filepath.Join(hooks, hook)))
		l.symlink(program, ".git/hooks/"+hook)
	}
	for key, value := range map[string]string{
		"core.fsmonitor": program, "core.hooksPath": hooks, "core.sshCommand": program, "core.pager": program, "core.editor": program,
		"core.askPass": program, "core.gitProxy": program, "core.alternateRefsCommand": program, "pager.log": program, "pager.config": program,
		"pager.diff-tree": program, "filter.evil.clean": program, "filter.evil.smudge": program, "filter.evil.process": program,
		"filter.evil.required": "true", "diff.external": program, "diff.evil.command": program, "diff.evil.textconv": program,
		"merge.evil.driver": program, "credential.helper": program, "alias.log": "!" + program, "alias.cat-file": "!" + program,
		"alias.update-index": "!" + program, "gpg.program": program, "gpg.ssh.program": program, "log.showSignature": "true",
		"gc.auto": "1", "maintenance.auto": "true", "protocol.ext.allow": "always", "submodule.recurse": "true", "interactive.diffFilter": program,
		"trailer.evil.command": program, "trailer.evil.cmd": program, "trailer.evil.key": "Tdd-Step", "init.templateDir": hooks,
		"hook.evil.event": "reference-transaction", "hook.evil.command": program,
		"extensions.partialClone": "origin", "remote.origin.promisor": "true", "remote.origin.url": "ext::" + program,
	} {
		l.Git("config", key, value)
	}
	return l, canaries
}

func sung(t *testing.T, canaries string) []string {
	t.Helper()
	return slices.Collect(maps.Values(gittest.Snapshot(t, canaries)))
}

// TestHostileRepositoryRunsNothing does everything that the package can do.
func TestHostileRepositoryRunsNothing(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	l, canaries := hostile(t)
	signed := strings.Replace(l.Git("cat-file", "commit", "HEAD"), "\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n", 1)
	r := l.open()
	do := func(what string, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", what, err)
		}
		for _, said := range sung(t, canaries) {
			t.Fatalf("%s has run %s", what, said)
		}
	}
	id, err := r.run(ctx, call{args: []string{"hash-object", "-t", "commit", "-w", "--stdin"}, stdin: []byte(signed)})
	do("hash-object", err)
	do("UpdateRef", r.UpdateRef(ctx, RefUpdate{Name: "refs/heads/signed", New: ID(strings.TrimSpace(string(id))), Log: "x"}))
	_, err = r.Nearest(ctx, "refs/heads/signed", "attributes")
	do("Nearest", err)
	head, err := r.Head(ctx)
	do("Head", err)
	entries, err := r.Entries(ctx, head.Tree)
	do("Entries", err)
	_, err = r.Dirty(ctx, entries)
	do("Dirty", err)
	_, _, err = r.Text(ctx, head.Tree, "changed")
	do("Text", err)
	_, _, err = r.Text(ctx, head.Tree, "not there")
	do("Text of nothing", err)
	do("Walk", r.Walk(ctx, "HEAD", func(Commit) bool { return true }))
	_, err = r.Ref(ctx, "refs/heads/main")
	do("Ref", err)
	_, err = r.Refs(ctx, "refs")
	do("Refs", err)
	_, err = r.Config(ctx, nil, "core.editor")
	do("Config", err)
	do("SetConfig", r.SetConfig(ctx, "pretty.tdd", "x"))
	_, err = r.Version(ctx)
	do("Version", err)
	lock, err := r.Lock(ctx, "me")
	do("Lock", err)
	landing := l.step(r, everything(l)...)
	do("WriteTree, CommitTree", nil)
	after, err := r.Commit(ctx, string(landing.New))
	do("Commit", err)
	_, err = r.DiffMoved(ctx, head.Tree, after.Tree)
	do("Diff", err)
	text, err := r.DiffText(ctx, head.Tree, after.Tree)
	do("DiffText", err)
	if !strings.Contains(text, "+new") {
		t.Errorf("the diff as text: %s", text)
	}
	do("Land", r.Land(ctx, landing))
	back := Landing{Branch: landing.Branch, Old: landing.New, New: landing.Old, Log: "undo"}
	interrupt(t, r, back)
	_, err = r.Interrupted(ctx)
	do("Interrupted", err)
	_, err = r.Recover(ctx)
	do("Recover", err)
	// Missing objects are not fetched.
	missing := ID(strings.Repeat("1", 40))
	if _, err := r.Object(ctx, string(missing)); err == nil {
		t.Error("an object came out of nowhere")
	}
	if _, err := r.Entries(ctx, missing); err == nil {
		t.Error("a tree came out of nowhere")
	}
	if _, err := r.DiffText(ctx, missing, head.Tree); err == nil {
		t.Error("a tree came out of nowhere")
	}
	do("reading what is missing", nil)
	do("Close", lock.Close())
	do("Close", r.Close())
	nested, err := Init(ctx, Options{Dir: l.Path("nested"), Environ: l.Env})
	do("Init", err)
	do("Close", nested.Close())
	if status, _ := l.Try("status"); len(sung(t, canaries)) == 0 {
		t.Errorf("git's own status runs nothing either: the canaries are dead\n%s", status)
	}
	l.Git("config", "--unset", "core.fsmonitor")
	l.mineUntouched()
}
