package sandbox

import (
	"bytes"
	"encoding/gob"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// The files that a box inherits after the three standard ones.
const (
	reportFD = 3 // here it reports
	ordersFD = 4 // here the command comes; when it is closed, nobody wants the box any more
)

func init() { //nolint:gochecknoinits // a program need not know that it may be started as a box
	if len(os.Args) > 2 && os.Args[1] == flag {
		os.Exit(begin(os.Args[2], os.Args[3:])) //nolint:forbidigo // this is a box's main
	}
}

// begin does what this start of the program is for.
func begin(what string, args []string) int {
	switch what {
	case keepOutside:
		return keep(args)
	case keepWithin:
		return kept(args)
	case landlockWithin:
		return landlocked()
	}
	return live(what)
}

// live is the life of a box: set up, wait for the command, build the last walls, start it, wait
// for its end, kill what it left behind, report.
func live(tier string) int {
	runtime.LockOSThread() // capabilities belong to a thread
	report, orders := os.NewFile(reportFD, "report"), os.NewFile(ordersFD, "orders")
	syscall.CloseOnExec(reportFD)
	syscall.CloseOnExec(ordersFD)
	if tier == tierNamespace && os.Getpid() != 1 { // only as the first of a namespace may we kill "everybody"
		tier = tierReaper
	}
	enter(tier)
	var c Command
	if gob.NewDecoder(orders).Decode(&c) != nil {
		return 1 // whoever wanted it is gone
	}
	var end answer
	if err := c.wallOff(tier); err != nil {
		end.Walls = err.Error()
	} else {
		end = c.run(tier, orders)
	}
	if gob.NewEncoder(report).Encode(end) != nil {
		return 1
	}
	return 0
}

// wallOff builds the walls and takes from the command what it needs not.
func (c Command) wallOff(tier string) error {
	if (len(c.Mounts) > 0 || c.Walls != nil && !c.Walls.By.Forbids()) && tier != tierNamespace {
		return errors.New("its process has no namespace of its own")
	}
	if err := c.mount(); err != nil {
		return err
	}
	if c.Walls != nil && tier == tierNamespace {
		if err := c.Walls.build(); err != nil {
			return err
		}
	}
	if err := closeInherited(); err != nil {
		return err
	}
	if c.Walls != nil {
		return confine()
	}
	if tier == tierNamespace {
		withhold()
	}
	return nil
}

// enter makes this process what its tier asks for. This is the place for further
// walls: they must stand before the command starts.
func enter(tier string) {
	catch()
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0) // the kernel ends what runs in a box first, before anything of the user's
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)                // nobody reads our memory or our pipes
	if tier == tierReaper {
		_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) // an older kernel has none
		return
	}
	freshProc()
	// Never more than the user has: the command must not get what we mounted with.
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
}

// catch keeps signals that a program sends from ending the box. They are caught, not ignored,
// because the command would inherit that, and not left to the kernel, which spares the first
// process of a namespace, but not while a thread blocks signals. Those that no Go program can
// catch are ignored: the C library of a command that uses them sets a handler of its own.
func catch() {
	signal.Notify(make(chan os.Signal, 1))
	ignored := [4]uintptr{1} // the kernel's struct sigaction, with SIG_IGN as its handler
	const maskSize = 8
	for reserved := uintptr(32); reserved <= 34; reserved++ {
		_, _, _ = unix.RawSyscall6(unix.SYS_RT_SIGACTION, reserved, uintptr(unsafe.Pointer(&ignored)), 0, maskSize, 0, 0) //nolint:gosec // no other way leads there
	}
}

// freshProc mounts a /proc of this namespace only; mounts outside come in, and none go out. It
// is a courtesy, not a wall, so a kernel that refuses it is no failure.
func freshProc() {
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_SLAVE, ""); err == nil {
		_ = syscall.Mount("proc", "/proc", "proc", syscall.MS_NOSUID|syscall.MS_NODEV|syscall.MS_NOEXEC, "")
	}
}

// run runs the command with our input and output, and ends whatever it leaves.
func (c Command) run(tier string, orders io.Reader) answer {
	pid, failed := c.start()
	if failed != (answer{}) {
		return failed
	}
	if tier == tierNamespace { // it ends with us, and we with git-tdd
		defer func() { _ = syscall.Kill(-1, syscall.SIGKILL) }() // all of it but ourselves
		return reap(pid)
	}
	go func() {
		_, _ = io.Copy(io.Discard, orders) // ends when git-tdd does, or wants us to
		sweep()
	}()
	defer sweep()
	return reap(pid)
}

// start starts the command, within walls that hold for it and not for us where there
// are such: we must be able to end it.
func (c Command) start() (pid int, failed answer) {
	if c.Walls != nil && c.Walls.By == Landlock {
		return c.landlock()
	}
	pid, _, err := syscall.StartProcess(c.Path, c.Args, &syscall.ProcAttr{
		Dir: c.Dir, Env: c.Env, Files: []uintptr{0, 1, 2}, Sys: &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		return 0, unstarted(err)
	}
	return pid, answer{}
}

// reap waits for the command, and for every orphan on the way.
func reap(command int) answer {
	for {
		var ws syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &ws, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return answer{Ending: killed(syscall.SIGKILL)}
		case pid == command && ws.Signaled():
			return answer{Ending: killed(ws.Signal())}
		case pid == command && ws.Exited():
			return answer{Ending: Ending{Code: ws.ExitStatus()}}
		}
	}
}

// sweep kills every descendant. It stops them until no new one appears, so that none can fork away,
// before it kills them. Orphans come to us, so a process without children has no descendants.
func sweep() {
	for stopped := map[int]bool{}; hasChild(syscall.WNOHANG); {
		fresh := false
		for _, pid := range descendants(os.Getpid()) {
			if !stopped[pid] {
				stopped[pid], fresh = true, true
				_ = syscall.Kill(pid, syscall.SIGSTOP)
			}
		}
		if fresh {
			continue
		}
		for pid := range stopped {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		stopped = map[int]bool{}
		hasChild(0)
	}
}

// hasChild collects dead children, or waits for one that dies, and reports whether any is left.
func hasChild(options int) bool {
	for {
		pid, err := syscall.Wait4(-1, nil, options, nil)
		if errors.Is(err, syscall.EINTR) || pid > 0 && options == syscall.WNOHANG {
			continue
		}
		return err == nil
	}
}

// descendants lists the living descendants of a process.
func descendants(root int) []int {
	children := make(map[int][]int)
	names, _ := os.ReadDir("/proc") // without it there is nothing to be found
	for _, name := range names {
		pid, err := strconv.Atoi(name.Name())
		if err != nil {
			continue
		}
		if parent := parentOf(pid); parent > 0 {
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

// parentOf reads the parent of a process; zero for one that is gone or dead.
func parentOf(pid int) int {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	_, state, _ := bytes.Cut(raw[bytes.LastIndexByte(raw, ')')+1:], []byte(" ")) // the name in parentheses may hold anything
	fields := bytes.Fields(state)                                                // the state, the parent, …
	if len(fields) < 2 || string(fields[0]) == "Z" {
		return 0
	}
	parent, _ := strconv.Atoi(string(fields[1])) // what is no number is no parent
	return parent
}
