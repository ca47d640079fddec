package main

import "strings"

// projects are those that warm measures.
func projects() []project {
	return []project{
		goProject(), rustProject(),
		pythonProject("pytest", "python3", "-m", "pytest", "-q"),
		pythonProject("unittest", "python3", "-m", "unittest", "-q"),
		nodeProject(), scriptProject("vitest", "vitest", "run"), scriptProject("jest", "jest"),
		minitestProject(), rspecProject(), batsProject(), phpunitProject("phpunit", modules), phpunitProject("phpunit-100", 100), ctestProject(), mavenProject(), gradleProject(),
	}
}

func goProject() project {
	p := project{
		name: "go", language: "go", test: []string{"go", "test", "./..."}, changed: "m0.go",
		text:  "package warm\n\nvar round = %\n\n// Sum0 adds.\nfunc Sum0(a, b int) int { return a + b + round - % }\n",
		files: map[string]string{"go.mod": "module example.com/warm\n\ngo 1.21\n"},
	}
	everyModule(p.files, "m§.go", "package warm\n\n// Sum§ adds.\nfunc Sum§(a, b int) int { return a + b }\n")
	everyModule(p.files, "m§_test.go", "package warm\n\nimport \"testing\"\n\nfunc TestSum§(t *testing.T) {\n\tif got := Sum§(1, 2); got != 3 {\n\t\tt.Errorf(\"got %d\", got)\n\t}\n}\n")
	return p
}

func rustProject() project {
	p := project{
		name: "cargo", language: "rust", test: []string{"cargo", "test"}, changed: "src/m0.rs",
		text:  "pub fn sum(a: i32, b: i32) -> i32 {\n    a + b + std::hint::black_box(%) - %\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn sums() {\n        assert_eq!(super::sum(1, 2), 3);\n    }\n}\n",
		files: map[string]string{"Cargo.toml": "[package]\nname = \"warm\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"},
	}
	everyModule(p.files, "src/m§.rs", "pub fn sum(a: i32, b: i32) -> i32 {\n    a + b\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn sums() {\n        assert_eq!(super::sum(1, 2), 3);\n    }\n}\n")
	lib := map[string]string{}
	everyModule(lib, "§", "pub mod m§;\n")
	var all strings.Builder
	for _, line := range lib {
		all.WriteString(line)
	}
	p.files["src/lib.rs"] = all.String()
	p.files["tests/all.rs"] = "#[test]\nfn sums() {\n    assert_eq!(warm::m0::sum(1, 2), 3);\n}\n"
	return p
}

func pythonProject(name string, test ...string) project {
	p := project{
		name: name, language: "python", test: test, changed: "warm/m0.py",
		text:  "def add(a, b):\n    return a + b + % - %\n",
		files: map[string]string{"warm/__init__.py": "", "tests/__init__.py": ""},
	}
	everyModule(p.files, "warm/m§.py", "def add(a, b):\n    return a + b\n")
	everyModule(p.files, "tests/test_m§.py", "import unittest\n\nfrom warm.m§ import add\n\n\nclass Test§(unittest.TestCase):\n    def test_adds(self):\n        self.assertEqual(add(1, 2), 3)\n")
	return p
}

func nodeProject() project {
	p := project{
		name: "node", language: "javascript", test: []string{"node", "--test"}, changed: "src/m0.js",
		text:  "exports.add = (a, b) => a + b + % - %;\n",
		files: map[string]string{"package.json": "{\"name\": \"warm\", \"type\": \"commonjs\"}\n"},
	}
	everyModule(p.files, "src/m§.js", "exports.add = (a, b) => a + b;\n")
	everyModule(p.files, "test/m§.test.js", "const test = require('node:test');\nconst assert = require('node:assert');\nconst { add } = require('../src/m§.js');\n\ntest('adds §', () => assert.strictEqual(add(1, 2), 3));\n")
	return p
}

func scriptProject(name string, test ...string) project {
	p := project{
		name: name, language: "javascript", test: append([]string{"npx"}, test...), changed: "src/m0.js",
		text:    "exports.add = (a, b) => a + b + % - %;\n",
		modules: []string{name},
		files:   map[string]string{"package.json": "{\"name\": \"warm\", \"type\": \"commonjs\"}\n"},
	}
	everyModule(p.files, "src/m§.js", "exports.add = (a, b) => a + b;\n")
	head := ""
	if name == "vitest" {
		head = "import { test, expect } from 'vitest';\nimport { add } from '../src/m§.js';\n"
		p.files["package.json"] = "{\"name\": \"warm\", \"type\": \"module\"}\n"
		p.text = "export const add = (a, b) => a + b + % - %;\n"
		everyModule(p.files, "src/m§.js", "export const add = (a, b) => a + b;\n")
	} else {
		head = "const { add } = require('../src/m§.js');\n"
	}
	everyModule(p.files, "test/m§.test.js", head+"\ntest('adds §', () => { expect(add(1, 2)).toBe(3); });\n")
	return p
}

func minitestProject() project {
	p := project{
		name: "minitest", language: "ruby", changed: "lib/m0.rb", text: "def add0(a, b) = a + b + % - %\n", files: map[string]string{},
		test: []string{"ruby", "-Ilib", "-Itest", "-rminitest/autorun", "-e", `Dir["./test/*_test.rb"].sort.each { |f| require f }`},
	}
	everyModule(p.files, "lib/m§.rb", "def add§(a, b) = a + b\n")
	everyModule(p.files, "test/m§_test.rb", "require \"m§\"\n\nclass M§Test < Minitest::Test\n  def test_adds\n    assert_equal 3, add§(1, 2)\n  end\nend\n")
	return p
}

