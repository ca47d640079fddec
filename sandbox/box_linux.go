package sandbox

import (
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// tiers lists what to try, the strongest first.
func tiers() []string { return []string{tierNamespace, tierReaper} }

// answer is what a box reports of its command.
type answer struct {
	Ending
	Walls string // why the box could not be made as it should be
}

// unstarted reports a command that could not be started.
func unstarted(err error) answer { return answer{Ending: Ending{Code: 127, Refused: err.Error()}} }

// run runs the command in a box of a tier; errRefused where the system does not
// let such a box start.
func run(ctx context.Context, tier string, c Command) (Ending, error) {
	late := Ending{Code: -1, Signal: "SIGKILL", Late: true}
	if ctx.Err() != nil {
		return late, nil
	}
	report, theirReport, err := os.Pipe()
	if err != nil {
		return Ending{}, fmt.Errorf("make the pipes of a box: %w", err)
	}
	defer report.Close() //nolint:errcheck // only read
	theirOrder, orders, err := os.Pipe()
	if err != nil {
		return Ending{}, errors.Join(fmt.Errorf("make the pipes of a box: %w", err), theirReport.Close())
	}
	defer orders.Close() //nolint:errcheck // what could not be written, the box did not get

	runtime.LockOSThread() // the kernel kills a box when the thread that started it ends
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, "/proc/self/exe")
	cmd.Args, cmd.Dir, cmd.Env = []string{"git-tdd", flag, tier}, "/", []string{"GOMAXPROCS=1"} // one thread starts faster
	cmd.Stdin, cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = c.Stdin, c.Stdout, c.Stderr, []*os.File{theirReport, theirOrder}
	cmd.SysProcAttr, cmd.WaitDelay = attributes(tier, c.Walls), pipeGrace
	if tier == tierReaper { // nothing else would end what it started
		cmd.Cancel = orders.Close
	}
	err = cmd.Start()
	_, _ = theirReport.Close(), theirOrder.Close() // the box has its own
	if err != nil && ctx.Err() != nil {            // its time was over before it began
		return late, nil
	}
	if err != nil {
		return Ending{}, fmt.Errorf("%w: %w", errRefused, err)
	}
	c.Stdin, c.Stdout, c.Stderr = nil, nil, nil // which the box has
	sent := gob.NewEncoder(orders).Encode(c)
	_ = cmd.Wait() // the report says how it ended, and where output went nobody need know
	if ctx.Err() != nil {
		return late, nil
	}
	end, err := ending(report, cmd.ProcessState)
	if err != nil {
		return end, errors.Join(err, sent)
	}
	return end, nil
}

// ending reads what the box reported before it ended.
func ending(report *os.File, state *os.ProcessState) (Ending, error) {
	var a answer
	err := gob.NewDecoder(report).Decode(&a)
	ws, ok := state.Sys().(syscall.WaitStatus)
	switch {
	case err != nil && ok && ws.Signaled():
		return killed(ws.Signal()), nil
	case err != nil:
		return Ending{}, fmt.Errorf("the box ended without an answer (%s)", state)
	case a.Walls != "":
		return Ending{}, fmt.Errorf("%w: %s", errRefused, a.Walls)
	}
	return a.Ending, nil
}

func killed(by syscall.Signal) Ending {
	return Ending{Code: 128 + int(by), Signal: unix.SignalName(by)}
}

// attributes are how a box of a tier is started: in a session of its own, without a terminal.
// One with a namespace is killed when we are, with everything in it; one that has to hunt lives
// on for that, and sees by its orders that we are gone.
func attributes(tier string, walls *Walls) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true}
	if tier == tierNamespace {
		attr.Pdeathsig = syscall.SIGKILL
		attr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID | syscall.CLONE_NEWNS
		if walls != nil {
			attr.Cloneflags |= syscall.CLONE_NEWIPC
		}
		if walls.private() {
			attr.Cloneflags |= syscall.CLONE_NEWNET
		}
		attr.UidMappings = sameIDs("/proc/self/uid_map", os.Geteuid())
		attr.GidMappings = sameIDs("/proc/self/gid_map", os.Getegid())
		setgroups, _ := os.ReadFile("/proc/self/setgroups") // denied to root of some containers
		attr.GidMappingsEnableSetgroups = os.Geteuid() == 0 && strings.TrimSpace(string(setgroups)) != "deny"
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER} // to mount, to make layers, to raise a loopback
	}
	return attr
}

// sameIDs maps ids to themselves, so that files belong to whom they should.
// Root keeps every id that it has; anybody else may map only their own.
func sameIDs(table string, own int) []syscall.SysProcIDMap {
	self := []syscall.SysProcIDMap{{ContainerID: own, HostID: own, Size: 1}}
	raw, err := os.ReadFile(table)
	if own != 0 || os.Geteuid() != 0 || err != nil {
		return self
	}
	var all []syscall.SysProcIDMap
	for line := range strings.Lines(string(raw)) {
		var inside, outside, size int
		if _, err := fmt.Sscan(line, &inside, &outside, &size); err != nil {
			return self
		}
		all = append(all, syscall.SysProcIDMap{ContainerID: inside, HostID: inside, Size: size})
	}
	return all
}
