package coverage

import (
	"bytes"
	"strconv"
	"strings"
)

// Lcov reads lines of coverage in lcov's format into l: "SF:path" begins a file, "DA:7,3" says
// that line 7 was executed 3 times. own names a file of the project as facts do, or "" for any
// other. What is read shows nothing, because none of it is for people to see.
func (l Lines) Lcov(own func(name string) string) (read func(line []byte) (show string)) {
	file := "" // that the lines are of; empty where the project has no such file
	return func(line []byte) string {
		text := string(bytes.TrimSpace(line))
		if path, ok := strings.CutPrefix(text, "SF:"); ok {
			file = own(path)
		}
		if entry, ok := strings.CutPrefix(text, "DA:"); ok && file != "" {
			parts := strings.Split(entry, ",")
			if number, err := strconv.Atoi(parts[0]); err == nil && number > 0 && len(parts) > 1 {
				count, _ := strconv.ParseFloat(parts[1], 64) // what is no number was not executed
				l.Note(file, number, count > 0)
			}
		}
		return ""
	}
}
