package sandbox

import (
	"fmt"
	"math"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// filter says which system calls a command within walls without namespaces may make: Landlock
// forbids files, this what reaches other processes in other ways.
type filter struct {
	network bool // sockets of the network are allowed
	connect bool // sockets may be connected: to whom cannot be seen from here
}

// Where the kernel puts what a filter looks at.
const (
	offNumber = 0
	offArch   = 4
	offArg    = 16 // the lower half of the first argument; both architectures are little-endian
)

const x32 = 0x40000000 // begins the numbers of another interface on amd64

// install forbids the rest to this thread and to all that it starts.
func (f filter) install() error {
	arch, ok := map[string]uint32{"amd64": unix.AUDIT_ARCH_X86_64, "arm64": unix.AUDIT_ARCH_AARCH64}[runtime.GOARCH]
	if !ok {
		return fmt.Errorf("there is no filter of system calls for %s", runtime.GOARCH)
	}
	code := f.program(arch)
	program := unix.SockFprog{Len: uint16(len(code)), Filter: &code[0]} //nolint:gosec // it is short
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("filter system calls: %w", err)
	}
	_, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program))) //nolint:gosec // no other way leads there
	runtime.KeepAlive(code)
	if errno != 0 {
		return fmt.Errorf("filter system calls: %w", errno)
	}
	return nil
}

// program is the filter as the kernel runs it, for each system call.
func (f filter) program(arch uint32) []unix.SockFilter {
	code := []unix.SockFilter{
		load(offArch), unless(arch), refuse(unix.ENOSYS), // system calls of a 32-bit program
		load(offNumber), jump(unix.BPF_JGE, x32, 0, 1), refuse(unix.ENOSYS),
	}
	for _, number := range absent() {
		code = append(code, when(number), refuse(unix.ENOSYS))
	}
	for _, number := range shared() {
		code = append(code, when(number), refuse(unix.EACCES))
	}
	if !f.connect {
		code = append(code, when(unix.SYS_CONNECT), refuse(unix.EAFNOSUPPORT))
	}
	families := []uint32{unix.AF_UNIX}
	if f.network {
		families = append(families, unix.AF_INET, unix.AF_INET6, unix.AF_NETLINK)
	}
	code = append(code, unless(unix.SYS_SOCKET), allow(), load(offArg))
	for _, family := range families {
		code = append(code, when(family), allow())
	}
	return append(code, refuse(unix.EAFNOSUPPORT))
}

// absent are the system calls that a command finds to be missing, as in many
// containers: rings do what filters forbid, and the user's keys lie in keyrings.
func absent() []uint32 {
	return []uint32{unix.SYS_IO_URING_SETUP, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY, unix.SYS_KEYCTL}
}

// shared are those by which processes of one user share memory and messages.
func shared() []uint32 {
	return []uint32{unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_MSGGET, unix.SYS_SEMGET, unix.SYS_MQ_OPEN}
}

func load(offset uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: offset}
}

// jump compares what was loaded, and skips so many instructions.
func jump(how uint16, value uint32, holds, otherwise uint8) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_JMP | how | unix.BPF_K, K: value, Jt: holds, Jf: otherwise}
}

// unless skips the next instruction if what was loaded is the value; when does so if it is not.
func unless(value uint32) unix.SockFilter { return jump(unix.BPF_JEQ, value, 1, 0) }
func when(value uint32) unix.SockFilter   { return jump(unix.BPF_JEQ, value, 0, 1) }

func allow() unix.SockFilter { return end(unix.SECCOMP_RET_ALLOW) }

func refuse(errno unix.Errno) unix.SockFilter {
	return end(unix.SECCOMP_RET_ERRNO | uint32(errno)&math.MaxUint16) //nolint:gosec // errors are small
}

func end(with uint32) unix.SockFilter {
	return unix.SockFilter{Code: unix.BPF_RET | unix.BPF_K, K: with}
}
