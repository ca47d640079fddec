package rust

import (
	"fmt"
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

// wrapperScript runs a test binary so that it reports as JSON, into files, on
// stable toolchains too: RUSTC_BOOTSTRAP is set for the test process alone.
// Documentation tests pass through; where many are one program, the variable
// lets it start each in a process of its own, as without a wrapper. So does a
// listing, which nextest asks for. A binary without the standard harness, or one
// that was told how to print, runs as it is.
const wrapperScript = `#!/bin/sh
keeper=%s
if [ "$keeper" ] && [ ! "$TDD_KEPT" ]; then
	export TDD_KEPT=1
	exec "$keeper" "$0" "$@"
fi
unset TDD_KEPT
case $1 in */rustdoctest*) RUSTDOC_DOCTEST_BIN_PATH=$1 exec "$@" ;; esac
kind=run
case " $* " in *" --list "*) kind=list ;; esac
dir=$(mktemp -d %s/$kind.XXXXXXXX) || exec "$@"
printf '%%s\n' "$1" "$PWD" "$CARGO_PKG_NAME" >"$dir/binary"
if [ $kind = list ]; then
	case " $* " in *" --ignored "*)
		RUSTC_BOOTSTRAP=1 "$1" --list --ignored --format json -Z unstable-options >"$dir/list" 2>/dev/null ;;
	esac
	exec "$@"
fi
plain=
grep -q RUST_TEST_THREADS "$1" || plain=1
for arg; do
	shift
	case $arg in
	-q | --quiet | --nocapture | --no-capture) continue ;;
	--format | --format=* | --logfile | --logfile=*) plain=1 ;;
	esac
	set -- "$@" "$arg"
done
if [ "$plain" ]; then
	"$@" >"$dir/output"
	code=$?
else
	export RUSTC_BOOTSTRAP=1
	"$@" --list --format json -Z unstable-options >"$dir/list" 2>"$dir/refused"
	"$@" -Z unstable-options --format json --logfile "$dir/log" >"$dir/events" 2>"$dir/errors"
	code=$?
	sed 's/^warning: .--logfile. is deprecated//' "$dir/errors" >&2
fi
echo "$code" >"$dir/exit"
exit "$code"
`

// installWrapper installs the wrapper and returns the environment that makes
// cargo, however it is started, use it; nothing on a system without sh.
func installWrapper(s *testrun.Session) ([]string, error) {
	if runtime.GOOS == "windows" {
		return nil, nil
	}
	bin, err := s.Bin()
	if err != nil {
		return nil, err
	}
	keeper, err := s.Keeper()
	if err != nil {
		return nil, err
	}
	quoted := func(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
	script := fmt.Sprintf(wrapperScript, quoted(keeper), quoted(s.Reports))
	if err := os.WriteFile(filepath.Join(bin, wrapperName), []byte(script), 0o700); err != nil { //nolint:gosec // it must be executable
		return nil, fmt.Errorf("install the test runner: %w", err)
	}
	env := []string{
		"PATH=" + bin + string(os.PathListSeparator) + testrun.LookupEnv(s.Env, "PATH"),
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

// binaryRun is one run of a test binary, as the wrapper recorded it.
type binaryRun struct {
	exe, dir, pkg string
	harness       bool   // the standard harness: run holds its report
	refused       string // why it would not even list its tests
	run           *libtestRun
	exit          int // -1 where it did not end
	output        string
}

// binaryRuns reads every record of a kind that the wrapper left, "run" or
// "list", ordered by binary.
func binaryRuns(s *testrun.Session, kind string) ([]binaryRun, error) {
	dirs, err := filepath.Glob(filepath.Join(s.Reports, kind+".*"))
	if err != nil {
		return nil, fmt.Errorf("find test reports: %w", err)
	}
	var out []binaryRun
	for _, dir := range dirs {
		r, err := readBinaryRun(dir)
		if err != nil {
			return nil, err
		}
		r.exe, r.dir = s.Local(r.exe), s.Local(r.dir)
		out = append(out, r)
	}
	slices.SortStableFunc(out, func(a, b binaryRun) int { return strings.Compare(a.exe, b.exe) })
	return out, nil
}

// readBinaryRun reads one record. A missing file is no error; it shows that the
// run did not get that far.
func readBinaryRun(dir string) (binaryRun, error) {
	r := binaryRun{exit: -1, run: newLibtestRun()}
	who := strings.Split(string(readOr(dir, "binary")), "\n")
	if len(who) >= 3 {
		r.exe, r.dir, r.pkg = who[0], who[1], who[2]
	}
	if n, err := strconv.Atoi(strings.TrimSpace(string(readOr(dir, "exit")))); err == nil {
		r.exit = n
	}
	if tail, err := tailOf(filepath.Join(dir, "output")); err == nil {
		r.output = tail
		return r, nil
	}
	r.harness = true
	r.refused, _ = strings.CutPrefix(strings.TrimSpace(string(readOr(dir, "refused"))), "error: ")
	for _, part := range []struct {
		name string
		read func(r *libtestRun, f *os.File) error
	}{
		{"list", func(r *libtestRun, f *os.File) error { return r.readList(f) }},
		{"events", func(r *libtestRun, f *os.File) error { return r.readEvents(f) }},
		{"log", func(r *libtestRun, f *os.File) error { return r.readLog(f) }},
	} {
		if err := output.WithFile(filepath.Join(dir, part.name), func(f *os.File) error { return part.read(r.run, f) }); err != nil {
			return r, fmt.Errorf("read the test report: %w", err)
		}
	}
	return r, nil
}

// readOr reads a small file; nothing where it cannot be read.
func readOr(dir, name string) []byte {
	var out []byte
	_ = output.WithFile(filepath.Join(dir, name), func(f *os.File) error { // missing evidence is no evidence
		buf := make([]byte, 16<<10)
		n, _ := f.Read(buf) // as above
		out = buf[:n]
		return nil
	})
	return out
}

// tailOf reads the end of a file.
func tailOf(path string) (string, error) {
	f, err := wholefile.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // only read
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	buf := make([]byte, min(info.Size(), output.MessageLimit))
	n, _ := f.ReadAt(buf, info.Size()-int64(len(buf))) // a shorter text is fine
	return strings.ToValidUTF8(string(buf[:n]), "?"), nil
}
