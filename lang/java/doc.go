// Package java is what git-tdd knows of Java, Kotlin, Groovy and Scala built by
// Maven or Gradle: how a project is recognised, how the two and the Java compiler
// are read, what exceptions mean, and what a test file declares and expects.
// [Language] is all that other packages use.
//
// # How a run is read
//
// Maven's plugins write JUnit XML from Maven's own process. What Maven prints is
// read beside it: a run counts only with Maven's own word for its end, and with as
// many tests in the reports as Maven sums up. Gradle gets an init script, in the
// folder reporters, that writes a journal in Gradle's own process. Any other
// command is judged by its exit code.
//
// Reports name classes and methods, not files. An index of the project's sources
// finds the file of a class, and whether a frame of a stack trace is the project's
// own. What does not compile is read from the compiler's words on the console.
//
// # Test ids
//
// "<class>::<method>", with surefire's "(<types>)[n]" or Gradle's words for a case
// of it. What fails before the first test of a class is named by the class. Of two
// of one name in two modules the second is "…#2".
//
// docs/adding-a-language.md has more on Maven and Gradle, and the versions that were tried.
package java
