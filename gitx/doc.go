// Package gitx is the repository: trees, commits, changes, refs, and the only
// way in which a step lands in it.
//
// All of it is done by the git binary. Libraries that read repositories
// themselves misread or refuse many real ones (sparse checkouts, SHA-256,
// reftable) and do not know GIT_INDEX_FILE; see ARCHITECTURE.md.
//
// A repository may be hostile: its configuration can name programs that git runs for status,
// add, diff and even fsck. So it uses only plumbing that runs nothing foreign (cat-file,
// diff-tree, hash-object --no-filters, read-tree, update-index --index-info, write-tree,
// commit-tree, update-ref), with hooks, fsmonitor and every transport switched off, and files
// are compared by hashing them here. Even update-index runs filters when it writes an index
// beside its files, so the user's index is edited in a copy without files.
//
// # Words
//
//   - ID: the name of an object, SHA-1 or SHA-256.
//   - Position: this package does not know where a history stands; Walk visits
//     the first-parent commits and the caller reads their trailers.
//   - Landing: moving a branch to a finished commit and the user's files with
//     it. refs/tdd/next is its redo record: before it exists, an interrupted
//     step leaves nothing behind; once it exists, Recover rolls forward, file
//     by file, and stops at what the user has changed since.
//
// # Example
//
//	repo, err := gitx.Open(ctx, gitx.Options{Dir: "."})
//	if err != nil { … }
//	defer repo.Close()
//	head, err := repo.Head(ctx)
//	tree, err := repo.WriteTree(ctx, head.Tree, []gitx.TreeEdit{{Path: "a.txt", Content: text}})
package gitx
