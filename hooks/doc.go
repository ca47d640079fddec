// Package hooks holds the commits that people make to the rules that the loop
// keeps: it installs the git hooks, and answers when git calls them.
//
// # Words
//
//   - Shim: the few lines of sh that git calls as a hook. It runs the hook that
//     was there before, does nothing if the repository has no .tdd.yaml, and
//     otherwise calls the binary. If the binary is gone it refuses. Git finds
//     it in the folder of hooks or, from 2.54 on, through its configuration,
//     which leaves the folder to others.
//   - Former: the hook that was there before, kept beside the shim as
//     NAME.before-git-tdd. It runs first, and uninstalling restores it.
//   - Guard: what the binary does when a shim calls it.
//   - Sequence: a rebase, cherry-pick or revert in progress. Git calls hooks
//     for some of its commits and not for others, so only the form of the
//     message is checked; git tdd verify judges the result.
//   - Update: a ref that a push wants to move.
//
// pre-commit measures the tree that is being committed before the editor opens; commit-msg judges
// it, because only there both the role and the tree are known, and writes the trailers. The only
// file that is ever written is the message.
//
// # Example
//
//	done, err := hooks.Installer{Repo: repo, Binary: "/usr/local/bin/git-tdd"}.Install(ctx)
//
//	g := hooks.Guard{Repo: repo, Checker: checker, Environ: os.Environ()}
//	answer, err := g.CommitMsg(ctx, ".git/COMMIT_EDITMSG")
//	fmt.Println(answer.Accepted)
package hooks
