// Package config turns the bytes of .tdd.yaml and the environment into typed
// settings, strictly: it refuses what it does not know, and says what to write
// instead.
//
// # Words
//
// A setting is one value, known by its path in the file, for instance
// llm.budget.tokens. A section is a group of settings with fixed names; a table
// (roles, llm.providers, gates.size) is a group whose entries are named by the
// project. Settings come in three layers, the later over the earlier: the
// defaults, the file, the environment. An empty section, or an empty value,
// leaves the values of the layers below unchanged; a list replaces the whole
// list below it.
//
// # Environment
//
// Every setting can also be given as a variable: GIT_TDD_ and the path in
// capitals, with an underscore for anything that is neither a letter nor a
// digit.
//
//	GIT_TDD_STEPS=5
//	GIT_TDD_LLM_BUDGET_TOKENS=100000
//	GIT_TDD_ROLES_TESTER_MODEL=deepseek:coder-v2
//	GIT_TDD_LLM_PROVIDERS_DEEPSEEK_BASE_URL=https://api.deepseek.com/v1
//
// A list is a JSON array, or words separated by spaces; no shell interprets it:
//
//	GIT_TDD_CI_TEST_CMD='["cargo", "test", "--", "my test"]'
//	GIT_TDD_CI_TEST_CMD='cargo test --all'
//
// A variable without a value counts as unset. A GIT_TDD_ variable that does not
// name a setting is an error, like an unknown key.
//
// # Errors
//
// [Parse] reports everything that is wrong at once, as an [*Error] whose
// problems each name the key, the line, what was seen and what to write
// instead:
//
//	.tdd.yaml: 1 problem
//	  line 3: stps: unknown key; write steps
//
// # Example
//
//	settings, err := config.Parse(file, os.Environ(), lang.All())
//	if err != nil {
//		return err
//	}
//	projects, err := settings.Split(lang.All(), paths)
//	if err != nil {
//		return err
//	}
package config
