package php

import (
	"os"
	"path/filepath"
	"strings"
)

// leadsBack finds the classes of the project itself in Composer's autoloader, which
// looks for them beside the folder of dependencies.
func leadsBack(vendor, _ string) string {
	for _, list := range []string{"psr4", "classmap", "namespaces", "files"} {
		name := filepath.Join(vendor, "composer", "autoload_"+list+".php")
		if text, err := os.ReadFile(name); err == nil && strings.Contains(string(text), "$baseDir . ") {
			return name
		}
	}
	return ""
}
