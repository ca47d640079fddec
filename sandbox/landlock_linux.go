package sandbox

import (
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"

	"github.com/landlock-lsm/go-landlock/landlock"
	abi "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// landlockWithin is the word behind [flag] of a start of our own program that takes from
// itself what walls forbid, and becomes the command.
const landlockWithin = "landlock"

// What the versions of Landlock's interface can forbid. Without the first of them a
// file that must not be written can still be emptied.
const (
	abiTruncate = 3 // Linux 6.2
	abiTCP      = 4 // Linux 6.7
	abiDevices  = 5 // Linux 6.10
	abiScopes   = 6 // Linux 6.12
	abiSockets  = 9
)

// version is that of the kernel's Landlock.
func version() (int, error) {
	v, err := abi.LandlockGetABIVersion()
	switch {
	case errors.Is(err, unix.ENOSYS):
		return 0, errors.New("the kernel has no Landlock")
	case errors.Is(err, unix.EOPNOTSUPP):
		return 0, errors.New("the kernel was started without Landlock (lsm=)")
	case err != nil:
		return 0, fmt.Errorf("the kernel lets nobody use Landlock: %w", err)
	case v < abiTruncate:
		return v, fmt.Errorf("the kernel's Landlock is too old (ABI %d; %d, of Linux 6.2, is the first that suffices)", v, abiTruncate)
	}
	return v, nil
}

// offer says what walls of these means are worth on this system.
func offer(means Means) Offer {
	const refused = "the system refuses user namespaces, or mounts in them"
	v, err := version()
	switch {
	case means == Namespaces:
		return Offer{Means: means}
	case means == "" && err == nil:
		return Offer{Why: refused + ", and a Landlock of ABI " + fmt.Sprint(v) + " or the filter of system calls does not start"}
	case means == "":
		return Offer{Why: refused + ", and " + err.Error()}
	}
	return Offer{Means: means, Why: refused, Open: opened(v)}
}

// opened lists what stays open within walls of a version of Landlock.
func opened(v int) []string {
	out := []string{
		"names, modes, owners and times of files that it cannot read: it can ask for them, and change them where you can",
		"which processes you run, with their command lines",
		"build output and build caches that are kept for the next run: tests can change them",
	}
	for _, later := range []struct {
		abi  int
		open string
	}{
		{abiTCP, "connections that another process hands over (Landlock ABI 4, Linux 6.7)"},
		{abiDevices, "controls of devices that are open already (Landlock ABI 5, Linux 6.10)"},
		{abiScopes, "signals to your processes (Landlock ABI 6, Linux 6.12)"},
		{abiSockets, "datagram sockets with a path, such as the journal's, and with `workbench.network: host` those of D-Bus, Docker and other programs (Landlock ABI 9)"},
	} {
		if v < later.abi {
			out = append(out, later.open)
		}
	}
	return out
}

// landlock starts the command by way of [landlocked].
func (c Command) landlock() (pid int, failed answer) {
	var report, orders [2]int
	if err := errors.Join(unix.Pipe2(report[:], unix.O_CLOEXEC), unix.Pipe2(orders[:], unix.O_CLOEXEC)); err != nil {
		return 0, answer{Walls: err.Error()}
	}
	pid, _, err := syscall.StartProcess("/proc/self/exe", []string{"git-tdd", flag, landlockWithin}, &syscall.ProcAttr{
		Dir: "/", Env: []string{"GOMAXPROCS=1"}, Files: []uintptr{0, 1, 2, uintptr(report[1]), uintptr(orders[0])}, Sys: &syscall.SysProcAttr{Setpgid: true},
	})
	_, _ = unix.Close(report[1]), unix.Close(orders[0]) // they are the other's
	answers, to := os.NewFile(uintptr(report[0]), "report"), os.NewFile(uintptr(orders[1]), "orders")
	defer answers.Close() //nolint:errcheck // only read
	if err == nil {
		err = gob.NewEncoder(to).Encode(c)
	}
	_ = to.Close() // what could not be written was not read
	if err != nil {
		return pid, answer{Walls: err.Error()}
	}
	_ = gob.NewDecoder(answers).Decode(&failed) // it says nothing if it became the command
	return pid, failed
}

// landlocked takes from this process what walls forbid and becomes the command.
func landlocked() int {
	runtime.LockOSThread() // a filter belongs to a thread
	syscall.CloseOnExec(reportFD)
	syscall.CloseOnExec(ordersFD)
	var c Command
	if gob.NewDecoder(os.NewFile(ordersFD, "orders")).Decode(&c) != nil {
		return 1 // whoever wanted it is gone
	}
	var failed answer
	if err := c.Walls.forbid(); err != nil {
		failed.Walls = err.Error()
	} else if err := os.Chdir(c.Dir); err != nil {
		failed = unstarted(err)
	} else {
		failed = unstarted(syscall.Exec(c.Path, c.Args, c.Env))
	}
	_ = gob.NewEncoder(os.NewFile(reportFD, "report")).Encode(failed) // who is gone need not know
	return 1
}

// forbid forbids this process, and all that it starts, whatever walls do not allow.
func (w *Walls) forbid() error {
	if err := w.Limits.set(); err != nil {
		return err
	}
	v, err := version()
	if err != nil {
		return err
	}
	var allowed []landlock.Rule
	for _, r := range w.rules(entries) {
		if one, ok := r.landlock(); ok {
			allowed = append(allowed, one)
		}
	}
	config := landlock.V10.BestEffort()
	if w.private() {
		err = config.Restrict(allowed...)
	} else { // a network rule that is not there would forbid all of it
		err = errors.Join(config.RestrictPaths(allowed...), config.RestrictScoped())
	}
	if err != nil {
		return fmt.Errorf("forbid by Landlock: %w", err)
	}
	return filter{network: !w.private(), connect: !w.private() || v >= abiSockets}.install()
}

// landlock is the rule as Landlock knows it; there is none for what is not there.
func (r rule) landlock() (landlock.Rule, bool) {
	is, err := os.Stat(r.path)
	switch {
	case err != nil:
		return nil, false
	case is.IsDir() && r.access == given:
		return landlock.RWDirs(r.path).WithRefer().WithResolveUnix().IgnoreIfMissing(), true
	case is.IsDir():
		return landlock.RODirs(r.path).IgnoreIfMissing(), true
	case r.access == given && is.Mode()&os.ModeDevice != 0:
		return landlock.RWFiles(r.path).WithIoctlDev().IgnoreIfMissing(), true
	case r.access == given:
		return landlock.RWFiles(r.path).WithResolveUnix().IgnoreIfMissing(), true
	}
	return landlock.ROFiles(r.path).IgnoreIfMissing(), true
}
