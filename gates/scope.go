package gates

import (
	"fmt"
	"slices"

	"github.com/bmatcuk/doublestar/v4"
)

func scopeGate() Gate {
	return Gate{
		Name: "scope", Who: "all in the loop", Still: true, Judges: inLoop,
		Doc: `Each role touches its own files. A tester: tests and test support only (with
"gates.stubs: allow" also additions to sources, if the new test then fails as
unimplemented). An implementor: no test, test support, snapshot or runner
configuration. A refactorer: sources, and tests as long as no assertion changes.
A source file that holds tests beside its code is split, and each role is held
to its part.

Why: whoever must pass a test must not be able to change it, and whoever writes
it must not be able to make it pass.

To satisfy it: leave the files named here as they were; a change to runner or
build configuration is a commit of its own outside the loop (build: or chore:).`,
		Run: func(c *Case) []Finding {
			var out []Finding
			for _, f := range c.Change.Files {
				if finding, bad := outOfScope(c, f); bad {
					finding.Path = f.Path()
					out = append(out, finding)
				}
			}
			if c.Plays == Refactorer {
				out = append(out, assertionChanges(c)...)
			}
			return out
		},
	}
}

// touches says which parts of a changed file differ.
func (f FileChange) touchesSource() bool {
	return kindOf(f.Old) == KindSource && kindOf(f.New) == "" || part(f.Old, sourcePart) != part(f.New, sourcePart) ||
		f.binaryOf(KindSource)
}

func (f FileChange) touchesTest() bool {
	return part(f.Old, testPart) != part(f.New, testPart) || f.binaryOf(KindTest) || f.binaryOf(KindSupport) ||
		isTesting(kindOf(f.Old)) || isTesting(kindOf(f.New))
}

// TouchesTest reports whether the change alters a test or test support.
func (f FileChange) TouchesTest() bool { return f.touchesTest() }

func isTesting(k Kind) bool { return k == KindTest || k == KindSupport }

// binaryOf reports whether either side is a binary file of that kind, whose
// parts cannot be compared as text.
func (f FileChange) binaryOf(k Kind) bool {
	return (f.Old != nil && f.Old.Binary && f.Old.Kind == k) || (f.New != nil && f.New.Binary && f.New.Kind == k)
}

func kindOf(f *File) Kind {
	if f == nil {
		return ""
	}
	return f.Kind
}

func sourcePart(f *File) string { return f.Source }
func testPart(f *File) string   { return f.Test }

func part(f *File, of func(*File) string) string {
	if f == nil {
		return ""
	}
	return of(f)
}

// outOfScope judges one file.
func outOfScope(c *Case, f FileChange) (Finding, bool) {
	kinds := []Kind{kindOf(f.Old), kindOf(f.New)}
	switch {
	case slices.Contains(kinds, KindConfig):
		return Finding{
			Seen:   fmt.Sprintf("a %s changes runner or build configuration", c.Plays),
			Remedy: "leave it as it was; configuration changes in a commit of its own (build: or chore:)",
		}, true
	case c.Plays == Tester:
		return testerScope(c, f)
	case c.Plays == Implementor && f.touchesTest():
		return Finding{
			Seen:   "the implementor changes a test or test support",
			Remedy: "leave every test as it is and change the sources until it passes",
		}, true
	}
	return Finding{}, false
}

func testerScope(c *Case, f FileChange) (Finding, bool) {
	if isTesting(kindOf(f.New)) || (f.New == nil && isTesting(kindOf(f.Old))) {
		return Finding{}, false
	}
	if f.Kind() == KindSource && !f.touchesSource() {
		return Finding{}, false
	}
	if c.Policy.Stubs == Allow && f.Kind() == KindSource && f.Source.Deleted == 0 {
		return Finding{}, false
	}
	return Finding{
		Seen:   fmt.Sprintf("the tester changes a %s file", f.Kind()),
		Remedy: "a tester writes tests and test support only; leave this file as it was",
	}, true
}

// stubbed reports whether a tester's change adds to the sources.
func stubbed(c *Case) bool {
	return slices.ContainsFunc(c.Change.Files, func(f FileChange) bool {
		return f.Kind() == KindSource && f.touchesSource()
	})
}

