//go:build !linux && !darwin

// Package machine says what a machine has run out of, where its system tells.
package machine

// Room is not known: the system does not say, or not in a way that is known to us.
func Room(string) (bytes uint64, known bool) { return 0, false }
