package gates

import "slices"

// alwaysProtected is a project's own patterns and those that hold everywhere:
// what git, an editor, a coding agent, a package manager or a server runs or
// obeys without being asked again.
func alwaysProtected(patterns []string) []string {
	return slices.DeleteFunc(slices.Concat([]string{
		".tdd.yaml", "tdd.yaml", ".tdd", "**/.git", "**/.gitattributes", "**/.gitmodules",
		".githooks", ".husky", "lefthook.y*ml", ".lefthook.y*ml", ".pre-commit-config.yaml",
	}, servers(), editors(), codingAgents(), environments(), dependencies(), patterns),
		func(pattern string) bool { return pattern == "" })
}

// servers is what continuous integration obeys.
func servers() []string {
	return []string{
		".github", ".gitlab", "**/.gitlab-ci.y*ml", ".forgejo", ".gitea", ".circleci", ".buildkite", ".semaphore", ".teamcity", ".woodpecker",
		".woodpecker.y*ml", ".drone.y*ml", ".travis.y*ml", ".cirrus.*", ".appveyor.y*ml", "appveyor.y*ml", ".azure-pipelines", "**/azure-pipelines*.y*ml",
		"**/Jenkinsfile*", "bitbucket-pipelines.y*ml", "**/buildspec*.y*ml", "**/cloudbuild*.y*ml", "codemagic.yaml", ".build.yml", ".builds", ".ci",
	}
}

// editors is what an editor or the container that it opens runs.
func editors() []string {
	return []string{
		"**/.vscode", "**/.idea", ".fleet", ".zed", "**/*.code-workspace", ".nvim*", ".vimrc", ".exrc", "**/.dir-locals*.el", ".editorconfig",
		"**/.devcontainer", "**/.devcontainer.json", ".gitpod.y*ml", "devfile.yaml", ".devfile.yaml",
	}
}

// codingAgents is what coding agents read as instructions, or let themselves be
// configured by.
func codingAgents() []string {
	return []string{
		"**/.claude", "**/.codex", "**/.gemini", "**/.cursor", "**/.opencode", "**/.agents", "**/.aider*", "**/.windsurf", "**/.cline", "**/.roo",
		"**/.continue", "**/.copilot", "**/.amazonq", "**/.kiro", "**/.junie", "**/.augment", "**/.qwen", "**/.crush", "**/.goose*",
		"**/.cursorrules", "**/.windsurfrules", "**/.clinerules", "**/.roorules", "**/.mcp.json", "**/mcp.json", "opencode.json*", "crush.json",
		"**/AGENT.md", "**/AGENTS*.md", "**/CLAUDE*.md", "**/GEMINI.md", "**/QWEN.md", "**/CONVENTIONS.md",
	}
}

// environments is what a shell or a version manager takes over on entering the
// folder.
func environments() []string {
	return []string{
		"**/.env", "**/.env.*", "**/.envrc", "**/.mise", "**/.mise*.toml", "**/mise*.toml", "**/.tool-versions", "**/.direnv",
		"**/.python-version", "**/.ruby-version", "**/.node-version", "**/.nvmrc", "**/rust-toolchain*",
	}
}

// dependencies is what decides whose code is downloaded and run: lock files,
// wrappers, and where packages come from.
func dependencies() []string {
	return []string{
		"**/Cargo.lock", "**/go.sum", "**/go.work.sum", "**/package-lock.json", "**/npm-shrinkwrap.json", "**/yarn.lock", "**/pnpm-lock.yaml", "**/bun.lock*",
		"**/deno.lock", "**/poetry.lock", "**/uv.lock", "**/pdm.lock", "**/Pipfile.lock", "**/Gemfile.lock", "**/composer.lock", "**/mix.lock",
		"**/pubspec.lock", "**/Package.resolved", "**/*gradle.lockfile", "**/packages.lock.json", "**/flake.lock", "**/conan.lock",
		"**/gradlew", "**/gradlew.bat", "**/gradle/wrapper", "**/mvnw", "**/mvnw.cmd", "**/.mvn",
		"**/.npmrc", "**/.yarnrc*", "**/.yarn", "**/.pnpmfile.*", "**/pip.conf", "**/.cargo", "**/.bundle", "**/NuGet.Config",
	}
}