// assertionChanges compares the assertions of all tests before and after, as a
// multiset: they may move, but none may come, go or read differently.
func assertionChanges(c *Case) []Finding {
	balance := map[string]int{}
	where := map[string]string{}
	for _, f := range c.Change.Files {
		count := func(file *File, by int) {
			if file == nil {
				return
			}
			for _, a := range file.Assertions {
				balance[a] += by
				where[a] = file.Path
			}
		}
		count(f.Old, -1)
		count(f.New, +1)
	}
	var out []Finding
	for _, a := range sortedKeys(balance) {
		if n := balance[a]; n != 0 {
			out = append(out, Finding{
				Path:   where[a],
				Seen:   fmt.Sprintf("the refactoring %s the assertion %q", map[bool]string{true: "adds", false: "removes or changes"}[n > 0], firstLine(a)),
				Remedy: "keep every assertion as it reads; a refactoring changes how, never what is expected",
			})
		}
	}
	return out[:min(len(out), 6)]
}

func sortedKeys(m map[string]int) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func sizeGate() Gate {
	return Gate{
		Name: "size", Who: "all in the loop", Still: true, Judges: inLoop,
		Doc: `A step stays within its role's budget of files and lines (added plus deleted),
set by gates.size.

Why: small steps are what makes the cycle work, and a large one hides what it
does.

To satisfy it: do less in this step, or raise gates.size in a commit of its own.`,
		Run: func(c *Case) []Finding {
			budget, ok := c.Policy.Size[c.Plays]
			if !ok {
				return nil
			}
			lines := 0
			for _, f := range c.Change.Files {
				lines += f.Source.Total() + f.Test.Total()
			}
			var out []Finding
			over := func(what string, seen, most int) {
				if most > 0 && seen > most {
					out = append(out, Finding{
						Seen:   fmt.Sprintf("the change touches %d %s; the budget of a %s is %d", seen, what, c.Plays, most),
						Remedy: "do less in this step",
					})
				}
			}
			over("files", len(c.Change.Files), budget.Files)
			over("lines", lines, budget.Lines)
			return out
		},
	}
}

func protectedGate() Gate {
	return Gate{
		Name: "protected", Who: "all", Still: true, Judges: always,
		Doc: `An agent never touches .git, hooks, .tdd.yaml, the kata, CI files, or what
gates.protected lists, and adds no symbolic link or submodule. Nobody changes
.tdd.yaml in a step of the loop: the rules a commit is judged by are those of its
parent, and a change to them is a commit of its own.

Why: what steers the machine must not be steered by it.

To satisfy it: leave the path as it was; change policy in a chore: commit.`,
		Run: func(c *Case) []Finding {
			var out []Finding
			for _, f := range c.Change.Files {
				for _, side := range []*File{f.Old, f.New} {
					if why, bad := forbidden(c, side); bad {
						out = append(out, Finding{Path: side.Path, Seen: why, Remedy: "leave this path as it was"})
						break
					}
				}
			}
			return out
		},
	}
}

func forbidden(c *Case, f *File) (why string, bad bool) {
	switch {
	case f == nil:
		return "", false
	case inLoop(c) && (f.Path == ".tdd.yaml" || f.Path == "tdd.yaml"):
		return "a step of the loop changes the policy", true
	case !c.Agent:
		return "", false
	case f.Mode == "120000" || f.Mode == "160000":
		return "an agent may not add or change a symbolic link or a submodule", true
	case Protected(c.Protected, f.Path):
		return "this path is protected from agents", true
	}
	return "", false
}

// Protected reports whether a path is one that agents never touch: one of the
// patterns, or one that steers git, hooks or editors in any repository.
func Protected(patterns []string, path string) bool {
	for _, p := range append([]string{
		".tdd.yaml", "tdd.yaml", ".tdd/**", "**/.git/**", "**/.gitattributes", "**/.gitmodules",
		".githooks/**", ".husky/**", "lefthook.y*ml", ".lefthook.y*ml", ".pre-commit-config.yaml",
		".vscode/**", ".idea/**", ".envrc",
	}, patterns...) {
		if ok, err := doublestar.Match(p, path); ok && err == nil {
			return true
		}
	}
	return false
}
