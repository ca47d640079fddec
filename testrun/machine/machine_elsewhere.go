//go:build !linux

package machine

// OOMKills is 0: the system does not say.
func OOMKills() int { return 0 }

// Memory is not known: the system does not say.
func Memory() (bytes uint64, known bool) { return 0, false }
