package sandbox

import (
	"bytes"
	"errors"
	"os"
	"strconv"
	"syscall"
)

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
