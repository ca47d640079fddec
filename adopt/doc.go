// Package adopt finds how a project that has no settings is tested: its language and
// commands, or those of each folder where a repository holds several projects. It reads
// the files of a tree and runs nothing.
//
// `git tdd init` tries what is found here and writes it down; `git tdd evidence`, `facts`
// and `trust` use it as it is.
//
// # Words
//
//   - Project: a folder with tests of its own, and how they are run.
//   - Alone: the whole tree as one project.
//
// # Example
//
//	s := adopt.Search{Sources: sources, Languages: lang.All()}
//	settings, err := s.Settings(nil)
package adopt
