package cpp

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

// Keywords, what CMake takes for its own targets, and names of libraries.
const takenNames = `alignas alignof and asm auto bitand bitor bool break case catch char class compl concept const
		constexpr continue decltype default delete do double else enum explicit export extern false float for
		friend goto if inline int long mutable namespace new noexcept not nullptr operator or private protected
		public register requires return short signed sizeof static struct switch template this throw true try
		typedef typeid typename union unsigned using virtual void volatile while xor main std
		all clean depend help install package preinstall test edit rebuild continuous experimental nightly
		c m rt dl pthread gtest gmock testing string vector list map set array time math limits memory new
		random regex thread queue stack deque bitset complex numeric ratio tuple utility variant optional any`
