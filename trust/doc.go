// Package trust remembers which repositories may run their commands on this machine.
//
// A repository's .tdd.yaml names commands to run, endpoints to call and the variables with the keys
// to send there. By cloning a repository a person has not agreed to any of that, and git's own
// safe.directory does not help: it checks who owns the files, and people own the clones that they
// make. So nothing is run and no key is sent before the person at this machine approves, and an
// approval ends as soon as anything it covers changes.
//
// The words:
//
//   - A [Subject] is everything that one approval covers: the repository's
//     path, its commands, its endpoints, and the variables with its keys.
//   - A [Store] is a directory outside the repository with one small text file
//     for each approval, a record: all of the subject, for people to read.
//     Two subjects that differ anywhere have different records. It counts only if
//     its text hashes to its name.
//
// A copy of a repository is in another place and so is another subject. The
// same repository reached through a symbolic link is the same subject.
//
//	dir, err := trust.DefaultDir(os.Environ())
//	store := trust.Store{Dir: dir}
//	subject := trust.Subject{
//		Repository: "/home/ada/bowling",
//		Commands:   [][]string{{"fmt", "cargo", "fmt"}, {"test", "cargo", "test"}},
//	}
//	ok, err := store.Approved(subject) // false: ask first
//	err = store.Approve(subject)
//
// An approval is not a promise of safety. It says that somebody looked at the commands, and nothing
// about the code that they run: that code still runs contained.
package trust
