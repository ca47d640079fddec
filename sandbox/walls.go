package sandbox

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Network is what a command reaches of the network.
type Network string

// The networks.
const (
	Host     Network = "host"     // what we reach
	Loopback Network = "loopback" // servers of its own on 127.0.0.1 and ::1, nobody else's
	None     Network = "none"     // nothing
)

// Walls keep a command from the machine: it changes only what it was given, sees nothing of the
// places where people keep what is theirs, and reaches no process but its own.
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
}

// private reports whether the command has a network of its own.
func (w *Walls) private() bool { return w != nil && w.Network != Host }

// Means are what walls are made of.
type Means string

// The means, the strongest first.
const (
	Namespaces Means = "namespaces"   // Linux: what is not for the command is not there
	Landlock   Means = "Landlock"     // Linux without user namespaces: it is there, and forbidden
	Seatbelt   Means = "sandbox-exec" // macOS: likewise
)

// AllMeans lists every means that there is on some system.
func AllMeans() []Means { return []Means{Namespaces, Landlock, Seatbelt} }

// Forbids reports whether what is not for a command is there, and forbidden. Such
// walls have no mounts, and no loopback of their own: [Loopback] is [None].
func (m Means) Forbids() bool { return m == Landlock || m == Seatbelt }

// Offer is what a system lets walls be made of.
type Offer struct {
	Means Means    // the strongest; empty: there are no walls
	Why   string   // why there is nothing stronger; empty where there is nothing
	Open  []string // what stays open within walls of these means
}

// Offered finds out what walls can be made of here, by building some.
func Offered(ctx context.Context) Offer {
	for _, means := range AllMeans() {
		if Stands(ctx, means) {
			return offer(means)
		}
	}
	return offer("")
}

// Containment says in a word how commands that should be contained are here: "walls",
// where these are not of namespaces their means, or else the tier of their boxes.
func Containment(ctx context.Context) string {
	means := Offered(ctx).Means
	switch {
	case means == Namespaces:
		return "walls"
	case means != "":
		return string(means)
	}
	return Tier(ctx)
}

// Stands reports whether walls can be made of these means.
func Stands(ctx context.Context, means Means) bool {
	_, err := Run(ctx, Command{Walls: &Walls{By: means, Network: Loopback}})
	return err == nil
}

// fits reports whether a box of a tier can be what a command asks for.
func (c Command) fits(tier string) bool {
	switch {
	case c.Walls == nil && len(c.Mounts) == 0:
		return true
	case len(c.Mounts) > 0 || !c.Walls.By.Forbids():
		return tier == tierNamespace
	case c.Walls.By == Landlock:
		return tier == tierReaper
	}
	return tier == tierGroup
}

// Mount shows a folder or a file at another path to one command alone.
type Mount struct {
	From, At string // absolute; At is there already
	// Layer is a new folder for each command, removed by the caller, that takes the command's
	// changes, so that From stays as it is; if empty, changes go to From.
	Layer string
	// Stays has the layer be used again: what a command changed is there for the next
	// one that finds the folder under the same layer.
	Stays bool
}

// Mountpoint makes an empty folder or file below a root, like what is to be shown there, if it is not there.
func Mountpoint(root *os.Root, name, like string) error {
	fi, err := os.Stat(like)
	if err != nil {
		return err
	}
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	switch is, err := root.Lstat(name); {
	case err == nil && is.Mode().Type() == fi.Mode().Type():
		return nil
	case err == nil:
		return fs.ErrExist
	case fi.IsDir():
		return root.Mkdir(name, 0o755)
	}
	return root.WriteFile(name, nil, 0o644)
}

// Outside is the path at which we find what the command finds at a path.
func (c Command) Outside(path string) string {
	for _, m := range slices.Backward(c.Mounts) { // each stands on those before it
		if Within(path, m.At) {
			path = filepath.Join(m.From, path[len(m.At):])
		}
	}
	return path
}

// Within reports whether a path is a folder or lies in it.
func Within(path, folder string) bool {
	rest, ok := strings.CutPrefix(path, folder)
	return ok && (rest == "" || rest[0] == filepath.Separator)
}
