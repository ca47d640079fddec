package lang_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// minCases is how many cases every runner must have, minLanguages how many languages must
// have a corpus.
const minCases, minLanguages = 12, 10

// What the environment variable TDD_CORPUS asks for, beside playing recordings.
const (
	askLive   = "live"
	askRecord = "record"
)

// TestCorpus tests the reading of each runner that has a folder in testdata/corpus beside
// its language, or beside testrun. Each file there, RUNNER/CASE.txtar, holds a project, the
// facts that are true of it, written by hand, and what the runner really said of it,
// recorded.
//
// Its subtest "recorded" plays the recordings, so that it needs no toolchain and takes
// seconds; TestCorpus/recorded/rust plays those of one language, and
// TestCorpus/recorded/rust/cargo those of one of its runners. "live" runs the projects, and
// "memory" measures how much memory reading takes at most. Those two take minutes and every
// runner there is, so they are skipped unless the environment asks for them:
//
//	TDD_CORPUS=live     run the projects with their real runners, too
//	TDD_PART=1/3        a third of them
//	TDD_CORPUS=record   do so, and replace the recordings by what the runners say
//	TDD_NODE_MODULES    a node_modules folder, for runners that are packages of npm
//
// docs/adding-a-language.md explains the files, and how to add one.
func TestCorpus(t *testing.T) {
	t.Parallel()
	if os.Getenv("TDD_MEMORY") != "" {
		debug.SetMemoryLimit(maxMemory / 2) // what is needed, not what the collector has not come to yet
		t.Cleanup(reportMemory)
	}
	t.Run("recorded", func(t *testing.T) {
		t.Parallel()
		if runtime.GOOS == "windows" {
			t.Skip("paths of another system")
		}
		eachRunner(t, recorded)
	})
	t.Run(askLive, func(t *testing.T) {
		t.Parallel()
		if os.Getenv("TDD_CORPUS") == "" {
			t.Skip("it takes minutes: TDD_CORPUS=live")
		}
		eachRunner(t, live)
	})
	t.Run("memory", memory)
}

// eachRunner runs a test for the cases of each runner, below the folder of its language.
func eachRunner(t *testing.T, test func(t *testing.T, cases []corpusCase)) {
	t.Helper()
	roots := corpusFiles(t, "")
	if len(roots) < minLanguages {
		t.Fatalf("%d languages have a corpus, fewer than %d", len(roots), minLanguages)
	}
	for _, root := range roots {
		t.Run(filepath.Base(filepath.Dir(filepath.Dir(root))), func(t *testing.T) {
			t.Parallel()
			runners, err := filepath.Glob(filepath.Join(root, "*"))
			if err != nil || len(runners) == 0 {
				t.Fatalf("no runner: %v", err)
			}
			for _, dir := range runners {
				t.Run(filepath.Base(dir), func(t *testing.T) {
					t.Parallel()
					test(t, readCorpus(t, dir))
				})
			}
		})
	}
}

// corpusFiles are the files of a name, or a pattern of it, in the corpus of each language
// and in that of the runners that belong to none.
func corpusFiles(t *testing.T, name string) []string {
	t.Helper()
	var out []string
	for _, folder := range []string{"*", "../testrun"} {
		files, err := filepath.Glob(filepath.Join(folder, "testdata/corpus", name))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, files...)
	}
	return out
}

// recorded plays what a runner once said of each case.
func recorded(t *testing.T, cases []corpusCase) {
	t.Helper()
	if len(cases) < minCases {
		t.Errorf("%d cases, fewer than %d", len(cases), minCases)
	}
	for _, c := range cases {
		if c.liveOnly() {
			continue
		}
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			req := c.request(t, t.TempDir())
			req.Start = c.play(t, req)
			c.judge(t, req)
		})
	}
}

// live runs each case with the real runner. One that is missing fails the test,
// unless the corpus calls it optional.
func live(t *testing.T, cases []corpusCase) {
	t.Helper()
	cases[0].needTools(t)
	for _, c := range chosen(t, cases) {
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			if c.setting("optional") != "" {
				c.needTools(t)
			}
			if os.Getenv("TDD_CORPUS") == askRecord && !c.liveOnly() {
				c.record(t)
				return
			}
			req := c.live(t, t.TempDir())
			c.judge(t, req)
			if len(c.again) > 0 {
				c.repeat(t, req)
			}
		})
	}
}

// chosen are the cases that are run live: the one with much output if memory is
// measured, and of the others those that TDD_PART asks for.
func chosen(t *testing.T, cases []corpusCase) (out []corpusCase) {
	t.Helper()
	part := gittest.Part(t, 1)
	for i, c := range cases {
		if c.name() == muchOutput && os.Getenv("TDD_MEMORY") != "" || c.name() != muchOutput && part(i) {
			out = append(out, c)
		}
	}
	return out
}

// needTools skips or fails a test where this machine lacks a tool of the case.
func (c corpusCase) needTools(t *testing.T) {
	t.Helper()
	switch missing := c.missing(t.Context()); {
	case missing == "":
	case c.setting("optional") != "":
		t.Skip(missing)
	default:
		t.Fatal(missing)
	}
}

// missing says which tool of the case this machine lacks.
func (c corpusCase) missing(ctx context.Context) string {
	for _, key := range c.settings["needs"] {
		argv := strings.Fields(key)
		if err := exec.CommandContext(ctx, argv[0], argv[1:]...).Run(); err != nil {
			return fmt.Sprintf("%s: %v", key, err)
		}
	}
	for _, pkg := range c.settings["modules"] {
		if pkg == "-" {
			continue // the case is about what is not installed
		}
		name, version, _ := strings.Cut(pkg, "@") // vitest@2.
		raw, err := os.ReadFile(filepath.Join(os.Getenv("TDD_NODE_MODULES"), name, "package.json"))
		if err != nil || !strings.Contains(string(raw), `"version": "`+version) {
			return "TDD_NODE_MODULES names no folder with " + pkg
		}
	}
	return ""
}
