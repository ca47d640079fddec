package sandbox

// The words behind [flag] of a start of our own program that keeps folders as they
// are from one process of a command: outside its namespace, and within it.
const (
	keepOutside = "keep"
	keepWithin  = "kept"
	keepEnd     = "--" // of the folders; the process follows
)

// Keeping is the beginning of a command line that runs the rest of it so that its changes to
// the folders are lost: for tests within a command that builds. The changes go into layers, a
// folder of its own. It must be started in a box that mounts; see [Mounts].
func Keeping(program, layers string, folders []string) []string {
	return append(append([]string{program, flag, keepOutside, layers}, folders...), keepEnd)
}
