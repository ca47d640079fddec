// Package adopt finds how a project that has no settings is tested: its language and
// commands, or those of each folder if a repository holds several projects. A [Search]
// reads the files of a tree and runs nothing; `git tdd evidence`, `facts` and `trust` use
// what it finds as it is. A [Setup] is `git tdd init`: it tries what was found, leaves out
// what does not work here, and commits the rest.
//
// # Words
//
//   - Project: a folder with tests of its own, and how they are run.
//   - Alone: the whole tree as one project.
//   - Baseline: what the tests show before anything is written.
//
// # Example
//
//	s := adopt.Search{Sources: sources, Languages: lang.All()}
//	settings, err := s.Settings(nil)
//
//	place, err := adopt.Open(ctx, gitx.Options{Dir: dir, Environ: environ})
//	done, err := (&adopt.Setup{Place: place, Checker: checker, …}).Adopt(ctx)
package adopt
