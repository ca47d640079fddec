package sandbox

import (
	"cmp"
	"slices"
	"strings"
)

// seatbelt is the walls as a profile of macOS's sandbox-exec, whose last fitting rule decides:
// so paths come after those that they lie in. What a folder is may be asked everywhere, because
// paths are looked up through the folders above.
func (w *Walls) seatbelt() string {
	type line struct{ path, text string }
	var lines []line
	for _, part := range []struct {
		paths []string
		rule  string
	}{
		{w.Hidden, "(deny file-read-data file-write* process-exec* %)"},
		{w.Shown, "(allow file-read* process-exec* %) (deny file-write* %)"},
		{w.Given, "(allow file-read* file-write* process-exec* %)"},
	} {
		for _, path := range part.paths {
			lines = append(lines, line{path, strings.ReplaceAll(part.rule, "%", "(subpath "+schemeString(path)+")")})
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.path, b.path) })
	out := []string{
		"(version 1)", "(allow default)", "(deny file-write*)",
		`(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (literal "/dev/ptmx") (regex #"^/dev/(fd/|ttys[0-9])"))`,
		"(deny signal)", "(allow signal (target same-sandbox))",
		"(deny appleevent-send)", "(deny mach-lookup)", "(allow mach-lookup" + services() + ")",
		"(deny ipc-posix-shm*)", "(deny ipc-sysv*)",
	}
	for _, l := range lines {
		out = append(out, l.text)
	}
	if w.private() {
		out = append(out, "(deny network*)", "(deny system-socket)")
	}
	if w.private() && len(w.Given) > 0 {
		var own strings.Builder
		for _, path := range w.Given {
			own.WriteString(" (local unix-socket (subpath " + schemeString(path) + ")) (remote unix-socket (subpath " + schemeString(path) + "))")
		}
		out = append(out, "(allow network*"+own.String()+")")
	}
	return strings.Join(out, "\n") + "\n"
}

// services are those of the system that most programs ask for names and certificates.
func services() string {
	var out strings.Builder
	for _, name := range []string{
		"com.apple.system.opendirectoryd.libinfo", "com.apple.system.opendirectoryd.membership", "com.apple.system.notification_center",
		"com.apple.system.logger", "com.apple.logd", "com.apple.trustd", "com.apple.trustd.agent",
	} {
		out.WriteString(" (global-name " + schemeString(name) + ")")
	}
	return out.String()
}

// schemeString is a text as a string of the language of profiles.
func schemeString(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}
