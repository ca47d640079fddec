package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/loop"
)

// remembered answers from the last status where nothing that it follows from
// has changed since: people put `git tdd status` into their prompt, and asking
// git would cost more than all the rest. What cannot be remembered is asked.
func (p *program) remembered(repo *gitx.Repo, ask func(*[]gitx.ID) (status, error)) (status, error) {
	memo, ok := p.statusMemo(repo)
	var s status
	if ok && memo.Recall(&s) {
		return s, nil
	}
	var trees []gitx.ID
	s, err := ask(&trees)
	if err == nil && ok && s.Branch != "" {
		// A status that cannot be kept is as good as one that is.
		_ = memo.Keep(s, witnesses(repo, s, trees))
	}
	return s, err
}

// statusMemo is the memo of this repository's status, for this program in this
// environment. Refs that are no files have no witnesses.
func (p *program) statusMemo(repo *gitx.Repo) (facts.Memo, bool) {
	dirs, err := facts.DefaultDirs(p.environ)
	if err != nil {
		return facts.Memo{}, false
	}
	if _, err := os.Lstat(filepath.Join(repo.CommonDir, "reftable")); err == nil {
		return facts.Memo{}, false
	}
	program, err := os.Executable()
	if err != nil {
		return facts.Memo{}, false
	}
	fi, err := os.Stat(program)
	if err != nil {
		return facts.Memo{}, false
	}
	key := []string{version, program, fi.ModTime().String(), repo.Top, repo.GitDir}
	for _, kv := range p.environ {
		if strings.HasPrefix(kv, "GIT_") || strings.HasPrefix(kv, "XDG_") || strings.HasPrefix(kv, "HOME=") {
			key = append(key, kv)
		}
	}
	text, err := json.Marshal(key)
	return facts.Memo{Dirs: dirs, File: filepath.Join(repo.StateDir(), "status"), Key: string(text)}, err == nil
}

// witnesses are the files that a status follows from: where HEAD and its branch
// point, what could hide them, an interrupted step, the records of facts and the
// newest refused attempt. All else is named by the commit.
func witnesses(repo *gitx.Repo, s status, trees []gitx.ID) []string {
	files := []string{
		filepath.Join(repo.GitDir, "HEAD"),
		filepath.Join(repo.CommonDir, "config"),
		filepath.Join(repo.CommonDir, "refs", "heads", filepath.FromSlash(s.Branch)),
		filepath.Join(repo.CommonDir, "packed-refs"),
		filepath.Join(repo.CommonDir, "shallow"),
		filepath.Join(repo.CommonDir, "refs", "tdd", "next"),
	}
	if s.Next != nil {
		files = append(files, filepath.Join(repo.CommonDir, filepath.FromSlash(loop.AttemptsOf(s.Next.Number, s.Next.Role)), "last"))
	}
	for _, tree := range trees {
		files = append(files, facts.RecordOf(repo, tree))
	}
	return files
}
