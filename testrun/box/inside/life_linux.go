package inside

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
)

// The files that a box inherits after the three standard ones.
const (
	statusFD = 3 // here it reports
	aliveFD  = 4 // here the command comes; when it is closed, nobody wants the box any more
)

// flag marks a start of our own program as a box. It has the form of a flag so
// that a program that would not know it refuses it.
const flag = "-testrun.box"

// Args are the arguments of a box of a tier.
func Args(tier string) []string { return []string{"git-tdd", flag, tier} }

func init() { //nolint:gochecknoinits // main would come too late
	if len(os.Args) > 2 && os.Args[1] == flag {
		os.Exit(live(os.Args[2])) //nolint:forbidigo // this is a box's main
	}
}

// live is the life of a box: set up, wait for the command, start it, wait for
// its end, kill what it left behind, report.
func live(tier string) int {
	runtime.LockOSThread() // capabilities belong to a thread
	syscall.CloseOnExec(statusFD)
	syscall.CloseOnExec(aliveFD)
	if tier == Namespace && os.Getpid() != 1 { // only as the first of a namespace may we kill "everybody"
		tier = Reaper
	}
	enter(tier)
	report := "" // which is no answer
	if c, err := receive(); errors.Is(err, io.EOF) {
		report = "exit 0" // nobody wants anything
	} else if err == nil {
		report = c.run(tier)
	}
	if _, err := syscall.Write(statusFD, []byte(report)); err != nil {
		return 1
	}
	return 0
}

// enter makes this process what its tier asks for. This is the place for further
// walls: they must stand before the command starts.
func enter(tier string) {
	catch()
	if tier == Reaper {
		prctl(prSetChildSubreaper, 1)
		return
	}
	freshProc()
	// Never more than the user has: the command must not get what we mounted with.
	prctl(prCapAmbient, prCapAmbientClearAll)
}

// Of <linux/prctl.h>.
const (
	prSetChildSubreaper  = 36
	prCapAmbient         = 47
	prCapAmbientClearAll = 4
)

// prctl changes something about this process that an older kernel may not know.
func prctl(option, value uintptr) {
	_, _, _ = syscall.RawSyscall6(syscall.SYS_PRCTL, option, value, 0, 0, 0, 0)
}

// run runs the command, ends whatever it leaves, and words how the command ended.
func (c Command) run(tier string) string {
	pid, err := c.start()
	if err != nil {
		return "start " + err.Error()
	}
	if tier == Namespace { // it ends with us, and we with git-tdd
		defer func() { _ = syscall.Kill(-1, syscall.SIGKILL) }() // all of it but ourselves
		return reap(pid)
	}
	go func() {
		_, _ = read(1) // fails when git-tdd ends, or wants us to
		sweep()
	}()
	defer sweep()
	return reap(pid)
}

// catch keeps signals that a program sends from ending the box. Each is caught, not
// ignored, because the command would inherit that, and not left to the kernel
// either: it spares the first process of a namespace what has no handler there, but
// not while a thread blocks signals, as the one that starts the command does.
func catch() { signal.Notify(make(chan os.Signal, 1)) }

// freshProc mounts a /proc that shows this namespace only. What is mounted outside
// comes in, and nothing goes out. It is a courtesy to the command, not a wall, so a
// kernel that refuses it is no failure.
func freshProc() {
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_SLAVE, ""); err == nil {
		_ = syscall.Mount("proc", "/proc", "proc", syscall.MS_NOSUID|syscall.MS_NODEV|syscall.MS_NOEXEC, "")
	}
}

// start starts the command with our output and without any input.
func (c Command) start() (int, error) {
	stderr := uintptr(2)
	if c.OneStream {
		stderr = 1
	}
	pid, _, err := syscall.StartProcess(c.Path, c.Args, &syscall.ProcAttr{
		Dir: c.Dir, Env: c.Env, Files: []uintptr{0, 1, stderr}, Sys: &syscall.SysProcAttr{Setpgid: true},
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
			return "signal " + strconv.Itoa(int(ws.Signal()))
		case pid == command && ws.Exited():
			return "exit " + strconv.Itoa(ws.ExitStatus())
		}
	}
}

// sweep kills every descendant: it stops them until no new one appears, so that
// none can fork away, and kills them only then. It ends when none is left: orphans
// come to us, so that who has no child has no descendant.
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

// hasChild collects children that are dead, or waits for one that dies, and
// reports whether any is left.
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

// parentOf reads the parent of a process; zero for one that is gone or dead
// already.
func parentOf(pid int) int {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	end := len(raw) - 1
	for end >= 0 && raw[end] != ')' { // the name in parentheses may hold anything
		end--
	}
	fields := split(string(raw[end+1:]), ' ') // nothing, the state, the parent
	if len(fields) < 3 || fields[1] == "Z" {
		return 0
	}
	parent, _ := strconv.Atoi(fields[2]) // what is no number is no parent
	return parent
}
