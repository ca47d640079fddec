// Package lang lists the languages that git-tdd knows. Each is a package of its own
// below this one, which knows no other language; docs/adding-a-language.md says how to add
// one. Only programs import lang: everybody else is handed the languages.
package lang

import (
	"github.com/git-tdd/git-tdd/lang/cpp"
	"github.com/git-tdd/git-tdd/lang/golang"
	"github.com/git-tdd/git-tdd/lang/java"
	"github.com/git-tdd/git-tdd/lang/javascript"
	"github.com/git-tdd/git-tdd/lang/php"
	"github.com/git-tdd/git-tdd/lang/python"
	"github.com/git-tdd/git-tdd/lang/ruby"
	"github.com/git-tdd/git-tdd/lang/rust"
	"github.com/git-tdd/git-tdd/lang/shell"
	"github.com/git-tdd/git-tdd/testrun"
)

// All returns every language that has a reader. Where two could claim the same
// project, the earlier one does.
func All() testrun.Languages {
	return testrun.Languages{
		rust.Language(),
		golang.Language(),
		python.Language(),
		javascript.TypeScript(),
		javascript.Language(),
		ruby.Language(),
		java.Language(),
		php.Language(),
		cpp.Language(),
		shell.Language(),
	}
}
