package testrun

import "encoding/json"

// journalEvent is one line that a reporter wrote; docs/languages.md explains
// each.
type journalEvent struct {
	Event   string         `json:"event"`
	ID      string         `json:"id"`
	File    string         `json:"file"` // as the runner names it
	Line    int            `json:"line"`
	Status  string         `json:"status"`  // of a verdict: passed, failed, skipped
	Kinds   []string       `json:"kinds"`   // the classes of what was raised, the nearest first
	Message string         `json:"message"` // its own words
	Text    string         `json:"text"`    // what a person should see
	Name    string         `json:"name"`    // the module that an import misses
	Frames  []journalFrame `json:"frames"`  // where it was raised, the innermost last
	Exit    int            `json:"exit"`
}

// journalFrame is a place in a text.
type journalFrame struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

// parseJournal reads a line.
func parseJournal(line []byte) (e journalEvent, ok bool) {
	if json.Unmarshal(line, &e) != nil {
		return journalEvent{}, false
	}
	return e, e.Event != ""
}
