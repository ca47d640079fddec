package rust

import "github.com/git-tdd/git-tdd/internal/lazyregexp"

var modulePattern = lazyregexp.New(`(?m)^[ \t]*(?:pub(?:\([^)\n]*\))?[ \t]+)?mod[ \t]+\w+[ \t]*;`)

// joins lists the declarations of modules that stand in files of their own.
func joins(content string) []string { return modulePattern.FindAllString(content, -1) }
