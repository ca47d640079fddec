package sandbox

// Network is what a command reaches of the network.
type Network string

// The networks.
const (
	Host     Network = "host"     // what we reach
	Loopback Network = "loopback" // servers of its own on 127.0.0.1 and ::1, nobody else's
	None     Network = "none"     // nothing
)

// Walls are what stands between a command and the machine: it can change nothing but
// what it was given, sees nothing of the places where people keep what is theirs, and
// reaches no process that is not its own.
type Walls struct {
	By      Means   // empty: [Namespaces]
	Network Network // empty: none
	// Hidden are folders and files, absolute and without links in their paths, that
	// the command finds empty. What it puts into such a folder is lost.
	Hidden []string
	// Shown are folders and files that it finds nevertheless, but cannot change.
	Shown []string
	// Given are folders and files that it finds and may change: what it changes there
	// stays, unless a [Mount] has laid a layer over it.
	Given []string
	// Links are symbolic links in hidden folders, by their paths.
	Links map[string]string
	// Limits bound what the command may use.
	Limits Limits
}

// Limits bound what a command may use; zero is no bound.
type Limits struct {
	Processes uint64 // threads count, too
	FileSize  uint64 // of one file, in bytes
	Hidden    string // what fits into all folders that are hidden: a part of the memory such as "25%", or a size such as "1g"
}

// private reports whether the command has a network of its own.
func (w *Walls) private() bool { return w != nil && w.Network != Host }
