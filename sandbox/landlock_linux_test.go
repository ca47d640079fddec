package sandbox

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// landlocks skips a test where the system lets no walls be made of Landlock. It says
// which version there is.
func landlocks(t *testing.T) int {
	t.Helper()
	linux(t)
	v, err := version()
	if err == nil && !Stands(t.Context(), Landlock) {
		err = fmt.Errorf("Landlock of ABI %d starts no command", v)
	}
	if err != nil {
		t.Skip(err)
	}
	return v
}

// yard is a machine to attack: a home, what lies beside it, and the command's folder.
type yard struct{ home, outside, tree string }

func newYard(t *testing.T) yard {
	t.Helper()
	y := yard{t.TempDir(), t.TempDir(), t.TempDir()}
	for name, text := range map[string]string{
		y.home + "/.ssh/id": "key\n", y.home + "/.bashrc": "old\n", y.home + "/tools/bin/tool": "tool\n", y.home + "/tools/token": "key\n",
		y.home + "/hidden/run": "#!/bin/sh\necho ran\n", y.outside + "/file": "theirs\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return y
}

func (y yard) walls() Walls {
	return Walls{
		By: Landlock, Network: Loopback, Limits: Limits{FileSize: 1 << 20},
		Hidden: []string{os.TempDir(), "/tmp", "/dev", y.home, y.home + "/tools/token", y.outside},
		Shown:  []string{y.home + "/tools"}, Given: []string{y.tree, "/dev/null", "/dev/zero"},
	}
}

// What a command might do to its user's machine fails within walls of Landlock, and is
// done without them.
func TestLandlock(t *testing.T) {
	t.Parallel()
	abi := landlocks(t)
	for name, script := range map[string]string{
		"read a key":                  "grep key $H/.ssh/id",
		"read a hidden file":          "grep key $H/tools/token",
		"list a home":                 "ls $H",
		"read by way of /proc":        "grep key /proc/self/cwd$H/.ssh/id || grep key /proc/self/root$H/.ssh/id",
		"read by a link":              "ln -s $H/.ssh/id l; grep key l",
		"read by a hard link":         "ln $H/.ssh/id hard && grep key hard",
		"move a key here":             "mv $H/.ssh/id moved && grep key moved",
		"run a hidden program":        "$H/hidden/run",
		"change the next login":       "echo spoiled >>$H/.bashrc",
		"empty a file":                "truncate -s 0 $O/file && ! test -s $O/file",
		"remove a file":               "rm $O/file && ! test -e $O/file",
		"make a file":                 "touch $O/new",
		"make a folder":               "mkdir $O/new",
		"make a socket":               "mkfifo $O/new",
		"put a file there":            "echo x >x; mv x $O/ && test -e $O/x",
		"put a link there":            "ln -s /etc/passwd $O/link",
		"write by a link":             "ln -s $O to; echo x >to/new",
		"change a tool":               "echo spoiled >>$H/tools/bin/tool",
		"put a tool in its place":     "echo x >x; mv x $H/tools/bin/tool && grep x $H/tools/bin/tool",
		"write a large file":          "head -c 2000000 /dev/zero >large",
		"see the user's environments": "grep -a PATH /proc/$P/environ",
		"see the user's files":        "ls /proc/$P/fd /proc/$P/cwd/",
		"see what the user shares":    "ls /dev/shm",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, off := range []bool{true, false} {
				y := newYard(t)
				c, out := shell(t, "{ "+script+"; } && echo escaped")
				c.Dir, c.Env = y.tree, append(os.Environ(), "H="+y.home, "O="+y.outside, "P="+strconv.Itoa(os.Getpid()))
				if w := y.walls(); !off {
					c.Walls = &w
				}
				end, err := run(t.Context(), tierReaper, c)
				if got := strings.Contains(out.String(), "escaped"); err != nil || got != off {
					t.Errorf("off %t, ABI %d: %+v %v %s", off, abi, end, err, out)
				}
			}
		})
	}
}

// Within walls of Landlock a command works with what is its own as anywhere.
func TestLandlockLeavesItsOwn(t *testing.T) {
	t.Parallel()
	landlocks(t)
	y := newYard(t)
	w := y.walls()
	c, out := shell(t, `cat $H/tools/bin/tool && mkdir -p a/b c && echo kept >a/b/file && mv a/b/file c/ && ln c/file hard && ln -s c/file soft && cat hard soft &&
rm -r a hard && chmod 600 c/file && : >/dev/null && echo x | cat /dev/stdin && grep -c . /etc/passwd >/dev/null && { sh -c 'kill $$'; } 2>/dev/null; echo $?; (sleep 60 & kill $!); exit 3`)
	c.Dir, c.Env, c.Walls = y.tree, append(os.Environ(), "H="+y.home), &w
	end, err := Run(t.Context(), c)
	if err != nil || end != (Ending{Code: 3}) || out.String() != "tool\nkept\nkept\nx\n143\n" {
		t.Errorf("%+v %v %s", end, err, out)
	}
	for what, change := range map[string]func(*Command){
		"no program":   func(c *Command) { c.Path = "/nowhere/sh" },
		"a hidden one": func(c *Command) { c.Path = y.home + "/hidden/run" },
		"no folder":    func(c *Command) { c.Dir = "/nowhere" },
	} {
		c, _ := shell(t, "exit 0")
		c.Walls = &w
		change(&c)
		if end, err := Run(t.Context(), c); err != nil || end.Code != 127 || end.Refused == "" {
			t.Errorf("%s: %+v %v", what, end, err)
		}
	}
}

