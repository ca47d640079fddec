package rust

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// wrapperName is the wrapper that cargo starts test binaries with. It is found
// by PATH, because cargo cuts the variable that names it at white space.
const wrapperName = "git-tdd-test-runner"

// installWrapper installs the wrapper and returns the environment that makes
// cargo, however it is started, use it; nothing on a system without sh.
func installWrapper(s *testrun.Session) ([]string, error) {
	if runtime.GOOS == "windows" {
		return nil, nil
	}
	keeper, noKeeper := s.Keeper()
	script, err := files.ReadFile("reporters/" + wrapperName)
	if err = errors.Join(noKeeper, err); err == nil {
		quoted := func(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
		script = []byte(strings.NewReplacer("@keeper@", quoted(keeper), "@reports@", quoted(s.Reports)).Replace(string(script)))
		err = os.WriteFile(filepath.Join(s.Bin, wrapperName), script, 0o700) //nolint:gosec // it must be executable
	}
	if err != nil {
		return nil, fmt.Errorf("install the test runner: %w", err)
	}
	env := []string{
		testrun.Prepended(s.Env, "PATH", s.Bin),
		"INSTA_UPDATE=no", // what a test writes itself is no expectation
	}
	for _, triple := range hostTriples() {
		env = append(env, "CARGO_TARGET_"+triple+"_RUNNER="+wrapperName)
	}
	return env, nil
}

// hostTriples lists the targets that cargo may take for this machine, as its
// variables spell them. One too many does no harm.
func hostTriples() []string {
	arch := map[string]string{"amd64": "X86_64", "arm64": "AARCH64", "386": "I686", "riscv64": "RISCV64GC"}[runtime.GOARCH]
	if runtime.GOOS == "darwin" {
		return []string{arch + "_APPLE_DARWIN"}
	}
	return []string{arch + "_UNKNOWN_LINUX_GNU", arch + "_UNKNOWN_LINUX_MUSL"}
}

// record is what the wrapper left of one start of a test binary.
type record struct {
	exe, dir, pkg string
	asked         bool   // it was only asked for its tests
	harness       bool   // the standard harness: run holds its report
	refused       string // why it would not even list its tests
	run           *libtestRun
	exit          int    // -1 where it did not end
	output        string // its end, of a binary without the harness
}

// records reads every record that the wrapper left: runs first, ordered by binary.
func records(s *testrun.Session) ([]record, error) {
	var out []record
	for _, kind := range []string{"run", "list"} {
		before := len(out)
		for _, dir := range wholefile.Matching(s.Reports, kind+".*") {
			r := record{exit: -1, run: newLibtestRun(), harness: true, asked: kind == "list"}
			if err := r.read(dir); err != nil {
				return nil, fmt.Errorf("read the test report: %w", err)
			}
			r.exe, r.dir = s.Local(r.exe), s.Local(r.dir)
			out = append(out, r)
		}
		slices.SortStableFunc(out[before:], func(a, b record) int { return strings.Compare(a.exe, b.exe) })
	}
	return out, nil
}

// read reads one record. A missing file is no error: the run did not get that far.
func (r *record) read(dir string) error {
	text := func(name string) string {
		raw, _ := wholefile.Read(filepath.Join(dir, name)) // missing evidence is no evidence
		return strings.TrimSpace(string(raw))
	}
	if who := strings.Split(text("binary")+"\n", "\n"); len(who) >= 3 {
		r.exe, r.dir, r.pkg = who[0], who[1], who[2]
	}
	if n, err := strconv.Atoi(text("exit")); err == nil {
		r.exit = n
	}
	r.refused = strings.TrimPrefix(text("refused"), "error: ")
	printed := output.NewTail(output.MessageLimit)
	lines := func(name string, take func([]byte)) error {
		return output.WithFile(filepath.Join(dir, name), func(f *os.File) error { return output.EachLine(f, take) })
	}
	err := errors.Join(lines("list", r.run.list), lines("log", r.run.log), lines("events", r.run.event),
		output.WithFile(filepath.Join(dir, "output"), func(f *os.File) error {
			r.harness = false
			_, err := io.Copy(printed, f)
			return err
		}))
	r.output = strings.ToValidUTF8(printed.String(), "?")
	return err
}
