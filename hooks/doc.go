// Package hooks knows the git hooks of a repository: where they are, which of
// them there are, and whether git can run them.
//
// Git looks for hooks in the directory that core.hooksPath names, or in hooks/
// below the git directory that all working trees share. A hook that is not
// executable is skipped with no more than a hint, so it guards nothing.
//
// # Example
//
//	found, err := hooks.Find(ctx, repo)
//	fmt.Println(hooks.Describe(found))
package hooks
