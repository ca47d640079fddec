package java

import (
	"embed"
	"path"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/scaffold"
)

// files are what writes the journal from inside each runner, and an empty project.
//
//go:embed reporters all:scaffold
var files embed.FS

// unfetchedPattern is what Maven and Gradle say of a library or plugin that they did
// not get.
var unfetchedPattern = lazyregexp.New(`Could not (?:resolve|transfer|find|GET|download)|was not found in http|Non-resolvable|[Uu]nknown host|UnknownHostException`)

// Language is Java, or another language of the JVM, with Maven or Gradle and any
// version of JUnit. Maven's folder target does not stay between runs: its compiler
// plugin leaves the classes of a deleted source in place and does not compile a
// test again whose source changed. Gradle goes by content.
func Language() testrun.Language {
	maven, gradle := []string{"-B", "test"}, []string{"--no-daemon", "test"}
	by := func(program string, args []string) []string { return append([]string{program}, args...) }
	return testrun.Language{
		Name:     "java",
		Markers:  []string{"pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"},
		Covers:   covers,
		Defaults: testrun.Commands{Test: by("mvn", maven)},
		Variants: []testrun.Variant{
			{Has: []string{"mvnw"}, Test: by("./mvnw", maven)},
			{Has: []string{"pom.xml"}, Test: by("mvn", maven)},
			{Has: []string{"gradlew"}, Test: by("./gradlew", gradle)},
			{Has: []string{"{build,settings}.gradle{,.kts}"}, Test: by("gradle", gradle)},
		},
		Tools: [][]string{{"java", "-version"}},
		VersionFiles: []string{
			".mvn/wrapper/maven-wrapper.properties", "gradle/wrapper/gradle-wrapper.properties", ".java-version", ".sdkmanrc", "gradle.lockfile",
		},
		BuildDirs: []string{"build", ".gradle"},
		Rules: testrun.Rules(
			testrun.PathRules(gates.KindConfig,
				"**/pom.xml", "**/*.gradle", "**/*.gradle.kts", "**/gradle.properties", "**/gradle.lockfile", "**/gradle/**",
				"**/.mvn/**", "**/mvnw", "**/mvnw.cmd", "**/gradlew", "**/gradlew.bat", "buildSrc/**",
				"**/junit-platform.properties", "**/META-INF/services/org.junit.*", ".java-version", ".sdkmanrc"),
			testrun.PathRules(gates.KindTest,
				"**/src/{test,it,*Test}/{java,kotlin,groovy,scala}/**/*{Test,Tests,TestCase,IT,ITCase,Spec,Should}.{java,kt,groovy,scala}",
				"**/src/{test,it,*Test}/{java,kotlin,groovy,scala}/**/Test*.{java,kt,groovy,scala}"),
			testrun.PathRules(gates.KindSupport, "**/src/{test,it,*Test,testFixtures}/**"),
			testrun.PathRules(gates.KindTest, "**/*{Test,Tests}.{java,kt,groovy,scala}"),
			testrun.PathRules(gates.KindSupport, "test/**", "tests/**"),
			testrun.PathRules(gates.KindSource, "**/*.{java,kt,kts,groovy,scala}", "**/src/main/**"),
		),
		Idiom:    `a test is a method with @Test in a class NameTest, in the same package below src/test/java; assertEquals(expected, actual), assertThrows(Type.class, () -> …); all tests compile together, so one missing method keeps every test from running.`,
		Stub:     `throw new UnsupportedOperationException("not implemented")`,
		Raises:   "throws an exception",
		Scaffold: scaffold.Template{Files: files, Root: "scaffold", Join: ""},
		Installation: testrun.Installation{
			Inherits: []string{"JAVA_HOME"},
			Caches:   testrun.FoldersOf("~/.m2/repository", "~/.m2/wrapper", "~/.gradle/caches", "~/.gradle/wrapper", "~/.gradle/native"),
			Sees:     testrun.FoldersOf("$JAVA_HOME", "~/.jdks", "~/.gradle/jdks"),
		},
		Awareness: testrun.Awareness{
			Asks:    lazyregexp.New(`\bStackWalker\b|\bgetStackTrace\s*\(|\bClass\.forName\s*\(\s*"(?:org\.junit|org\.testng|org\.opentest4j)|\bimport\s+(?:static\s+)?(?:org\.junit|org\.testng|org\.opentest4j|org\.assertj|org\.hamcrest|org\.mockito|kotlin\.test|io\.kotest|io\.mockk)\b|"(?:sun\.java\.command|surefire[^"]*|java\.class\.path)"|\bsetSecurityManager\b|\bRuntime\.getRuntime\(\)\.halt\b|\bManagementFactory\b|\bProcessHandle\b`),
			Helps:   lazyregexp.New(`(?m)^\s*import\s+(?:static\s+)?(?:org\.junit|junit\.framework|org\.testng|org\.assertj|org\.hamcrest|org\.mockito|kotlin\.test|io\.kotest|io\.mockk)\b`),
			Leaves:  lazyregexp.New(`\b(?:System\.exit|exitProcess)\s*\(`),
			Program: lazyregexp.New(`\bstatic\s+(?:public\s+)?void\s+main\s*\(|\bfun\s+main\s*\(`),
		},
		Installs: []testrun.Install{ // they fetch what a build needs
			{Has: []string{"mvnw"}, Run: `./mvnw dependency:go-offline`, Lacks: unfetchedPattern.MatchString},
			{Has: []string{"pom.xml"}, Run: `mvn dependency:go-offline`, Lacks: unfetchedPattern.MatchString},
			{Has: []string{"gradlew"}, Run: `./gradlew testClasses`, Lacks: unfetchedPattern.MatchString},
			{Run: `gradle testClasses`, Lacks: unfetchedPattern.MatchString},
		},
		Syntax:   testrun.Syntax{Declared: page().Declared, Assertions: page().Assertions, Checks: page().Checks, Mutants: page().Mutants, Near: page().Near, Code: page().Plain},
		Dialects: map[string]testrun.Dialect{".kt": kotlin()},
		Test:     readTest,
	}
}

// modulePathPattern finds the modules that a pom.xml names.
var modulePathPattern = lazyregexp.New(`<module>\s*([^<]+?)\s*</module>`)

// covers reports whether a build runs the tests of the project in a folder: Maven
// those of its modules, and of theirs; Gradle those of all that its settings take in,
// which is what has no settings of its own.
func covers(p testrun.Sources, dir string) bool {
	if p.Has("settings.gradle", "settings.gradle.kts") && !p.Has("pom.xml") {
		return !p.Has(dir+"/settings.gradle", dir+"/settings.gradle.kts", dir+"/pom.xml")
	}
	for _, hit := range modulePathPattern().FindAllStringSubmatch(p.Read("pom.xml"), -1) {
		module := strings.TrimSuffix(path.Clean(hit[1]), "/pom.xml")
		if module == dir {
			return true
		}
		if rest, below := strings.CutPrefix(dir, module+"/"); below && covers(p.In(testrun.Folder{Dir: module}), rest) {
			return true
		}
	}
	return false
}
