package php

import (
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/internal/wholefile"
)

// leadsBack finds the classes of the project itself in Composer's autoloader, which
// looks for them beside the folder of dependencies.
func leadsBack(vendor, _ string) string {
	for _, list := range []string{"psr4", "classmap", "namespaces", "files"} {
		name := filepath.Join(vendor, "composer", "autoload_"+list+".php")
		if text, err := wholefile.Read(name); err == nil && strings.Contains(string(text), "$baseDir . ") {
			return name
		}
	}
	return ""
}
