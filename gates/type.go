package gates

import "slices"

// TypesOf lists the conventional types of a role's commits, the usual one first.
func TypesOf(plays Role) []string {
	switch plays {
	case Tester:
		return []string{"test"}
	case Implementor:
		return []string{"feat", "fix"}
	case Refactorer:
		return []string{"refactor", "perf"}
	case Keeper: // its rules say so
	}
	return nil
}

// RoleOf is the role to which a conventional type belongs; empty for a type
// outside the loop.
func RoleOf(conventional string) Role {
	for _, r := range []Role{Tester, Implementor, Refactorer} {
		if slices.Contains(TypesOf(r), conventional) {
			return r
		}
	}
	return ""
}
