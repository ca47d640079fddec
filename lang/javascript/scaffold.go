package javascript

import (
	"embed"

	"github.com/git-tdd/git-tdd/testrun/scaffold"
)

//go:embed all:scaffold
var scaffolds embed.FS

// template is an empty project in one of the two languages.
func template(language, install string) scaffold.Template {
	return scaffold.Template{Files: scaffolds, Root: "scaffold/" + language, Join: "-", Taken: takenNames, Install: install}
}

// Keywords, and what npm takes for no name of a package.
const takenNames = `await break case catch class const continue debugger default delete do else enum export
		extends false finally for function if implements import in instanceof interface let new null
		package private protected public return static super switch this throw true try typeof var void
		while with yield
		test tests index src lib assert buffer cluster console constants crypto dgram diagnostics dns domain
		events fs http http2 https inspector module net os path perf process punycode querystring readline
		repl stream string sys timers tls tty url util v8 vm wasi worker zlib node npm favicon
		jest vitest typescript`