func rspecProject() project {
	p := project{
		name: "rspec", language: "ruby", changed: "lib/m0.rb", text: "def add0(a, b) = a + b + % - %\n", files: map[string]string{},
		test: []string{"rspec"},
	}
	everyModule(p.files, "lib/m§.rb", "def add§(a, b) = a + b\n")
	everyModule(p.files, "spec/m§_spec.rb", "require \"m§\"\n\nRSpec.describe \"m§\" do\n  it(\"adds\") { expect(add§(1, 2)).to eq(3) }\nend\n")
	return p
}

func batsProject() project {
	p := project{
		name: "bats", language: "shell", changed: "src/m0.sh", text: "add0() { echo $(($1 + $2 + % - %)); }\n", files: map[string]string{},
		test: []string{"bats", "-r", "test"},
	}
	everyModule(p.files, "src/m§.sh", "add§() { echo $(($1 + $2)); }\n")
	everyModule(p.files, "test/m§.bats", "@test \"adds §\" {\n  . src/m§.sh\n  [ \"$(add§ 1 2)\" -eq 3 ]\n}\n")
	return p
}

// phpunitProject is so small by itself that what every measurement costs, a few
// milliseconds, is a good part of it; so there is one of a hundred modules, too. The
// coverage driver PCOV, which a measurement switches off, is off on both sides.
func phpunitProject(name string, times int) project {
	p := project{
		name: name, language: "php", changed: "src/m0.php", text: "<?php\nfunction add0(int $a, int $b): int { return $a + $b + % - %; }\n",
		files: map[string]string{"ini/pcov.ini": "pcov.enabled = 0\n"}, test: []string{"phpunit", "tests"},
		env: []string{"PHP_INI_SCAN_DIR=:ini"},
	}
	every(times, p.files, "src/m§.php", "<?php\nfunction add§(int $a, int $b): int { return $a + $b; }\n")
	every(times, p.files, "tests/M§Test.php", "<?php\nrequire_once __DIR__ . '/../src/m§.php';\n\nclass M§Test extends PHPUnit\\Framework\\TestCase\n{\n    public function testAdds(): void\n    {\n        $this->assertSame(3, add§(1, 2));\n    }\n}\n")
	return p
}

// ctestProject has no runner that builds what it runs: the plain side builds
// first, as a person would.
func ctestProject() project {
	p := project{
		name: "ctest", language: "cpp", changed: "src/m0.cpp", text: "int add0(int a, int b) { return a + b + % - %; }\n",
		test:  []string{"ctest", "--test-dir", "build"},
		plain: []string{"sh", "-c", "cmake -S . -B build && cmake --build build && ctest --test-dir build"},
		files: map[string]string{"CMakeLists.txt": "cmake_minimum_required(VERSION 3.16)\nproject(warm CXX)\nenable_testing()\nfind_package(GTest REQUIRED)\n" +
			"file(GLOB sources src/*.cpp test/*.cpp)\nadd_executable(sums ${sources})\ntarget_link_libraries(sums GTest::gtest_main)\ninclude(GoogleTest)\ngtest_discover_tests(sums)\n"},
	}
	everyModule(p.files, "src/m§.cpp", "int add§(int a, int b) { return a + b; }\n")
	everyModule(p.files, "test/m§_test.cpp", "#include <gtest/gtest.h>\n\nint add§(int a, int b);\n\nTEST(M§, Adds) { EXPECT_EQ(add§(1, 2), 3); }\n")
	return p
}

// mavenProject is JUnit 5 with the versions of a Java kata. Maven compiles what
// it finds changed, in the checkout as in the workbench.
func mavenProject() project {
	p := javaProject("maven", "org.junit.jupiter.api", "mvn", "-B", "--offline", "test")
	p.files["pom.xml"] = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>warm</groupId>
  <artifactId>warm</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
    <dependency><groupId>org.junit.jupiter</groupId><artifactId>junit-jupiter</artifactId><version>5.11.4</version><scope>test</scope></dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin><artifactId>maven-resources-plugin</artifactId><version>3.3.1</version></plugin>
      <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.13.0</version></plugin>
      <plugin><artifactId>maven-surefire-plugin</artifactId><version>3.5.2</version></plugin>
    </plugins>
  </build>
</project>
`
	return p
}

// gradleProject is JUnit 4, which Debian's Gradle knows. Both sides go without a
// daemon: a measurement never uses one, because it would live outside the box,
// and a plain side that had one would be compared with another program.
func gradleProject() project {
	p := javaProject("gradle", "org.junit", "gradle", "--no-daemon", "--offline", "test")
	p.files["settings.gradle"] = "rootProject.name = 'warm'\n"
	p.files["build.gradle"] = "apply plugin: 'java'\n\nrepositories {\n    mavenLocal()\n    mavenCentral()\n}\n\ndependencies {\n    testCompile 'junit:junit:4.13.2'\n}\n"
	return p
}

func javaProject(name, junit string, test ...string) project {
	p := project{
		name: name, language: "java", test: test, files: map[string]string{}, changed: "src/main/java/warm/M0.java",
		text: "package warm;\n\npublic final class M0 {\n  public static int add(int a, int b) {\n    return a + b + % - %;\n  }\n}\n",
	}
	everyModule(p.files, "src/main/java/warm/M§.java", "package warm;\n\npublic final class M§ {\n  public static int add(int a, int b) {\n    return a + b;\n  }\n}\n")
	assertions := "org.junit.Assert"
	if name == "maven" {
		assertions = "org.junit.jupiter.api.Assertions"
	}
	everyModule(p.files, "src/test/java/warm/M§Test.java", "package warm;\n\nimport static "+assertions+".assertEquals;\n\nimport "+junit+".Test;\n\n"+
		"public class M§Test {\n  @Test\n  public void adds() {\n    assertEquals(3, M§.add(1, 2));\n  }\n}\n")
	return p
}
