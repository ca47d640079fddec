package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/llm/llmtest"
)

// prompt takes the same three steps, each after a refusal, in a small and in a
// large project, and then those of the demo, and compares the prompts.
func (b *bench) prompt(ctx context.Context) error {
	var perStep []float64
	b.say("prompt: three steps of a shell project, each accepted at the second attempt; tokens are estimates")
	for _, files := range []int{50, 50_000} {
		asked, err := b.conversations(ctx, files)
		if err != nil {
			return err
		}
		tokens := 0
		for _, e := range asked {
			tokens += llm.Tokens(spoken(e))
		}
		perStep = append(perStep, float64(tokens)/3)
		b.say("  %6d files   %7.0f tokens a step; %s", files, perStep[len(perStep)-1], followed(asked))
	}
	b.say("  ratio          %7.3f (bar: 1.05)", perStep[1]/perStep[0])
	for _, language := range []string{"go", "rust"} {
		asked, err := b.demo(ctx, language)
		if err != nil {
			return err
		}
		first, steps := 0, 0
		for _, e := range asked {
			if strings.HasSuffix(e.Label, "attempt 1") {
				first += llm.Tokens(spoken(e))
				steps++
			}
		}
		b.say("  the demo in %-5s%5d tokens in the first prompt of a step (bar: 1800); %s", language, first/max(steps, 1), followed(asked))
	}
	return nil
}

// followed says how much of each prompt but the first is the beginning of the one before.
func followed(asked []llm.Entry) string {
	least, sum := 1.0, 0.0
	for i, e := range asked[1:] {
		share := float64(shared(spoken(asked[i]), spoken(e))) / float64(len(spoken(e)))
		least, sum = min(least, share), sum+share
	}
	return fmt.Sprintf("of each later prompt, also of another role, at least %.0f %% (mean %.0f %%) is the beginning of the one before (bar: 60 %%)",
		100*least, 100*sum/float64(max(len(asked)-1, 1)))
}

// conversations records what is asked in three steps.
func (b *bench) conversations(ctx context.Context, files int) ([]llm.Entry, error) {
	server := llmtest.Serve(secondTry)
	defer server.Close()
	b.url = server.URL + "/v1"
	dir := filepath.Join(b.dir, fmt.Sprintf("crowd-%d", files))
	if err := b.crowd(ctx, dir, files); err != nil {
		return nil, err
	}
	if err := b.do(ctx, dir, b.binary, "trust"); err != nil {
		return nil, err
	}
	return b.recorded(ctx, dir, "--steps", "3")
}

// demo records what the demo asks; its recording has other prompts.
func (b *bench) demo(ctx context.Context, language string) ([]llm.Entry, error) {
	answers, err := filepath.Abs("cmd/git-tdd/demo/string-calculator." + language + ".json")
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(b.dir, "demo-"+language, "string-calculator") // as the answers call it
	if err := os.MkdirAll(filepath.Dir(dir), 0o750); err != nil {
		return nil, err
	}
	if err := b.do(ctx, filepath.Dir(dir), b.binary, "init", "--language", language, "--kata", "string-calculator", dir); err != nil {
		return nil, err
	}
	return b.recorded(ctx, dir, "--steps", "13", "--replay", answers)
}

// recorded runs steps and returns what was asked.
func (b *bench) recorded(ctx context.Context, dir string, options ...string) ([]llm.Entry, error) {
	tape := dir + ".json"
	if err := b.do(ctx, dir, append([]string{b.binary, "run", "--record", tape}, options...)...); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(tape)
	if err != nil {
		return nil, err
	}
	var cassette llm.Cassette
	return cassette.Entries, json.Unmarshal(data, &cassette)
}

// crowd makes a repository of many sources.
func (b *bench) crowd(ctx context.Context, dir string, files int) error {
	all := map[string]string{
		".tdd.yaml":    "language: generic\nci: {test_cmd: [sh, tests/all.sh], timeout: 10m}\nllm: {budget: {time: 0s}}\n",
		"tests/all.sh": "for t in tests/*_test.sh; do [ ! -e \"$t\" ] || sh \"$t\" || exit 1; done\n",
		"kata.md":      "# Greetings\n\nEverybody is greeted.\n\n## Acceptance criteria\n\n1. Ada is greeted.\n2. Bob is greeted.\n",
	}
	for n := range files {
		n += 100_000 // so that a file is as long in either project
		all[fmt.Sprintf("src/d%d/file%d.sh", n%200, n)] = fmt.Sprintf("# greets number %[1]d\ngreet%[1]d() {\n\tname=$1\n\tif [ -z \"$name\" ]; then\n\t\tname=nobody\n\tfi\n\techo \"hello $name, you are number %[1]d\"\n}\n", n)
	}
	var stream strings.Builder
	importCommit(&stream, "c\n", all)
	return b.imported(ctx, dir, stream.String())
}

// secondTry is a model that breaks a rule at first, and then keeps them all.
func secondTry(label string) (string, bool) {
	answers := map[int][]string{
		1: {"test: greet Ada\n=== src/ada.sh\n# ada\n", "test: greet Ada\ncriterion 1\n=== tests/ada_test.sh\n. src/ada.sh\n[ \"$(greet Ada)\" = 'hello Ada' ]\n"},
		2: {"feat: greet Ada\n=== src/bob.sh\n# bob\n", "feat: greet Ada\n=== src/ada.sh\ngreet() {\n\techo \"hello $1\"\n}\n"},
		3: {"refactor: greet\n=== src/ada.sh\ngreet() { echo; }\n", "done"},
	}
	var step int
	_, err := fmt.Sscanf(label, "step %d", &step)
	try := answers[step]
	if err != nil || len(try) == 0 {
		return "", false
	}
	if strings.HasSuffix(label, "attempt 1") {
		return try[0], true
	}
	return try[1], true
}

// spoken is all of a request, in the order in which a model reads it.
func spoken(e llm.Entry) string {
	var text strings.Builder
	for _, m := range e.Request.Messages {
		text.WriteString(m.Role + "\n" + m.Content + "\n")
	}
	return text.String()
}

// shared is the length of the common beginning of two texts.
func shared(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
