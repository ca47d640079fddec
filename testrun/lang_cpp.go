package testrun

import (
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

// cppLanguage is C and C++ with CMake and CTest. Before the test command runs,
// the project is configured and built; see readCTest.
func cppLanguage() Language {
	return Language{
		Name:         "cpp",
		Markers:      []string{"CMakeLists.txt"},
		Defaults:     Commands{Test: []string{"ctest", "--test-dir", "build"}},
		Tools:        [][]string{{"cmake", "--version"}, {"c++", "--version"}},
		VersionFiles: []string{"CMakePresets.json", "vcpkg.json", "conanfile.txt", "conanfile.py"},
		BuildDirs:    []string{"build"},
		Rules: slices.Concat(
			sharedSupport(),
			rules(gates.KindConfig,
				"**/CMakeLists.txt", "**/*.cmake", "**/CMakePresets.json", "**/CMakeUserPresets.json", "**/CTestConfig.*",
				"**/conanfile.*", "**/vcpkg*.json", "**/.clang-{format,tidy}", "**/Makefile", "**/*.mk", "**/meson.build"),
			rules(gates.KindTest,
				"**/*{_,-,.}{test,tests,unittest,spec}.{c,cc,cpp,cxx,c++,cu}", "**/*{Test,Tests,Spec}.{c,cc,cpp,cxx,c++,cu}",
				"**/{test,tests}{_,-}*.{c,cc,cpp,cxx,c++,cu}", "**/{test,tests,unittest,unittests,unit_tests}/**/*.{c,cc,cpp,cxx,c++,cu}",
				"**/{test,tests}.{c,cc,cpp,cxx,c++}"),
			rules(gates.KindSupport, "**/{test,tests,unittest,unittests,unit_tests}/**"),
			sharedOther(),
			rules(gates.KindSource, "**/*.{c,cc,cpp,cxx,c++,cu,h,hh,hpp,hxx,h++,cuh,ipp,tpp,inl,ixx,cppm,def,s,S,asm,proto,in}"),
		),
		syntax: syntax{declared: cppDeclared, assertions: cppAssertions},
		test:   readCppTest,
	}
}
