//go:build !linux && !darwin

// Package machine says what a machine has run out of, where its system tells.
package machine

// Full is false: the system does not say, or not in a way that is known to us.
func Full(string) bool { return false }

// Room is not known, for the same reason.
func Room(string) (bytes uint64, known bool) { return 0, false }
