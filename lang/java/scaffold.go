package java

import (
	"embed"

	"github.com/git-tdd/git-tdd/testrun/scaffold"
)

//go:embed all:scaffold
var scaffolds embed.FS

// template is an empty project.
func template() scaffold.Template {
	return scaffold.Template{Files: scaffolds, Root: "scaffold", Join: "", Taken: takenNames}
}

// Keywords, and packages that are there already.
const takenNames = `abstract assert boolean break byte case catch char class const continue default do double else
		enum extends final finally float for goto if implements import instanceof int interface long native
		new null package private protected public return short static strictfp super switch synchronized this
		throw throws transient true false try void volatile while record sealed permits yield var
		java javax jdk sun com org net io junit test`
