package agenthook

import (
	"slices"
	"strings"
)

// dodge says which way around the rules a script takes; empty where it takes
// none that can be seen.
func (s script) dodge() string {
	for _, set := range s.settings {
		name, value, _ := strings.Cut(set, "=")
		switch {
		case name == "GIT_TDD":
			return "GIT_TDD switches the hooks off, which is for the person you work for to do. → leave it out; if a gate is wrong, say which and stop"
		case strings.HasPrefix(name, "GIT_CONFIG_") && strings.Contains(strings.ToLower(value), "hook"):
			return hooksOff
		}
	}
	for _, argv := range s.commands {
		if argv[0] == "git-tdd" {
			argv = append([]string{"git", "tdd"}, argv[1:]...)
		}
		if argv[0] != "git" {
			continue
		}
		if why := gitDodge(argv[1:]); why != "" {
			return why
		}
	}
	return ""
}

const hooksOff = "git's hooks are not switched off or moved here. → leave them as they are; `git tdd doctor` says what is wrong with them"

// gitDodge judges one git command.
func gitDodge(argv []string) string {
	for len(argv) > 0 && strings.HasPrefix(argv[0], "-") {
		takes := argv[0] == "-c" || argv[0] == "-C" || argv[0] == "--git-dir" || argv[0] == "--work-tree" || argv[0] == "--config-env"
		value := argv[0]
		if takes && len(argv) > 1 {
			value, argv = argv[1], argv[1:]
		}
		if aboutHooks(value) {
			return hooksOff
		}
		argv = argv[1:]
	}
	if len(argv) == 0 {
		return ""
	}
	switch name, rest := argv[0], argv[1:]; name {
	case "commit", "merge", "am", "push", "rebase", "cherry-pick", "revert":
		return goesAround(name, rest)
	case "config":
		if slices.ContainsFunc(rest, aboutHooks) && !slices.ContainsFunc(rest, reads) {
			return hooksOff
		}
	case "commit-tree", "fast-import", "update-ref", "replace", "filter-branch", "filter-repo":
		return "git " + name + " makes history that no hook sees. → commit with git commit"
	case "tdd":
		return ownDodge(rest)
	}
	return ""
}

// aboutHooks reports whether a setting decides over hooks, or names a command
// that leaves them out.
func aboutHooks(word string) bool {
	word = strings.ToLower(word)
	return strings.Contains(word, "--no-verify") || strings.HasPrefix(word, "core.hookspath") || strings.HasPrefix(word, "hook.")
}

// reads reports whether an option of git config asks and does not set.
func reads(word string) bool {
	return strings.HasPrefix(word, "--get") || word == "get" || word == "list" || word == "--list" || word == "-l"
}

// goesAround judges the commands that run hooks, and those that rewrite what was
// judged.
func goesAround(name string, argv []string) string {
	if name == "push" {
		return pushDodge(argv)
	}
	for i, a := range argv {
		switch {
		case a == "--":
			return ""
		case i > 0 && takesValue(argv[i-1]):
		case a == "--no-verify" || name != "merge" && strings.HasPrefix("--no-verify", a) && len(a) > len("--no-v"),
			name == "commit" && shortHas(a, 'n'):
			return "git " + name + " " + a + " leaves out the hooks that judge the commit. → leave it out; where a gate refuses, it says what to do"
		}
	}
	return ""
}

// takesValue reports whether the next word belongs to an option of git commit.
func takesValue(option string) bool {
	if strings.HasPrefix(option, "--") {
		return slices.Contains([]string{"--message", "--file", "--author", "--date", "--trailer", "--reuse-message", "--cleanup"}, option)
	}
	return len(option) > 1 && option[0] == '-' && strings.IndexByte("mFCct", option[len(option)-1]) >= 0
}

// shortHas reports whether short options that stand together hold one; after one
// that takes a value there are no more.
func shortHas(word string, option rune) bool {
	if len(word) < 2 || word[0] != '-' || word[1] == '-' {
		return false
	}
	for _, r := range word[1:] {
		switch {
		case r == option:
			return true
		case strings.ContainsRune("mFCctuS", r):
			return false
		}
	}
	return false
}

func pushDodge(argv []string) string {
	for _, a := range argv {
		switch {
		case a == "--no-verify":
			return "git push --no-verify leaves out the hook that judges what is pushed. → leave it out"
		case strings.HasPrefix(a, "--force") || a == "--mirror" || a == "--delete" || shortHas(a, 'f') || shortHas(a, 'd'),
			strings.HasPrefix(a, "+"), strings.HasPrefix(a, ":"):
			return "a forced push rewrites a branch that was judged. → push what is new, or ask the person you work for"
		}
	}
	return ""
}

// ownDodge judges git-tdd's own commands: what gives permission is for people.
func ownDodge(argv []string) string {
	if len(argv) == 0 {
		return ""
	}
	uninstalls := len(argv) > 1 && argv[1] == "uninstall"
	switch {
	case argv[0] == "trust" && !slices.ContainsFunc(argv[1:], func(a string) bool { return a == "--show" || a == "--list" || a == "--help" }):
		return "what may run on this machine is for a person to approve. → ask the person you work for to run `git tdd trust`"
	case (argv[0] == "hooks" || argv[0] == "agents") && uninstalls:
		return hooksOff
	}
	return ""
}
