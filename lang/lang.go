// Package lang knows every language.
package lang

import "github.com/git-tdd/git-tdd/testrun"

// All returns them.
func All() testrun.Languages { return testrun.All() }
