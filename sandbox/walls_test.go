package sandbox

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// walled skips a test where the system lets no walls be built.
func walled(t *testing.T) {
	t.Helper()
	linux(t)
	if !Stands(t.Context(), Namespaces) {
		t.Skip("the kernel lets no walls be built here")
	}
}

// escapes runs an attack within walls, where it must fail, and without, where it must
// succeed: else it would show nothing. It prints "escaped" where it has.
func escapes(t *testing.T, w Walls, change func(*Command)) {
	t.Helper()
	for _, walls := range []*Walls{nil, &w} {
		c, out := shell(t, "exit 1")
		c.Walls = walls
		change(&c)
		end, err := Run(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(out.String(), "escaped"); got != (walls == nil) {
			t.Errorf("walls %t: %+v %s", walls != nil, end, out)
		}
	}
}

// actor makes a command this test program, which then does something itself.
func actor(act string) func(*Command) {
	return func(c *Command) {
		own, _ := os.Executable() // without it nothing can be started
		c.Path, c.Args = own, []string{"actor", "-test.run=^TestActor$"}
		c.Env = append(os.Environ(), "BOX_ACT="+act)
	}
}

// TestActor is what a command does in the tests of walls.
func TestActor(t *testing.T) { //nolint:paralleltest // it is no test
	what, where, _ := strings.Cut(os.Getenv("BOX_ACT"), " ")
	switch what {
	case "":
		t.Skip("the other tests start it")
	case "dial":
		dial(t, where)
	case "serve":
		dial(t, echo(t, where))
	}
}

// dial says whether somebody answers.
func dial(t *testing.T, where string) {
	t.Helper()
	network, address, _ := strings.Cut(where, " ")
	conn, err := (&net.Dialer{Timeout: 2 * time.Second}).DialContext(t.Context(), network, address)
	if err == nil {
		defer conn.Close() //nolint:errcheck // nothing more is wanted of it
		_ = conn.SetDeadline(time.Now().Add(2 * time.Second))
		_, err = conn.Write([]byte("x"))
	}
	if err == nil {
		_, err = conn.Read(make([]byte, 1))
	}
	if fmt.Println(err); err == nil {
		fmt.Println("escaped")
	}
}

// echo answers whoever asks, at the address; it says which one that is.
func echo(t *testing.T, where string) string {
	t.Helper()
	network, address, _ := strings.Cut(where, " ")
	if strings.HasPrefix(network, "udp") {
		conn, err := new(net.ListenConfig).ListenPacket(t.Context(), network, address)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		go func() {
			buf := make([]byte, 1)
			for {
				_, from, err := conn.ReadFrom(buf)
				if err != nil {
					return
				}
				_, _ = conn.WriteTo(buf, from)
			}
		}()
		return network + " " + conn.LocalAddr().String()
	}
	listener, err := new(net.ListenConfig).Listen(t.Context(), network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = io.CopyN(conn, conn, 1)
			_ = conn.Close()
		}
	}()
	return network + " " + listener.Addr().String()
}

// A command reaches no server but its own, whatever the protocol.
func TestNetwork(t *testing.T) {
	t.Parallel()
	walled(t)
	for _, where := range []string{"tcp 127.0.0.1:0", "tcp [::1]:0", "udp 127.0.0.1:0", "unix @box-" + filepath.Base(t.TempDir()) + fmt.Sprint(os.Getpid())} {
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			at := echo(t, where)
			for _, network := range []Network{Loopback, None} {
				escapes(t, Walls{Network: network}, actor("dial "+at))
			}
		})
	}
}

// A command that starts a server of its own reaches it, where it may.
func TestLoopback(t *testing.T) {
	t.Parallel()
	walled(t)
	for network, reached := range map[Network]bool{Host: true, Loopback: true, None: false} {
		c, out := shell(t, "")
		actor("serve tcp 127.0.0.1:0")(&c)
		c.Walls = &Walls{Network: network}
		if _, err := Run(t.Context(), c); err != nil || strings.Contains(out.String(), "escaped") != reached {
			t.Errorf("%s: %v %s", network, err, out)
		}
	}
}

