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

// All returns every language that has a reader.
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
