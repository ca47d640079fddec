package sandbox

// The words behind [flag] of a start of our own program that keeps folders as they
// are from one process of a command: outside its namespace, and within it.
const (
	keepOutside = "keep"
	keepWithin  = "kept"
	keepEnd     = "--" // of the folders; the process follows
)

// Keeping is the beginning of a command line that runs the rest of it so that what it
// changes in the folders is lost when it ends: for what runs tests within a command
// that builds. Layers is a folder of its own for those changes. The command that
// starts it must be in a box that mounts; see [Mounts].
func Keeping(program, layers string, folders []string) []string {
	return append(append([]string{program, flag, keepOutside, layers}, folders...), keepEnd)
}
