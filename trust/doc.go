// Package trust remembers which repositories may run their commands on this
// machine.
//
// A repository's .tdd.yaml names commands to run, endpoints to call and the
// variables that hold the keys to send there. Whoever clones a repository has
// not agreed to any of that, and git's own safe.directory does not help: it
// asks who owns the files, and a clone is owned by whoever made it. So nothing
// is run and no key is sent before the person at this machine approves, and an
// approval falls as soon as anything it covers changes.
//
// The words:
//
//   - A [Subject] is all that one approval covers: where the repository lies,
//     its commands, its endpoints, the variables of its keys.
//   - Its [Subject.Digest] is a hash over all of it. Two subjects that differ
//     anywhere have different digests.
//   - A [Store] is a directory outside the repository with one small text file
//     an approval, named by the digest. What is in the file is for people to
//     read (`git tdd trust --list`); it counts only if it hashes to its name.
//
// A copy of a repository lies elsewhere and is another subject. The same
// repository reached through a symbolic link is the same subject.
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
// An approval is not a promise of safety. It says that somebody looked at the
// commands, and says nothing of the code that they run: that code still runs
// contained.
package trust
