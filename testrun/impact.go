package testrun

import (
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

// Uses says what each file of a project uses directly: what it imports, what helps it, what it
// reads. A name may also mean several files, such as a package. A name on neither side is not
// understood.
type Uses map[string][]string

// Anything is what is used where that cannot be told.
const Anything = "*"

// Add notes that a file, or several together, uses others.
func (u Uses) Add(user string, used ...string) { u[user] = append(u[user], used...) }

// Impact is what a change can have an effect on.
type Impact struct {
	Tests []string        // the files of tests among it, in order
	Gone  []string        // what the change took away
	Files map[string]bool // all files that are understood, and whether they use what changed
}

// Spares reports whether a file is understood and uses nothing of what changed.
func (i Impact) Spares(file string) bool {
	touched, known := i.Files[file]
	return known && !touched
}

// Below is the impact as paths in the tree that the folder of a project lies in.
func (i Impact) Below(f Folder) Impact {
	out := Impact{Tests: gates.Each(i.Tests, f.Path), Gone: gates.Each(i.Gone, f.Path), Files: map[string]bool{}}
	for file, touched := range i.Files {
		out.Files[f.Path(file)] = touched
	}
	return out
}

// Impact follows who uses what changed, before and after the change. It is not known if
// something of what changed is not understood or not used, or without Uses.
func (l Language) Impact(before, after Sources, changed []string) (i Impact, known bool) {
	if l.Uses == nil {
		return i, false
	}
	users := l.users(before, after)
	i.Files = make(map[string]bool, len(users))
	for name := range users {
		i.Files[name] = false
	}
	opaque := func(name string) bool {
		_, understood := i.Files[name]
		return !understood || len(users[name]) == 0 && !l.holdsTests(name)
	}
	if slices.ContainsFunc(changed, opaque) {
		return i, false
	}
	i.Gone = slices.DeleteFunc(slices.Clone(changed), func(name string) bool { return slices.Contains(after.Paths, name) })
	for queue := append([]string{Anything}, changed...); len(queue) > 0; queue = queue[1:] {
		if name := queue[0]; !i.Files[name] {
			i.Files[name] = true
			queue = append(queue, users[name]...)
		}
	}
	for _, name := range after.Paths {
		if i.Files[name] && l.declares(name, after.Read) {
			i.Tests = append(i.Tests, name)
		}
	}
	return i, true
}

// users lists who uses each file of two states of a project, in either of them.
func (l Language) users(states ...Sources) map[string][]string {
	out := map[string][]string{}
	for _, p := range states {
		for user, all := range l.Uses(p) {
			out[user] = slices.Clip(out[user]) // understood, even if nobody uses it
			for _, used := range all {
				out[used] = append(out[used], user)
			}
		}
	}
	return out
}

// declares reports whether a file is one of tests, and not only of what helps them.
func (l Language) declares(name string, read func(string) string) bool {
	reader := l.At(name)
	if !l.holdsTests(name) || reader.Syntax.Declared == nil {
		return l.holdsTests(name)
	}
	_, test := l.Split(name, []byte(read(name)))
	return len(reader.Declared(test)) > 0
}
