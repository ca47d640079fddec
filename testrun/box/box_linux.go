package box

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// errNoAnswer says that the box ended without reporting on its command.
var errNoAnswer = errors.New("the box ended without an answer")

// tiers lists what to try, the strongest first.
func tiers() []string { return []string{tierNamespace, tierReaper} }

// runTier starts a box of one tier and waits for it. The thread is locked,
// because the kernel kills the box when the thread that started it ends.
func runTier(ctx context.Context, tier string, c Command) (Ending, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := exec.CommandContext(ctx, "/proc/self/exe")
	cmd.Args = append([]string{"git-tdd", boxFlag, tier, c.Path}, c.Args...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = c.Dir, c.Env, c.Stdout, c.Stderr
	cmd.WaitDelay = pipeGrace
	line, err := startBox(cmd, tier)
	if err != nil {
		return Ending{}, err
	}
	defer line.close()
	if tier == tierReaper {
		cmd.Cancel = line.hangUp // the box itself must live to kill the rest
	}
	if err := waited(cmd.Wait()); err != nil {
		return Ending{}, fmt.Errorf("wait for the box: %w", err)
	}
	if ctx.Err() != nil {
		return Ending{Code: -1, Signal: "SIGKILL"}, nil
	}
	return line.answer(cmd.ProcessState)
}

// lines are the two pipes between us and a box.
type lines struct {
	status *os.File // the box reports here
	alive  *os.File // the box ends when our side closes
}

// startBox starts cmd as a box of the given tier, with its lines.
func startBox(cmd *exec.Cmd, tier string) (*lines, error) {
	status, statusBox, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make the box's status pipe: %w", err)
	}
	defer statusBox.Close() //nolint:errcheck // our copy of the box's end
	aliveBox, alive, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make the box's life line: %w", err), status.Close())
	}
	defer aliveBox.Close() //nolint:errcheck // our copy of the box's end
	l := &lines{status: status, alive: alive}
	cmd.ExtraFiles = []*os.File{statusBox, aliveBox}
	cmd.SysProcAttr = boxAttr(tier)
	if err := cmd.Start(); err != nil {
		l.close()
		if tier == tierNamespace {
			return nil, fmt.Errorf("%w: %w", errRefused, err)
		}
		return nil, fmt.Errorf("start the box: %w", err)
	}
	return l, nil
}

// hangUp tells the box that nobody waits for it any more.
func (l *lines) hangUp() error { return l.alive.Close() }

func (l *lines) close() {
	_ = l.status.Close()
	_ = l.alive.Close()
}

// answer reads what the box reported before it ended.
func (l *lines) answer(state *os.ProcessState) (Ending, error) {
	raw, err := io.ReadAll(io.LimitReader(l.status, 4096))
	if err != nil {
		return Ending{}, fmt.Errorf("read the box's status: %w", err)
	}
	word, rest, _ := strings.Cut(string(bytes.TrimSpace(raw)), " ")
	number, _ := strconv.Atoi(rest) // zero is right for "start"
	switch word {
	case "exit":
		return Ending{Code: number}, nil
	case "signal":
		return Ending{Code: 128 + number, Signal: unix.SignalName(syscall.Signal(number))}, nil
	case "start":
		return Ending{Code: 127, Refused: rest}, nil
	}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return Ending{Code: 128 + int(ws.Signal()), Signal: unix.SignalName(ws.Signal())}, nil
	}
	return Ending{}, fmt.Errorf("%w (%s)", errNoAnswer, state)
}

// boxAttr is how a box of a tier is started: always in a session of its own, so
// that it has no terminal, and always to be killed when we are.
func boxAttr(tier string) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	if tier == tierNamespace {
		attr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID | syscall.CLONE_NEWNS
		attr.UidMappings = sameIDs("/proc/self/uid_map", os.Geteuid())
		attr.GidMappings = sameIDs("/proc/self/gid_map", os.Getegid())
		attr.GidMappingsEnableSetgroups = os.Geteuid() == 0
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN} // to mount /proc
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

// probe really starts a box of a tier, with nothing in it.
func probe(tier string) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd := &exec.Cmd{Path: "/proc/self/exe", Args: []string{"git-tdd", boxFlag, tier}, Env: []string{}}
	line, err := startBox(cmd, tier)
	if err != nil {
		return err
	}
	defer line.close()
	if err := waited(cmd.Wait()); err != nil {
		return err
	}
	_, err = line.answer(cmd.ProcessState)
	return err
}
