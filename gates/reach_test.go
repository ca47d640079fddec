package gates_test

import (
	"slices"
	"testing"

	"github.com/git-tdd/git-tdd/gates"
)

// TestReach holds what is said before a change to what the scope gate says of it.
func TestReach(t *testing.T) {
	t.Parallel()
	for _, stubs := range []gates.Permission{gates.Refuse, gates.Allow} {
		for _, inline := range []bool{false, true} {
			for _, role := range []gates.Role{gates.Tester, gates.Implementor, gates.Refactorer} {
				for kind, path := range pathOfKind() {
					policy := gates.DefaultPolicy()
					policy.Stubs = stubs
					reach := policy.Reach(role, kind, inline)
					for _, part := range partsOf(kind, inline) {
						want := slices.Contains(reaches()[reach], part)
						if got := inScope(policy, role, editOf(kind, path, part)); got != want {
							t.Errorf("stubs %s, inline %v: %s, %s, %s: reach %s, but the gate accepts: %v", stubs, inline, role, kind, part, reach, got)
						}
					}
				}
			}
		}
	}
}

// pathOfKind has a path for each kind of file.
func pathOfKind() map[gates.Kind]string {
	return map[gates.Kind]string{
		gates.KindTest: "tests/a.rs", gates.KindSupport: "tests/support/a.rs",
		gates.KindSource: "src/a.rs", gates.KindConfig: "Cargo.toml", gates.KindOther: "README.md",
	}
}

// reaches lists what each reach promises.
func reaches() map[gates.Reach][]string {
	return map[gates.Reach][]string{
		gates.ReachAll:       {"sources", "tests", "additions", "data"},
		gates.ReachTests:     {"tests"},
		gates.ReachSources:   {"sources", "additions"},
		gates.ReachAdditions: {"tests", "additions"},
		gates.ReachHelpers:   {"tests"},
		gates.ReachNone:      {},
	}
}

// partsOf lists what of a file of a kind can change.
func partsOf(kind gates.Kind, inline bool) []string {
	switch {
	case kind == gates.KindTest:
		return []string{"tests"}
	case kind == gates.KindSupport:
		return []string{"tests", "data"}
	case kind == gates.KindSource && inline:
		return []string{"sources", "additions", "tests"}
	}
	return []string{"sources", "additions"}
}

// editOf changes one part of a file.
func editOf(kind gates.Kind, path, part string) gates.FileChange {
	was, now := &gates.File{Path: path, Mode: "100644", Kind: kind}, &gates.File{Path: path, Mode: "100644", Kind: kind}
	c := gates.FileChange{Old: was, New: now}
	switch part {
	case "data":
		was.Path, now.Path = "tests/fixtures/a.json", "tests/fixtures/a.json"
		fallthrough
	case "tests":
		was.Test, now.Test, c.Test = "1\n", "2\n", gates.Lines{Added: 1, Deleted: 1}
	case "additions":
		was.Source, now.Source, c.Source = "1\n", "1\n2\n", gates.Lines{Added: 1}
	case "sources":
		was.Source, now.Source, c.Source = "1\n", "2\n", gates.Lines{Added: 1, Deleted: 1}
	}
	return c
}

func inScope(policy gates.Policy, role gates.Role, c gates.FileChange) bool {
	v := gates.JudgeStatic(&gates.Premise{Role: role, Plays: role, Policy: policy, Change: gates.Change{Files: []gates.FileChange{c}}})
	return !slices.ContainsFunc(v.Findings, func(f gates.Finding) bool { return f.Gate == "scope" })
}
