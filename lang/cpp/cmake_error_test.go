package cpp

import "testing"

// What a person reads is the first line: it says what is wrong, not only where.
func TestCMakeError(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{
		"-- Found Threads: TRUE\nCMake Error at sub/clone.cmake:39 (message):\n  Failed to clone repository: 'https://example.com/Catch2.git'\n\n\ngmake: *** [all] Error 2\n": "CMake Error at sub/clone.cmake:39 (message): Failed to clone repository: 'https://example.com/Catch2.git'\n\n\ngmake: *** [all] Error 2",
		"CMake Error: The source directory is missing.\nSpecify --help for usage.\n":                                                                                           "CMake Error: The source directory is missing.\nSpecify --help for usage.",
		"CMake Error at CMakeLists.txt:3:":              "CMake Error at CMakeLists.txt:3:",
		"make: *** No rule to make target 'all'.\n":     "make: *** No rule to make target 'all'.",
		"CMake Error in CMakeLists.txt:\r\n  no such\n": "CMake Error in CMakeLists.txt: no such",
	} {
		if got := cmakeError(printed); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
