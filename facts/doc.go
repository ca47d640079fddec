// Package facts finds the facts of a tree: it measures each tree at most once
// and keeps the result on disk.
//
// A tree is measured in a workbench: a persistent directory of git-tdd's own, under the user's
// cache directory, without git metadata, into which the tree is exported. Only files that
// differ are written, so incremental builds stay warm; the user's working tree, index and stash
// are never read or changed. Build output stays in the workbench and is not shared with any
// other checkout, because sharing it gives false greens.
//
// # Words
//
//   - Workbench: the directory itself. Several processes never use one at the same time.
//   - Manifest: what the export wrote, folder by folder, with each file's size, times
//     and inode, so that a file that was changed behind our back is written again.
//     If the clock is too coarse to tell, the content is compared.
//   - Entry: the facts of one tree under one key, authenticated with a secret
//     of this user, so that a copied, forged or damaged entry is a miss.
//   - Key: a labelled hash over the tree, the commands, the toolchain's
//     version, what installers recorded about dependencies outside the tree,
//     the declared environment and git-tdd's own format version.
//   - Fingerprint: a hash over everything that determines the toolchain's
//     version, found without running anything. The version is kept on disk
//     under it.
//   - Flaky: a tree whose runs disagree. Its facts stay those of the first run, so
//     that repeating never turns a failure into a success, but for tests that nobody
//     has touched (Settle).
//
// # Example
//
//	m := facts.New(facts.Options{Repo: repo, Dirs: dirs, Language: lang, Commands: commands})
//	defer m.Close()
//	e, err := m.Entry(ctx, tree)
//	fmt.Println(e.Result.Facts.Outcome)
package facts
