package journal

import "slices"

// Event is one line of a journal. Which fields it has depends on its kind.
type Event struct {
	Event   string   `json:"event"` // the kind: "plan", "start", "verdict", …
	ID      string   `json:"id"`    // of the test, mostly
	File    string   `json:"file"`  // as the runner names it
	Line    int      `json:"line"`
	Status  string   `json:"status"`  // of a verdict: passed, failed, skipped
	Kinds   []string `json:"kinds"`   // the classes of what was raised, the nearest first
	Message string   `json:"message"` // its own words
	Text    string   `json:"text"`    // what a person should see
	Name    string   `json:"name"`    // the module that an import misses
	Frames  []Frame  `json:"frames"`  // where it was raised, the innermost last
	Exit    int      `json:"exit"`    // of an end: the exit code that the runner chose
}

// Is reports whether what was raised is of one of some classes.
func (e Event) Is(kinds ...string) bool {
	return slices.ContainsFunc(kinds, func(kind string) bool { return slices.Contains(e.Kinds, kind) })
}

// Frame is a place in a source file, as the runner names it.
type Frame struct {
	File string `json:"file"`
	Line int    `json:"line"`
}
