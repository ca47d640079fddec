//go:build !linux && !darwin

// Package machine says what a machine has run out of, where its system tells.
package machine

// Full is false: the system does not say, or not in a way that is known to us.
func Full(string) bool { return false }

// Room is not known, for the same reason.
func Room(string) (bytes uint64, known bool) { return 0, false }

// OOMKills is 0, for the same reason.
func OOMKills() int { return 0 }

// Memory is not known: the system does not say.
func Memory() (bytes uint64, known bool) { return 0, false }
