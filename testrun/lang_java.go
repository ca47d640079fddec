package testrun

import (
	"slices"

	"github.com/git-tdd/git-tdd/gates"
)

// javaLanguage is Java, or another language of its machine, with Maven or
// Gradle and any version of JUnit. Maven's folder target does not stay between
// runs: its compiler plugin leaves the classes of a deleted source in place and
// does not compile a test again whose source changed. Gradle goes by content.
func javaLanguage() Language {
	maven, gradle := []string{"-B", "test"}, []string{"--no-daemon", "test"}
	by := func(program string, args []string) []string { return append([]string{program}, args...) }
	return Language{
		Name: "java",
		Markers: []string{
			"pom.xml", "build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts",
		},
		Defaults: Commands{Test: by("mvn", maven)},
		Variants: []Variant{
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
		Rules: slices.Concat(
			sharedSupport(),
			rules(gates.KindConfig,
				"**/pom.xml", "**/*.gradle", "**/*.gradle.kts", "**/gradle.properties", "**/gradle.lockfile", "**/gradle/**",
				"**/.mvn/**", "**/mvnw", "**/mvnw.cmd", "**/gradlew", "**/gradlew.bat", "buildSrc/**",
				"**/junit-platform.properties", "**/META-INF/services/org.junit.*", ".java-version", ".sdkmanrc"),
			rules(gates.KindTest,
				"**/src/{test,it,*Test}/{java,kotlin,groovy,scala}/**/*{Test,Tests,TestCase,IT,ITCase,Spec,Should}.{java,kt,groovy,scala}",
				"**/src/{test,it,*Test}/{java,kotlin,groovy,scala}/**/Test*.{java,kt,groovy,scala}"),
			rules(gates.KindSupport, "**/src/{test,it,*Test,testFixtures}/**"),
			rules(gates.KindTest, "**/*{Test,Tests}.{java,kt,groovy,scala}"),
			rules(gates.KindSupport, "test/**", "tests/**"),
			rules(gates.KindSource, "**/*.{java,kt,kts,groovy,scala}", "**/src/main/**"),
			sharedOther(),
		),
		syntax: syntax{declared: javaDeclared, assertions: javaAssertions},
		test:   readJavaTest,
	}
}
