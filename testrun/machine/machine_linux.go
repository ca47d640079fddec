package machine

import (
	"os"
	"strconv"
	"strings"
)

// OOMKills is how many processes the kernel has killed for lack of memory so far: of
// our control group, where it counts them, or of the whole machine.
func OOMKills() int {
	own, _ := os.ReadFile("/proc/self/cgroup")
	_, group, _ := strings.Cut("\n"+string(own), "\n0::")
	raw, err := os.ReadFile("/sys/fs/cgroup" + strings.TrimSpace(group) + "/memory.events") //nolint:gosec // the kernel names the group
	if err != nil {
		raw, _ = os.ReadFile("/proc/vmstat")
	}
	_, rest, _ := strings.Cut("\n"+string(raw), "\noom_kill ")
	line, _, _ := strings.Cut(rest, "\n")
	n, _ := strconv.Atoi(line)
	return n
}

// Memory is how many bytes programs may still use before any of them has to give some back.
func Memory() (bytes uint64, known bool) {
	raw, _ := os.ReadFile("/proc/meminfo")
	_, rest, _ := strings.Cut("\n"+string(raw), "\nMemAvailable:")
	line, _, _ := strings.Cut(rest, "kB")
	kilobytes, err := strconv.ParseUint(strings.TrimSpace(line), 10, 64)
	return kilobytes << 10, err == nil
}
