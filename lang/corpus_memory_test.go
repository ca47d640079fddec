package lang_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// muchOutput names the case whose runner says more than anybody can hold.
const muchOutput = "much-output"

// maxMemory is how much memory reading any output may take, all in all.
const maxMemory = 64 << 20

// memory runs the case [muchOutput] of each runner in a process of its own, which
// says how much memory it had at most.
func memory(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" || os.Getenv("TDD_CORPUS") != askLive {
		t.Skip("it takes minutes, and Linux to tell: TDD_CORPUS=live")
	}
	for _, file := range corpusFiles(t, "*/"+muchOutput+".txtar") {
		parts := strings.Split(filepath.ToSlash(file), "/")
		runner := parts[len(parts)-5] + "$/^" + parts[len(parts)-2]
		t.Run(strings.Replace(runner, "$/^", "/", 1), func(t *testing.T) {
			t.Parallel()
			kb := peakOf(t, runner)
			t.Logf("%d MB", kb>>10)
			if kb<<10 > maxMemory {
				t.Errorf("%d kB of memory", kb)
			}
		})
	}
}

var (
	peakPattern      = regexp.MustCompile(`peak memory: (\d+) kB`)
	highWaterPattern = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)
)

// peakOf runs the case of a runner and returns the memory that took, in kB.
func peakOf(t *testing.T, runner string) int {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestCorpus$/^"+askLive+"$/^"+runner+"$/^"+muchOutput+"$")
	cmd.Env = append(os.Environ(), "TDD_MEMORY=1")
	out, err := cmd.CombinedOutput()
	peak := peakPattern.FindSubmatch(out)
	if err != nil || peak == nil {
		t.Fatalf("%v\n%s", err, out)
	}
	kb, err := strconv.Atoi(string(peak[1]))
	if err != nil {
		t.Fatal(err)
	}
	return kb
}

// reportMemory says how much memory this process had at most.
func reportMemory() {
	status, _ := os.ReadFile("/proc/self/status")
	if peak := highWaterPattern.FindSubmatch(status); peak != nil {
		fmt.Fprintf(os.Stderr, "peak memory: %s kB\n", peak[1])
	}
}