// A command reaches no server, its own neither: who answers on a loopback that is the
// user's too cannot be told from here. With the host's network it reaches them all.
func TestLandlockNetwork(t *testing.T) {
	t.Parallel()
	abi := landlocks(t)
	for _, where := range []string{
		"tcp 127.0.0.1:0", "tcp [::1]:0", "udp 127.0.0.1:0", "unix @box-landlock-" + strconv.Itoa(os.Getpid()), "unix " + filepath.Join(t.TempDir(), "docker"),
	} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			at := echo(t, where)
			for _, network := range []Network{Loopback, None} {
				escapes(t, Walls{By: Landlock, Network: network, Given: []string{"/dev/null"}}, actor("dial "+at))
			}
			c, out := shell(t, "")
			actor("dial " + at)(&c)
			c.Walls = &Walls{By: Landlock, Network: Host, Given: []string{"/dev/null"}}
			_, err := Run(t.Context(), c)
			closed := strings.HasPrefix(where, "unix @") && abi >= abiScopes || strings.HasPrefix(where, "unix /") && abi >= abiSockets
			if err != nil || strings.Contains(out.String(), "escaped") == closed {
				t.Errorf("host: %v %s", err, out)
			}
		})
	}
}

// Sockets of no other kind are to be had, nor what would make one behind the filter's
// back; those between a command's own processes are.
func TestLandlockSockets(t *testing.T) {
	t.Parallel()
	landlocks(t)
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for network, want := range map[Network]string{None: "unix pair", Host: "unix pair inet inet6 multipath netlink"} {
		c, out := shell(t, "")
		c.Path, c.Args, c.Env = own, []string{"actor", "-test.run=^TestSocketActor$"}, append(os.Environ(), "BOX_SOCKETS=1")
		c.Walls = &Walls{By: Landlock, Network: network, Given: []string{"/dev/null"}}
		if _, err := Run(t.Context(), c); err != nil || !strings.Contains(out.String(), "got "+want+"\n") {
			t.Errorf("%s: %v %s", network, err, out)
		}
	}
	c, out := shell(t, "")
	c.Path, c.Args, c.Env = own, []string{"actor", "-test.run=^TestSocketActor$"}, append(os.Environ(), "BOX_SOCKETS=1")
	if _, err := Run(t.Context(), c); err != nil || !strings.Contains(out.String(), "inet6 multipath netlink") || !strings.Contains(out.String(), "call") {
		t.Errorf("free: %v %s", err, out)
	}
}

// TestSocketActor is what a command does in the test of sockets.
func TestSocketActor(t *testing.T) { //nolint:paralleltest // it is no test
	if os.Getenv("BOX_SOCKETS") == "" {
		t.Skip("another test starts it")
	}
	var got []string
	note := func(name string, err error) {
		if err == nil {
			got = append(got, name)
		}
	}
	open := func(name string, family, kind, protocol int) {
		fd, err := unix.Socket(family, kind, protocol)
		note(name, err)
		_ = unix.Close(fd)
	}
	open("unix", unix.AF_UNIX, unix.SOCK_STREAM, 0)
	_, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	note("pair", err)
	open("inet", unix.AF_INET, unix.SOCK_STREAM, 0)
	open("inet6", unix.AF_INET6, unix.SOCK_DGRAM, 0)
	open("multipath", unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP)
	open("netlink", unix.AF_NETLINK, unix.SOCK_RAW, 0)
	open("packet", unix.AF_PACKET, unix.SOCK_RAW, 0)
	open("machine", unix.AF_VSOCK, unix.SOCK_STREAM, 0)
	for _, number := range slices.Concat(absent(), shared()) {
		if _, _, errno := unix.Syscall(uintptr(number), 1<<30, 0, 0); errno != unix.ENOSYS && errno != unix.EACCES {
			note("call "+strconv.Itoa(int(number)), nil)
		}
	}
	fmt.Println("got", strings.Join(got, " "))
}

