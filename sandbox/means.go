package sandbox

import (
	"context"
	"io"
)

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
	_, err := Run(ctx, Command{Stdout: io.Discard, Stderr: io.Discard, Walls: &Walls{By: means, Network: Loopback}})
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
