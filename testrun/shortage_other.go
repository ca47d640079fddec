//go:build !linux && !darwin

package testrun

// full and oomKills know nothing here: the system does not say, or not in a way that
// is known to us.
func full(string) bool { return false }

func oomKills() int { return 0 }
