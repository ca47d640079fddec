package rust

import (
	"embed"

	"github.com/git-tdd/git-tdd/testrun/scaffold"
)

//go:embed all:scaffold
var scaffolds embed.FS

// template is an empty project.
func template() scaffold.Template {
	return scaffold.Template{Files: scaffolds, Root: "scaffold", Join: "_", Taken: takenNames}
}

// Keywords, predeclared names, and packages of the standard library.
const takenNames = `abstract as async await become box break const continue crate do dyn else enum
		extern false final fn for gen if impl in let loop macro match mod move mut override priv
		pub ref return self static struct super trait true try type typeof unsafe unsized use
		virtual where while yield
		alloc core proc_macro std test
		bool char f16 f32 f64 f128 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize`