// A command can change nothing but what it was given, and read nothing that is hidden.
func TestFiles(t *testing.T) {
	t.Parallel()
	walled(t)
	home, given := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{".ssh/id": "key", "tools/bin/tool": "tool", "tools/token": "key", "repository/.git/config": "other"} {
		name = filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	outside := t.TempDir()
	w := Walls{
		Hidden: []string{home, filepath.Join(home, "tools", "token")}, Shown: []string{filepath.Join(home, "tools")},
		Given: []string{given}, Links: map[string]string{filepath.Join(home, "link"): "tools"},
	}
	c, out := shell(t, "cat $HOME/link/bin/tool && echo kept >file && echo lost >$HOME/file && cat file $HOME/file && : >/dev/null && "+
		"unshare -Ur --mount sh -c 'umount -l \"$0\"; mount -o remount,bind,rw /; mount -o remount,rw,bind \"$0/tools\"; cat \"$0\"/.ssh/id; touch \"$0/tools/new\" "+outside+"/new' $HOME 2>/dev/null; true")
	c.Dir, c.Walls, c.Env = given, &w, append(os.Environ(), "HOME="+home)
	if end, err := Run(t.Context(), c); err != nil || end != (Ending{}) || out.String() != "toolkept\nlost\n" {
		t.Errorf("%+v %v %s", end, err, out)
	}
	if text, err := os.ReadFile(filepath.Join(given, "file")); err != nil || string(text) != "kept\n" {
		t.Errorf("%q %v", text, err)
	}
	for _, name := range []string{filepath.Join(home, "file"), filepath.Join(home, "tools", "new"), filepath.Join(outside, "new")} {
		if _, err := os.Lstat(name); err == nil {
			t.Errorf("%s is there", name)
		}
	}
	for name, script := range map[string]string{ //nolint:paralleltest // what one does without walls, another would see
		"read a key":           "grep key $HOME/.ssh/id && echo escaped",
		"read a hidden file":   "grep key $HOME/tools/token && echo escaped",
		"read a repository":    "test -e $HOME/repository && echo escaped",
		"write outside":        "touch " + outside + "/new && echo escaped",
		"change a tool":        "echo >>$HOME/tools/bin/tool && echo escaped",
		"put a tool elsewhere": "mkdir $HOME/old && mv $HOME/tools/bin/tool $HOME/old/tool && mv $HOME/old/tool $HOME/tools/bin/ && echo escaped",
		"link to outside":      "ln -s " + outside + " l && touch l/new && rm l && echo escaped || { rm l; false; }",
	} {
		t.Run(name, func(t *testing.T) {
			escapes(t, w, func(c *Command) {
				c.Args[2], c.Dir, c.Env = script, given, append(os.Environ(), "HOME="+home)
			})
		})
	}
}

// Where the system makes no namespaces, a command that is to run within walls does not
// run at all, and any other one is hunted down in the end.
func TestWithoutNamespaces(t *testing.T) {
	t.Parallel()
	linux(t)
	const inside = "BOX_WITHOUT_NAMESPACES"
	if os.Getenv(inside) == "" {
		own, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "unshare", "-Ur", "sh", "-c", `echo 0 >/proc/sys/user/max_user_namespaces && exec "$0" "$@"`, own, "-test.run=^TestWithoutNamespaces$", "-test.v")
		cmd.Env = append(os.Environ(), inside+"=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	if Stands(t.Context(), Namespaces) || Tier(t.Context()) != tierReaper {
		t.Fatalf("tier %s", Tier(t.Context()))
	}
	c, out := shell(t, "echo ran")
	c.Walls = &Walls{Network: Loopback}
	if _, err := Run(t.Context(), c); !errors.Is(err, errRefused) || out.Len() > 0 {
		t.Errorf("%v %s", err, out)
	}
	c.Walls = nil
	if end, err := Run(t.Context(), c); err != nil || end != (Ending{}) || out.String() != "ran\n" {
		t.Errorf("%+v %v %s", end, err, out)
	}
}

// Sockets of the user's are hidden with the folders in which they lie.
func TestSockets(t *testing.T) {
	t.Parallel()
	walled(t)
	dir := t.TempDir()
	at := echo(t, "unix "+filepath.Join(dir, "docker"))
	escapes(t, Walls{Network: Host, Hidden: []string{dir}}, actor("dial "+at))
}

// A command finds no terminal and no disk, nor what the user's processes share in
// memory.
func TestDevices(t *testing.T) {
	t.Parallel()
	walled(t)
	shared, err := os.CreateTemp("/dev/shm", "box-")
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { _ = os.Remove(shared.Name()) })
	escapes(t, Walls{}, func(c *Command) { c.Args[2] = "test -e " + shared.Name() + " && echo escaped" })
	for _, script := range []string{
		"echo >/dev/null && head -c1 /dev/urandom >/dev/null && mkfifo /dev/shm/f && ls /dev/pts/ptmx /dev/fd/0 >/dev/null && echo fine",
		"ls /dev | grep -v -x -E 'fd|full|null|ptmx|pts|random|shm|std(in|out|err)|tty|u?random|zero' || echo fine",
		"read line || echo fine", "(: >/dev/tty) 2>&- || echo fine",
		"(echo 300 >/proc/sys/kernel/pid_max || echo h >/proc/sysrq-trigger) 2>&- || echo fine",
		"echo 5 >/proc/self/oom_score_adj && echo fine",
	} {
		c, out := shell(t, script)
		c.Walls = &Walls{}
		if end, err := Run(t.Context(), c); err != nil || out.String() != "fine\n" {
			t.Errorf("%s: %+v %v %s", script, end, err, out)
		}
	}
}

