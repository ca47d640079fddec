package gates

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

func sizeGate() Gate {
	return Gate{
		Name: "size", Who: "all in the loop", Judges: func(c *Case) bool { return c.inLoop() },
		Doc: `A step stays within its role's budget of files and lines (added plus deleted),
set by gates.size; a cycle within those of tester and implementor together.

Why: small steps are what makes the cycle work, and a large one hides what it
does.

To satisfy it: do less in this step, or raise gates.size in a commit of its own.`,
		Static: func(c *Premise) []Finding {
			budget, ok := c.Policy.Size[c.Role]
			if !ok {
				budget = c.Policy.SizeOf(c.Plays)
			}
			if tests := c.Policy.SizeOf(Tester); c.Cycle {
				budget.Files, budget.Lines = budget.Files+tests.Files, budget.Lines+tests.Lines
			}
			lines := 0
			for _, f := range c.Change.Files {
				lines += f.Source.Total() + f.Test.Total()
			}
			var out []Finding
			over := func(what string, seen, most int) {
				if most > 0 && seen > most {
					out = append(out, objection(fmt.Sprintf("the change touches %d %s; the budget of the %s is %d", seen, what, c.Role, most),
						"do less in this step"))
				}
			}
			over("files", len(c.Change.Files), budget.Files)
			over("lines", lines, budget.Lines)
			return out
		},
	}
}

func protectedGate() Gate {
	return Gate{
		Name: "protected", Who: "all", Judges: always,
		Doc: `An agent never touches .git, hooks, .tdd.yaml, the kata, CI files, the settings
of editors, dev containers and coding agents, .env files, lock files, wrappers
(gradlew, mvnw), the runner configuration of other languages, or what
gates.protected lists, and adds no symbolic link or submodule. Nobody changes
.tdd.yaml in a step of the loop: the rules a commit is judged by are those of
its parent, and a change to them is a commit of its own.

Why: what steers the machine must not be steered by it.

To satisfy it: leave the path as it was; change policy in a chore: commit.`,
		Static: func(c *Premise) []Finding {
			var out []Finding
			for _, f := range c.Change.Files {
				if side, bad := Find(f.Sides(), func(side *File) bool { return forbidden(c, side) != "" }); bad {
					out = append(out, Finding{Path: side.Path, Seen: forbidden(c, side), Remedy: "leave this path as it was"})
				}
			}
			return out
		},
	}
}

// IsPolicy reports whether a path is that of the rules.
func IsPolicy(path string) bool {
	return strings.EqualFold(path, ".tdd.yaml") || strings.EqualFold(path, "tdd.yaml")
}

// forbidden says why nobody, or no agent, may touch a file; empty if all may.
func forbidden(c *Premise, f *File) string {
	switch {
	case c.inLoop() && IsPolicy(f.Path):
		return "a step of the loop changes the policy"
	case !c.Agent:
		return ""
	case f.Mode == modeSymlink || f.Mode == modeSubmodule:
		return "an agent may not add or change a symbolic link or a submodule"
	case Protected(c.Protected, f.Path) && (!c.plans() || !ofPlan(f)):
		return "this path is protected from agents"
	}
	return ""
}

// Protected reports whether agents must not touch a path: it matches one of the
// patterns, lies below one, or steers something in any repository
// ([alwaysProtected]). Case is ignored, because some file systems ignore it. A malformed
// pattern is taken literally.
func Protected(patterns []string, path string) bool {
	path = strings.ToLower(path)
	return slices.ContainsFunc(alwaysProtected(patterns), func(pattern string) bool {
		pattern = strings.TrimSuffix(strings.ToLower(pattern), "/")
		return pattern != "" && (pattern == path ||
			doublestar.MatchUnvalidated(pattern, path) || doublestar.MatchUnvalidated(pattern+"/**", path))
	})
}

// alwaysProtected is a project's own patterns and those that hold everywhere:
// what git, an editor, a coding agent, a package manager or a server runs or
// obeys without being asked again.
func alwaysProtected(patterns []string) []string {
	return append([]string{
		".tdd.yaml", "tdd.yaml", ".tdd", "**/.git", "**/.gitattributes", "**/.gitmodules",
		".githooks", ".husky", "lefthook.y*ml", ".lefthook.y*ml", ".pre-commit-config.yaml",

		// What continuous integration obeys.
		".github", ".gitlab", "**/.gitlab-ci.y*ml", ".forgejo", ".gitea", ".circleci", ".buildkite", ".semaphore", ".teamcity", ".woodpecker",
		".woodpecker.y*ml", ".drone.y*ml", ".travis.y*ml", ".cirrus.*", ".appveyor.y*ml", "appveyor.y*ml", ".azure-pipelines", "**/azure-pipelines*.y*ml",
		"**/Jenkinsfile*", "bitbucket-pipelines.y*ml", "**/buildspec*.y*ml", "**/cloudbuild*.y*ml", "codemagic.yaml", ".build.yml", ".builds", ".ci",

		// What an editor or the container that it opens runs.
		"**/.vscode", "**/.idea", ".fleet", ".zed", "**/*.code-workspace", ".nvim*", ".vimrc", ".exrc", "**/.dir-locals*.el", ".editorconfig",
		"**/.devcontainer", "**/.devcontainer.json", ".gitpod.y*ml", "devfile.yaml", ".devfile.yaml",

		// What coding agents read as instructions, or let themselves be configured by.
		"**/.claude", "**/.codex", "**/.gemini", "**/.cursor", "**/.opencode", "**/.agents", "**/.aider*", "**/.windsurf", "**/.cline", "**/.roo",
		"**/.continue", "**/.copilot", "**/.amazonq", "**/.kiro", "**/.junie", "**/.augment", "**/.qwen", "**/.crush", "**/.goose*",
		"**/.cursorrules", "**/.windsurfrules", "**/.clinerules", "**/.roorules", "**/.mcp.json", "**/mcp.json", "opencode.json*", "crush.json",
		"**/AGENT.md", "**/AGENTS*.md", "**/CLAUDE*.md", "**/GEMINI.md", "**/QWEN.md", "**/CONVENTIONS.md",

		// What a shell or a version manager takes over on entering the folder.
		"**/.env", "**/.env.*", "**/.envrc", "**/.mise", "**/.mise*.toml", "**/mise*.toml", "**/.tool-versions", "**/.direnv",
		"**/.python-version", "**/.ruby-version", "**/.node-version", "**/.nvmrc", "**/rust-toolchain*",

		// What decides whose code is downloaded and run: lock files, wrappers, and where
		// packages come from.
		"**/Cargo.lock", "**/go.sum", "**/go.work.sum", "**/package-lock.json", "**/npm-shrinkwrap.json", "**/yarn.lock", "**/pnpm-lock.yaml", "**/bun.lock*",
		"**/deno.lock", "**/poetry.lock", "**/uv.lock", "**/pdm.lock", "**/Pipfile.lock", "**/Gemfile.lock", "**/composer.lock", "**/mix.lock",
		"**/pubspec.lock", "**/Package.resolved", "**/*gradle.lockfile", "**/packages.lock.json", "**/flake.lock", "**/conan.lock",
		"**/gradlew", "**/gradlew.bat", "**/gradle/wrapper", "**/mvnw", "**/mvnw.cmd", "**/.mvn",
		"**/.npmrc", "**/.yarnrc*", "**/.yarn", "**/.pnpmfile.*", "**/pip.conf", "**/.cargo", "**/.bundle", "**/NuGet.Config",
	}, patterns...)
}
