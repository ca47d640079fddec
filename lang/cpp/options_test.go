package cpp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestTestOptions(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if got := testOptions(dir); len(got) != 0 {
		t.Errorf("%q", got)
	}
	text := `
option(LOG_BUILD_TESTS "Build tests" OFF)
option (LOG_ENABLE_TESTING "tests, too" off )
option(WITH_TESTS
       "on two lines"
       NO)
option(LOG_BUILD_EXAMPLE "no" OFF)
option(LOG_TEST_INSTALL "no" OFF)
option(LOG_TEST "on already" ON)
# option(OLD_BUILD_TESTS "a comment" OFF)
option(LOG_BUILD_TESTS_HO "another mode" OFF)
`
	if err := os.WriteFile(filepath.Join(dir, "CMakeLists.txt"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(testOptions(dir), " "); got != "-DLOG_BUILD_TESTS=ON -DLOG_ENABLE_TESTING=ON -DWITH_TESTS=ON" {
		t.Error(got)
	}
}