// A command starts only so many processes, and writes only so much into a file.
func TestLimits(t *testing.T) {
	t.Parallel()
	walled(t)
	for name, script := range map[string]string{
		"processes": "for i in $(seq 450); do sleep 60 & all=\"$all $!\"; done; kill $all && echo escaped",
		"file":      "head -c 2000000 /dev/zero >file && echo escaped",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			escapes(t, Walls{Given: []string{dir}, Limits: Limits{Processes: 100, FileSize: 1 << 20}}, func(c *Command) {
				c.Args[2], c.Dir = script, dir
			})
		})
	}
}

// Root within walls has nothing of what makes it the machine's.
func TestCapabilities(t *testing.T) {
	t.Parallel()
	walled(t)
	c, out := shell(t, "sed -n 's/^CapEff://p; s/^NoNewPrivs://p' /proc/self/status; cat /proc/1/environ 2>&- || echo locked")
	c.Walls = &Walls{}
	if _, err := Run(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	const filesAndProcesses = 0x800004fb // chown to setuid, low ports, capabilities of files
	var capabilities, noNew uint64
	var locked string
	if _, err := fmt.Sscanf(out.String(), "%x\n%d\n%s", &capabilities, &noNew, &locked); err != nil || capabilities&^filesAndProcesses != 0 || noNew != 1 || locked != "locked" {
		t.Errorf("%v %s", err, out)
	}
}

// What whoever started us has open stays closed to commands.
func TestDescriptors(t *testing.T) {
	t.Parallel()
	linux(t)
	if os.Getenv("BOX_INHERITS") == "" {
		secret := filepath.Join(t.TempDir(), "secret")
		if err := os.WriteFile(secret, []byte("key"), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), "sh", "-c", `exec 9<"$0" && exec "$1" -test.run=^TestDescriptors$`, secret, os.Args[0])
		cmd.Env = append(os.Environ(), "BOX_INHERITS=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v %s", err, out)
		}
		return
	}
	for _, tier := range tiers() {
		if !offers(t.Context(), tier) {
			continue
		}
		c, out := shell(t, "ls /proc/self/fd; cat <&9 || echo closed")
		if _, err := run(t.Context(), tier, c); err != nil || !strings.Contains(out.String(), "closed") {
			t.Errorf("%s: %v %s", tier, err, out)
		}
	}
}
