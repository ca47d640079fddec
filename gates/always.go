package gates

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
