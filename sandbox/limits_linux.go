package sandbox

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// withhold keeps every command from what is needed to undo a mount, also where it is
// root's: the box itself has it still. A system call that fails had nothing to take.
func withhold() {
	drop(unix.CAP_SYS_ADMIN, unix.CAP_SYS_PTRACE)
}

// confine leaves a command within walls what root needs with its own files and
// processes, if it is root's at all, and lets no program give it more.
func confine() error {
	kept := []uintptr{
		unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_FOWNER, unix.CAP_FSETID, unix.CAP_KILL,
		unix.CAP_SETUID, unix.CAP_SETGID, unix.CAP_NET_BIND_SERVICE,
		unix.CAP_SETFCAP, // without it root makes no namespace for what must not change build output
	}
	var all []uintptr
	for capability := range uintptr(unix.CAP_LAST_CAP + 1) {
		if !slices.Contains(kept, capability) {
			all = append(all, capability)
		}
	}
	drop(all...)
	return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
}

// drop keeps capabilities from what is started.
func drop(capabilities ...uintptr) {
	for _, capability := range capabilities {
		_ = unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0) // one that the kernel does not know is nobody's
	}
	head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var own [2]unix.CapUserData
	if unix.Capget(&head, &own[0]) != nil {
		return
	}
	own[0].Inheritable, own[1].Inheritable = 0, 0 // what a command of root's inherits is not bound by the set above
	_ = unix.Capset(&head, &own[0])
}

// closeInherited keeps what whoever started us had open from the command.
func closeInherited() error {
	err := unix.CloseRange(ordersFD+1, math.MaxUint32, unix.CLOSE_RANGE_CLOEXEC)
	if err == nil {
		return nil
	}
	open, err := os.ReadDir("/proc/self/fd") // before Linux 5.11
	for _, fd := range open {
		if n, err := strconv.Atoi(fd.Name()); err == nil && n > ordersFD {
			unix.CloseOnExec(n)
		}
	}
	return err
}

// apply sets the limits; they go on to everything that is started.
func (l Limits) apply() error {
	if err := l.set(); err != nil || l.Processes == 0 || os.Geteuid() != 0 || !ownPidMax() {
		return err
	}
	// The limit of processes does not bind root. Where the numbers begin again it is at 300.
	return os.WriteFile("/proc/sys/kernel/pid_max", fmt.Appendf(nil, "%d", l.Processes+300), 0)
}

// set sets those that need no namespace.
func (l Limits) set() error {
	for resource, limit := range map[int]uint64{unix.RLIMIT_NPROC: l.Processes, unix.RLIMIT_FSIZE: l.FileSize} {
		if limit == 0 {
			continue
		}
		var now unix.Rlimit
		if err := unix.Getrlimit(resource, &now); err != nil {
			return fmt.Errorf("read a limit: %w", err)
		}
		limit = min(limit, now.Max)
		if err := unix.Setrlimit(resource, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
			return fmt.Errorf("set a limit: %w", err)
		}
	}
	return nil
}

// ownPidMax reports whether a namespace of processes has a highest number of its own,
// as it has from Linux 6.14 on. Before, it is the machine's.
func ownPidMax() bool {
	var system unix.Utsname
	var major, minor int
	if unix.Uname(&system) != nil {
		return false
	}
	_, err := fmt.Sscanf(unix.ByteSliceToString(system.Release[:]), "%d.%d", &major, &minor)
	return err == nil && (major > 6 || major == 6 && minor >= 14)
}
