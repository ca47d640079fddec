package agenthook

import (
	"fmt"
	"slices"
	"strings"
)

// dodge says which way around the rules of a repository a script takes; empty where
// it takes none that can be seen. mine says whether a folder is the repository's.
func (s script) dodge(mine func(dir string) bool) string {
	for _, set := range s.settings {
		switch {
		case !mine(set.dir):
		case strings.HasPrefix(set.name, "GIT_TDD_GATES_"):
			return set.name + " changes what the gates demand, which is for the person you work for to do. → leave it out; if a gate is wrong, say which and stop"
		case set.name == "GIT_TDD":
			return "GIT_TDD switches the hooks off, which is for the person you work for to do. → leave it out; if a gate is wrong, say which and stop"
		case strings.HasPrefix(set.name, "GIT_CONFIG_") && (aboutHooks(set.value) || strings.Contains(strings.ToLower(set.value), "hook") || strings.Contains(set.value, "alias.")):
			return hooksOff
		case (set.name == "GIT_CONFIG_GLOBAL" || set.name == "GIT_CONFIG_SYSTEM") && set.value != "/dev/null":
			return hooksOff
		}
	}
	for _, c := range s.commands {
		why := ""
		switch {
		case !mine(c.dir):
		case c.argv[0] == "git-tdd":
			why = ownDodge(c.argv[1:])
		case c.argv[0] == "git":
			why = gitDodge(c.argv[1:])
		}
		if why != "" {
			return why
		}
	}
	return ""
}

const (
	hooksOff = "git's hooks are not switched off or moved here. → leave them as they are; `git tdd doctor` says what is wrong with them"
	unseen   = "what the shell puts into the arguments of git %s is not known before it runs, and could leave out the hooks. → write the words out, or put paths behind --"
)

// globalValue reports whether an option of git itself takes the next word.
func globalValue(option string) bool {
	return slices.Contains([]string{"-c", "-C", "--git-dir", "--work-tree", "--config-env", "--namespace", "--super-prefix", "--attr-source"}, option)
}

// gitDodge judges the words after git.
func gitDodge(argv []string) string {
	for len(argv) > 0 && strings.HasPrefix(argv[0], "-") {
		option, value, _ := strings.Cut(argv[0], "=")
		if globalValue(argv[0]) && len(argv) > 1 {
			value, argv = argv[1], argv[1:]
		}
		argv = argv[1:]
		key, _, _ := strings.Cut(strings.ToLower(value), "=")
		if option != "-c" && option != "--config-env" {
			continue
		}
		if aboutHooks(value) || strings.HasPrefix(key, "include") || strings.HasPrefix(key, "alias.") || !known(key) {
			return hooksOff
		}
	}
	if len(argv) == 0 {
		return ""
	}
	return called(argv[0], argv[1:])
}

// called judges one of git's commands by its own words.
func called(name string, rest []string) string {
	switch name {
	case "commit", "merge", "am", "push", "rebase", "cherry-pick", "revert", "pull":
		return goesAround(name, rest)
	case "config":
		if !slices.ContainsFunc(rest, reads) && slices.ContainsFunc(rest, aboutHooks) {
			return hooksOff
		}
	case "commit-tree", "fast-import", "update-ref", "replace", "filter-branch", "filter-repo":
		return "git " + name + " makes history that no hook sees. → commit with git commit"
	case "tdd":
		return ownDodge(rest)
	}
	if !known(name) {
		return fmt.Sprintf(unseen, "…")
	}
	return ""
}

// aboutHooks reports whether a setting decides over hooks, or names a command that leaves them out.
func aboutHooks(word string) bool {
	word = strings.ToLower(word)
	return strings.Contains(word, "--no-verify") || strings.HasPrefix(word, "core.hookspath") || strings.HasPrefix(word, "hook.")
}

// reads reports whether an option of git config asks and does not set.
func reads(word string) bool {
	return strings.HasPrefix(word, "--get") || word == "get" || word == "list" || word == "--list" || word == "-l"
}

// goesAround judges the commands that run hooks, and those that rewrite what was judged.
func goesAround(name string, argv []string) string {
	if why := pushDodge(argv); name == "push" && why != "" {
		return why
	}
	for i, a := range argv {
		switch {
		case a == "--":
			return ""
		case i > 0 && takesValue(argv[i-1]):
		case perhaps(a):
			return fmt.Sprintf(unseen, name)
		case name == "push":
		case a == "--no-verify" || name != "merge" && name != "pull" && strings.HasPrefix("--no-verify", a) && len(a) > len("--no-v"),
			name == "commit" && shortHas(a, 'n'):
			return "git " + name + " " + a + " leaves out the hooks that judge the commit. → leave it out; where a gate refuses, it says what to do"
		}
	}
	return ""
}

// perhaps reports whether a word may turn out to be any option: nothing that is
// known stands before what is not, but the begin of an option.
func perhaps(word string) bool {
	at := strings.Index(word, anything[:3])
	if at < 0 {
		return false
	}
	front := word[:at]
	return strings.Trim(front, "-") == "" || strings.HasPrefix(front, "--") && !strings.Contains(front, "=") ||
		strings.HasPrefix(front, "-") && !strings.ContainsAny(front, "mFCctuS=")
}

// takesValue reports whether the next word belongs to an option of git commit.
func takesValue(option string) bool {
	if strings.HasPrefix(option, "--") {
		return slices.Contains([]string{"--message", "--file", "--author", "--date", "--trailer", "--reuse-message", "--cleanup"}, option)
	}
	return len(option) > 1 && option[0] == '-' && strings.IndexByte("mFCct", option[len(option)-1]) >= 0
}

// shortHas reports whether a cluster of short options has one before any that takes a value.
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
