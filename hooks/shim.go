package hooks

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"path/filepath"
	"strings"
	"text/template"
)

// shims are templates: of a hook for working in a repository, and of one for a repository that
// is pushed to. That cannot be bypassed, because the pusher's environment may reach it.
//
//go:embed shim.sh server.sh
var shims embed.FS

// marker begins the line by which a shim of any version is recognised; the
// hash of all other lines follows, so that an edited one is told apart.
const marker = "# git-tdd shim "

// shim is the text of a hook in a folder. In or beside the usual one, it can tell from its own
// path whether git-tdd has ever kept anything in this repository.
func (i Installer) shim(name, dir string) string {
	file := "shim.sh"
	if i.Server {
		file = "server.sh"
	}
	var b strings.Builder
	values := map[string]any{"Name": name, "Binary": quoted(i.Binary), "Kept": filepath.Dir(dir) == i.Repo.CommonDir}
	_ = template.Must(template.ParseFS(shims, file)).Execute(&b, values) // every value is there
	return strings.Replace(b.String(), "@HASH@", digest(b.String()), 1)
}

// quoted is a word of sh.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// digest is the hash of a shim without its marker's line.
func digest(text string) string {
	sum := sha256.Sum256([]byte(without(text, marker)))
	return hex.EncodeToString(sum[:8])
}

// origin says whose a hook file is.
type origin string

// The origins.
const (
	absent   origin = ""
	ours     origin = "ours"   // a shim of this or another version
	edited   origin = "edited" // a shim that somebody has changed
	stranger origin = "stranger"
)

// whose tells the origin of a file by its content.
func whose(text string) origin {
	for line := range strings.Lines(text) {
		if hash, ok := strings.CutPrefix(line, marker); ok {
			if strings.TrimSpace(hash) == digest(text) {
				return ours
			}
			return edited
		}
	}
	return stranger
}
