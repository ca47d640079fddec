package golang

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

// Keywords, predeclared names, and packages of the standard library.
const takenNames = `break case chan const continue default defer else fallthrough for func go goto if
		import interface map package range return select struct switch type var
		any append bool byte cap clear close comparable complex complex64 complex128 copy delete
		error false float32 float64 imag init int int8 int16 int32 int64 iota len make max min new
		nil panic print println real recover rune string true uint uint8 uint16 uint32 uint64
		uintptr
		all builtin cmd documentation internal main std test testdata tool vendor work
		archive arena bufio bytes cmp compress container context crypto database debug embed
		encoding errors expvar flag fmt hash html image index io iter log maps math mime net os
		path plugin reflect regexp runtime simd slices sort strconv strings structs sync syscall
		testing text time unicode unique unsafe weak`