// A command can end neither its box, which has to hunt down what it leaves, nor any
// other process of the user's.
func TestLandlockSignals(t *testing.T) {
	t.Parallel()
	if landlocks(t) < abiScopes {
		t.Skip("this kernel's Landlock knows nothing of signals")
	}
	sleeper := exec.CommandContext(t.Context(), "sleep", "1000")
	if err := sleeper.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = sleeper.Process.Kill(), sleeper.Wait() })
	word := "landlock-signals-" + filepath.Base(t.TempDir())
	y := newYard(t)
	w := y.walls()
	c, out := shell(t, escapee(word)+"for p in $PPID $SLEEPER $TESTER; do kill -9 $p && echo escaped; done")
	c.Walls, c.Dir, c.Env = &w, y.tree, append(os.Environ(), "SLEEPER="+strconv.Itoa(sleeper.Process.Pid), "TESTER="+strconv.Itoa(os.Getppid()))
	end, err := Run(t.Context(), c)
	if err != nil || end.Refused != "" || strings.Contains(out.String(), "escaped") {
		t.Errorf("%+v %v %s", end, err, out)
	}
	if err := sleeper.Process.Signal(unix.Signal(0)); err != nil {
		t.Error("a process of the user's was ended")
	}
	if left := alive(t, word); len(left) > 0 {
		t.Errorf("alive after the end: %q", left)
	}
	c, out = shell(t, "kill -9 $SLEEPER && echo escaped")
	c.Env = append(os.Environ(), "SLEEPER="+strconv.Itoa(sleeper.Process.Pid))
	if _, err := run(t.Context(), tierReaper, c); err != nil || !strings.Contains(out.String(), "escaped") {
		t.Errorf("without walls: %v %s", err, out)
	}
}

// The hunter ends what a command within walls left behind, also when the command's time
// is over.
func TestLandlockHunts(t *testing.T) {
	t.Parallel()
	landlocks(t)
	y := newYard(t)
	w := y.walls()
	word := "landlock-hunts-" + filepath.Base(t.TempDir())
	c, _ := shell(t, escapee(word)+"echo started; sleep 1000")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c.Walls, c.Dir = &w, y.tree
	c.Stdout = writerFunc(func(p []byte) (int, error) { cancel(); return len(p), nil })
	if end, err := Run(ctx, c); err != nil || !end.Late {
		t.Errorf("%+v %v", end, err)
	}
	if left := alive(t, word); len(left) > 0 {
		t.Errorf("alive after the end: %q", left)
	}
}

// What a version of Landlock lacks is named, and no version is enough for everything.
func TestOpened(t *testing.T) {
	t.Parallel()
	for v := abiTruncate; v < 12; v++ {
		open := strings.Join(opened(v), "\n")
		for abi, what := range map[int]string{abiTCP: "connections", abiDevices: "devices", abiScopes: "signals", abiSockets: "D-Bus"} {
			if strings.Contains(open, what) != (v < abi) {
				t.Errorf("ABI %d: %s", v, open)
			}
		}
	}
}

// A kernel without Landlock, or with one that is too old, offers no walls where it makes
// no namespaces, and is named; a command that is to run within some does not run.
func TestWithoutLandlock(t *testing.T) {
	t.Parallel()
	linux(t)
	errno, lacks := os.Getenv("BOX_WITHOUT_LANDLOCK"), map[string]unix.Errno{"no Landlock": unix.ENOSYS, "without Landlock (lsm=)": unix.EOPNOTSUPP}
	if errno == "" {
		own, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		for why := range lacks {
			cmd := exec.CommandContext(t.Context(), "unshare", "-Ur", "sh", "-c", `echo 0 >/proc/sys/user/max_user_namespaces && exec "$0" "$@"`, own, "-test.run=^TestWithoutLandlock$", "-test.v")
			cmd.Env = append(os.Environ(), "BOX_WITHOUT_LANDLOCK="+why)
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "--- PASS") {
				t.Errorf("%v\n%s", err, out)
			}
		}
		return
	}
	play(t, []unix.SockFilter{load(offNumber), when(unix.SYS_LANDLOCK_CREATE_RULESET), refuse(lacks[errno]), allow()})
	offer := Offered(t.Context())
	if offer.Means != "" || !strings.Contains(offer.Why, errno) || !strings.Contains(offer.Why, "user namespaces") || Containment(t.Context()) != tierReaper {
		t.Errorf("%+v", offer)
	}
	c, out := shell(t, "echo ran")
	c.Walls = &Walls{By: Landlock}
	if end, err := Run(t.Context(), c); err == nil || !strings.Contains(err.Error(), errno) || out.Len() > 0 {
		t.Errorf("%+v %v %s", end, err, out)
	}
}

// play has the kernel answer all threads of this process, and all that it starts, as
// another one would.
func play(t *testing.T, code []unix.SockFilter) {
	t.Helper()
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]}
	if _, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_TSYNC, uintptr(unsafe.Pointer(&program))); errno != 0 {
		t.Fatal(errno)
	}
}
