package testrun

import (
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

// genericRules go by the names that most languages share. A file that no other
// rule names is source only where its extension is a programming language's.
func genericRules() []Rule {
	return slices.Concat(
		SharedConfig(),
		SharedSupport(),
		PathRules(gates.KindSupport, "**/conftest.py", "**/test_helper.*", "**/spec_helper.*", "**/__mocks__/**"),
		PathRules(gates.KindTest,
			"**/*_test.*", "**/*.test.*", "**/*_spec.*", "**/*.spec.*", "**/test_*.py", "**/*Test.java",
			"**/*Tests.java", "**/*Test.kt", "**/*Tests.cs", "**/*Test.php", "**/*.bats", "**/*.t"),
		PathRules(gates.KindTest, "test/**", "tests/**", "spec/**", "**/src/test/**", "**/__tests__/**"),
		PathRules(gates.KindConfig,
			"**/package.json", "**/package-lock.json", "**/tsconfig*.json", "**/*.config.{js,cjs,mjs,ts}",
			"**/pyproject.toml", "**/setup.{py,cfg}", "**/pytest.ini", "**/tox.ini", "**/requirements*.txt",
			"**/pom.xml", "**/build.gradle*", "**/settings.gradle*", "**/Gemfile*", "**/Rakefile", "**/composer.*",
			"**/CMakeLists.txt", "**/Makefile", "**/*.mk", "**/*.csproj", "**/*.sln", "**/mix.exs"),
		SharedOther(),
		PathRules(gates.KindSource,
			"**/*.{c,h,cc,cpp,cxx,hpp,hh,cs,fs,java,kt,kts,scala,clj,groovy,swift,m,go,rs,zig,d,nim}",
			"**/*.{js,jsx,mjs,cjs,ts,tsx,py,rb,php,pl,pm,lua,sh,bash,ex,exs,erl,hs,ml,r,jl,dart,elm,vue,svelte,sql}"),
	)
}
