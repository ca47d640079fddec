package box

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// boxFlag marks a start of our own program as a box. It has the form of a flag
// so that a program that would not know it refuses it.
const boxFlag = "-testrun.box"

// The files a box inherits after the three standard ones.
const (
	statusFD = 3
	aliveFD  = 4
)

// init makes this process a box if it was started to be one. The rest of the
// program is never initialised then, which would make a third of its start.
func init() { //nolint:gochecknoinits // see above; main would come too late
	if len(os.Args) > 2 && os.Args[1] == boxFlag {
		os.Exit(live(os.Args[2])) //nolint:forbidigo // this is a box's main
	}
}

// live is the life of a box: set up, wait for the command, start it, wait for
// its end, kill what it left behind, report.
func live(tier string) int {
	runtime.LockOSThread() // capabilities belong to a thread
	syscall.CloseOnExec(statusFD)
	syscall.CloseOnExec(aliveFD)
	status := os.NewFile(statusFD, "status")
	defer status.Close() //nolint:errcheck // nobody is left to tell
	alive := os.NewFile(aliveFD, "alive")
	killAll := enter(tier)
	report := ""
	if o, err := receive(alive); errors.Is(err, io.EOF) {
		report = "exit 0" // nobody wants anything
	} else if err == nil {
		report = o.run(alive, killAll)
	}
	_, err := io.WriteString(status, report)
	return code(err)
}

// run runs the command and words how it ended.
func (o order) run(alive io.Reader, killAll func()) string {
	pid, err := o.start()
	if err != nil {
		return "start " + err.Error()
	}
	go func() {
		_, _ = io.Copy(io.Discard, alive) // ends when git-tdd does
		killAll()
	}()
	report := reap(pid)
	killAll()
	return report
}

// code is the exit code for an error.
func code(err error) int {
	if err != nil {
		return 1
	}
	return 0
}

// enter makes this process what its tier asks for and returns how to kill every
// other process of the box. This is the place for further walls: they must
// stand before the command starts.
func enter(tier string) (killAll func()) {
	if tier == tierNamespace && os.Getpid() == 1 { // only as the first of a namespace may we kill "everybody"
		freshProc()
		letGo()
		// Never more than the user has: the command must not get what we mounted with.
		_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
		return func() { _ = unix.Kill(-1, unix.SIGKILL) } // all of the namespace but ourselves
	}
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	catch()
	return sweep
}

// letGo takes the handlers of our runtime away, so that no signal that a program
// sends ends the box: of the first process of a namespace the kernel keeps those
// that it has no handler for. The runtime needs the one for SIGURG to itself.
func letGo() {
	var standard [64]byte // whatever the layout, all zero is the default action
	for number := syscall.Signal(1); number <= 64; number++ {
		if number == unix.SIGKILL || number == unix.SIGSTOP || number == unix.SIGURG {
			continue
		}
		_, _, errno := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(number), uintptr(unsafe.Pointer(&standard)), 0, 8, 0, 0) //nolint:gosec // as the call demands
		if errno != 0 {
			catch() // a processor on which a set of signals is larger
			return
		}
	}
}

// catch keeps what programs usually send from ending the box. It is caught, not
// ignored, because the command would inherit that.
func catch() {
	signal.Notify(make(chan os.Signal, 1), unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGTERM, unix.SIGUSR1, unix.SIGUSR2)
}

// freshProc mounts a /proc that shows this namespace only. It is a courtesy to
// the command, not a wall, so a kernel that refuses it is no failure.
func freshProc() {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err == nil {
		_ = unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "")
	}
}

// order is a command as it comes to the box.
type order struct {
	path, dir string
	oneStream bool // standard error goes where standard output does
	args, env []string
}

// receive waits for the command. io.EOF means that there will be none.
func receive(alive io.Reader) (order, error) {
	header := make([]byte, 10)
	if _, err := io.ReadFull(alive, header); err != nil {
		return order{}, err
	}
	size, err := strconv.Atoi(string(header))
	if err != nil {
		return order{}, err
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(alive, text); err != nil {
		return order{}, err
	}
	field := strings.Split(string(text), "\x00")
	args, err := strconv.Atoi(field[3])
	return order{path: field[0], dir: field[1], oneStream: field[2] == "1", args: field[4 : 4+args], env: field[4+args:]}, err
}

// start starts the command with our output and without any input.
func (o order) start() (int, error) {
	stderr := uintptr(2)
	if o.oneStream {
		stderr = 1
	}
	pid, _, err := syscall.StartProcess(o.path, o.args, &syscall.ProcAttr{
		Dir: o.dir, Env: o.env, Files: []uintptr{0, 1, stderr}, Sys: &syscall.SysProcAttr{Setpgid: true},
	})
	return pid, err
}

// reap waits for the command, and for every orphan on the way, and words how
// the command ended.
func reap(command int) string {
	for {
		var ws syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &ws, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return "signal " + strconv.Itoa(int(syscall.SIGKILL))
		case pid == command && ws.Signaled():
			return fmt.Sprintf("signal %d", ws.Signal())
		case pid == command && ws.Exited():
			return fmt.Sprintf("exit %d", ws.ExitStatus())
		}
	}
}

// sweep kills every descendant: it stops them until no new one appears, so that
// none can fork away, and kills them only then. It ends when none is left.
func sweep() {
	for stopped := map[int]bool{}; ; {
		fresh := false
		for _, pid := range descendants(os.Getpid()) {
			if !stopped[pid] {
				stopped[pid], fresh = true, true
				_ = unix.Kill(pid, unix.SIGSTOP)
			}
		}
		if fresh {
			continue
		}
		for pid := range stopped {
			_ = unix.Kill(pid, unix.SIGKILL)
		}
		stopped = map[int]bool{}
		if !reapDead() {
			return
		}
	}
}

// reapDead collects children that are dead and reports whether any child is left.
func reapDead() bool {
	pid, err := syscall.Wait4(-1, nil, 0, nil)
	return pid > 0 || errors.Is(err, syscall.EINTR)
}

// descendants lists the living descendants of a process.
func descendants(root int) []int {
	children := make(map[int][]int)
	stats, _ := filepath.Glob("/proc/[0-9]*/stat") // the pattern is well-formed
	for _, name := range stats {
		if pid, parent := family(name); pid > 0 {
			children[parent] = append(children[parent], pid)
		}
	}
	var out []int
	for todo := children[root]; len(todo) > 0; {
		pid := todo[0]
		out = append(out, pid)
		todo = append(todo[1:], children[pid]...)
	}
	return out
}

// family reads pid and parent from a /proc/PID/stat file; zero for a process
// that is gone or dead already.
func family(name string) (pid, parent int) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return 0, 0
	}
	end := bytes.LastIndexByte(raw, ')') // the name in parentheses may hold anything
	var state string
	if _, err := fmt.Sscan(string(raw[end+1:]), &state, &parent); err != nil || state == "Z" {
		return 0, 0
	}
	if _, err := fmt.Sscan(string(raw), &pid); err != nil {
		return 0, 0
	}
	return pid, parent
}
