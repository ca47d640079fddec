package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// notKept is the exit code of a process that was not started, because what it must
// not change could not be kept from it: that of a program that cannot be run.
const notKept = 126

// keep runs a process in a mount namespace of its own and ends as it does. A process
// with threads, as every Go program is, cannot enter a user namespace itself.
func keep(args []string) int {
	runtime.LockOSThread()                                             // the kernel kills the process when the thread that started it ends
	cmd := exec.CommandContext(context.Background(), "/proc/self/exe") //nolint:forbidigo // there is no caller with a context: it is a main
	cmd.Args = slices.Concat([]string{"git-tdd", flag, keepWithin}, args)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = attributes(tierNamespace, nil)
	cmd.SysProcAttr.Cloneflags &^= syscall.CLONE_NEWPID
	cmd.SysProcAttr.Setsid = false
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGQUIT, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2)
	if err := cmd.Start(); err != nil {
		return unkept(err)
	}
	go func() {
		for s := range signals {
			_ = cmd.Process.Signal(s)
		}
	}()
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return unkept(err)
	}
	ws, _ := cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ws.Signaled() {
		return dieBy(ws.Signal())
	}
	return ws.ExitStatus()
}

// dieBy ends this process by a signal, as whoever started it should see. A shell does
// it, because the Go runtime catches some signals and would say much about them.
func dieBy(signal syscall.Signal) int {
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	_ = syscall.Exec("/bin/sh", []string{"sh", "-c", fmt.Sprintf("kill -%d $$", signal)}, nil)
	return 128 + int(signal)
}

func unkept(err error) int {
	fmt.Fprintln(os.Stderr, "git-tdd: keep build output from the tests:", err)
	return notKept
}

// kept puts layers over the folders and becomes the process.
func kept(args []string) int {
	runtime.LockOSThread() // capabilities belong to a thread
	end := slices.Index(args, keepEnd)
	if end < 1 || end+1 == len(args) {
		return unkept(errRefused)
	}
	layers := filepath.Join(args[0], strconv.Itoa(os.Getpid()))
	var c Command
	for i, folder := range args[1:end] {
		if _, err := os.Stat(folder); err == nil { //nolint:gosec // our own program names them
			c.Mounts = append(c.Mounts, Mount{From: folder, At: folder, Layer: filepath.Join(layers, strconv.Itoa(i))})
		}
	}
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_SLAVE, ""); err != nil {
		return unkept(err)
	}
	if err := c.mount(); err != nil {
		return unkept(err)
	}
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
	withhold()
	process := args[end+1:]
	path, err := exec.LookPath(process[0])
	if err == nil {
		err = syscall.Exec(path, process, os.Environ()) //nolint:gosec // what it is here for
	}
	return unkept(err)
}
