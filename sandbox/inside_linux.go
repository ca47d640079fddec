package sandbox

import (
	"encoding/gob"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"
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

// live is the life of a box: set up, wait for the command, start it, wait for
// its end, kill what it left behind, report.
func live(tier string) int {
	runtime.LockOSThread() // capabilities belong to a thread
	report, orders := os.NewFile(reportFD, "report"), os.NewFile(ordersFD, "orders")
	syscall.CloseOnExec(reportFD)
	syscall.CloseOnExec(ordersFD)
	if tier == tierNamespace && os.Getpid() != 1 { // only as the first of a namespace may we kill "everybody"
		tier = tierReaper
	}
	enter(tier)
	var o order
	if gob.NewDecoder(orders).Decode(&o) != nil {
		return 1 // whoever wanted it is gone
	}
	if gob.NewEncoder(report).Encode(o.obey(tier, orders)) != nil {
		return 1
	}
	return 0
}

// obey builds the last walls and runs the command within them.
func (o order) obey(tier string, orders io.Reader) answer {
	if (len(o.Mounts) > 0 || o.Walls != nil && !o.Walls.By.Forbids()) && tier != tierNamespace {
		return answer{Walls: "its process has no namespace of its own"}
	}
	if err := o.mount(); err != nil {
		return answer{Walls: err.Error()}
	}
	if o.Walls != nil && tier == tierNamespace {
		if err := o.Walls.build(); err != nil {
			return answer{Walls: err.Error()}
		}
	}
	if err := o.confine(tier); err != nil {
		return answer{Walls: err.Error()}
	}
	return o.run(tier, orders)
}

// confine takes from the command what it needs not.
func (o order) confine(tier string) error {
	if err := closeInherited(); err != nil {
		return err
	}
	if o.Walls != nil {
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
	volunteer()
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) // nobody reads our memory or our pipes
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

// run runs the command with our output and without any input, and ends whatever it leaves.
func (o order) run(tier string, orders io.Reader) answer {
	pid, failed := o.start()
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
func (o order) start() (pid int, failed answer) {
	if o.Walls != nil && o.Walls.By == Landlock {
		return o.landlock()
	}
	pid, _, err := syscall.StartProcess(o.Path, o.Args, &syscall.ProcAttr{
		Dir: o.Dir, Env: o.Env, Files: []uintptr{0, 1, 2}, Sys: &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		return 0, answer{Refused: err.Error()}
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
			return answer{Signal: int(syscall.SIGKILL)}
		case pid == command && ws.Signaled():
			return answer{Signal: int(ws.Signal())}
		case pid == command && ws.Exited():
			return answer{Exit: ws.ExitStatus()}
		}
	}
}
