package cpp

import (
	"context"
	"embed"
	"path/filepath"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/scaffold"
)

// files are an empty project.
//
//go:embed all:scaffold
var files embed.FS

// Language is C and C++ with CMake and CTest. Before the test command runs, the
// project is configured and built.
func Language() testrun.Language {
	return testrun.Language{
		Name:         "cpp",
		Markers:      []string{"CMakeLists.txt"},
		Defaults:     testrun.Commands{Test: []string{"ctest", "--test-dir", "build"}},
		Tools:        [][]string{{"cmake", "--version"}, {"c++", "--version"}},
		VersionFiles: []string{"CMakePresets.json", "vcpkg.json", "conanfile.txt", "conanfile.py"},
		BuildDirs:    []string{"build"},
		Rules: testrun.Rules(
			testrun.PathRules(gates.KindConfig,
				"**/CMakeLists.txt", "**/*.cmake", "**/CMakePresets.json", "**/CMakeUserPresets.json", "**/CTestConfig.*",
				"**/conanfile.*", "**/vcpkg*.json", "**/.clang-{format,tidy}", "**/*.mk", "**/meson.build"),
			testrun.PathRules(gates.KindTest,
				"**/*{_,-,.}{test,tests,unittest,spec}.{c,cc,cpp,cxx,c++,cu}", "**/*{Test,Tests,Spec}.{c,cc,cpp,cxx,c++,cu}",
				"**/{test,tests}{_,-}*.{c,cc,cpp,cxx,c++,cu}", "**/{t,test,tests,unittest,unittests,unit_tests}/**/*.{c,cc,cpp,cxx,c++,cu}",
				"**/{test,tests}.{c,cc,cpp,cxx,c++}"),
			testrun.PathRules(gates.KindSupport, "**/{t,test,tests,unittest,unittests,unit_tests}/**"),
			testrun.SharedOther(),
			testrun.PathRules(gates.KindSource, "**/*.{c,cc,cpp,cxx,c++,cu,h,hh,hpp,hxx,h++,cuh,ipp,tpp,inl,ixx,cppm,def,s,S,asm,proto,in}"),
		),
		Idiom:        `TEST(Suite, Name) with EXPECT_EQ(actual, expected) in GoogleTest, TEST_CASE("name") with REQUIRE(actual == expected) in Catch2; declarations stand in headers; a new file must be named in CMakeLists.txt unless that collects files by itself.`,
		Stub:         `throw std::logic_error("not implemented")`,
		Raises:       "throws an exception",
		Scaffold:     scaffold.Template{Files: files, Root: "scaffold", Join: "_"},
		Installation: testrun.Installation{Aliases: []string{"g++", "clang"}},
		Awareness: testrun.Awareness{
			Asks:    lazyregexp.New(`\bprogram_invocation_(?:short_)?name\b|#\s*include\s*[<"](?:gtest|gmock|catch2?|doctest|boost/test)/?|\btesting::(?:UnitTest|Test)\b|\b(?:backtrace|dladdr|ptrace|getppid)\s*\(|#\s*if(?:n?def|\s+!?\s*defined)?\s*\(?\s*\w*(?:UNIT_?TEST|TESTING|GTEST|CATCH_CONFIG|DOCTEST)\w*|\b_exit\s*\(|\bquick_exit\s*\(`),
			Helps:   lazyregexp.New(`(?m)^\s*#\s*include\s*[<"](?:gtest|gmock|catch2?|doctest)/`),
			Leaves:  lazyregexp.New(`\b(?:std::)?(?:exit|_Exit|abort|terminate)\s*\(`),
			Program: lazyregexp.New(`\bint\s+main\s*\(`),
		},
		Syntax: testrun.Syntax{Declared: page().Declared, Assertions: page().Assertions, Checks: page().Checks, Mutants: page().Mutants, Near: page().Near, Code: page().Plain},
		Test:   readTest,
	}
}

// readTest runs CTest. Of what any other command prints, only compile errors are
// read; for the rest, its exit code decides.
func readTest(ctx context.Context, s *testrun.Session, argv []string) (testrun.Verdict, error) {
	if args, dir, ok := ctestArgs(argv); ok {
		return (&ctestRun{session: s, places: s.Places(), dir: dir, argv: args, known: map[string]framework{}}).measure(ctx)
	}
	build := &buildLog{places: s.Places()}
	end, err := s.Run(ctx, testrun.Job{Name: "test", Argv: argv, OnLine: build.read, Env: []string{plainLocale}})
	if err != nil {
		return testrun.Verdict{}, err
	}
	r := end.Verdict()
	if found := build.findings(); r.Outcome == gates.Failed && len(found) > 0 {
		return testrun.Broken(found), nil
	}
	return r, nil
}

// optionPattern matches an option of CMake, off by default, that builds the tests of
// the project itself.
var optionPattern = lazyregexp.New(`(?im)^[ \t]*option[ \t]*\([ \t]*` +
	`("?)(\w*_(?:(?:BUILD|ENABLE|WITH|MAKE)_(?:UNIT_?)?TESTS?|(?:BUILD|ENABLE)_TESTING|TESTS?)|(?:BUILD|ENABLE|WITH)_(?:UNIT_?)?TESTS?)"?\s+"[^"]*"\s+(?:OFF|FALSE|NO|0)[ \t]*\)`)

// testOptions are the arguments that switch a project's tests on. A library leaves
// them off so that those who build it within theirs need not build its tests.
func testOptions(dir string) []string {
	raw, _ := wholefile.Read(filepath.Join(dir, "CMakeLists.txt")) // none has no options
	found := optionPattern().FindAllStringSubmatch(string(raw), -1)
	return gates.Each(found, func(hit []string) string { return "-D" + hit[2] + "=ON" })
}
