package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-tdd/git-tdd/llm"
)

// prompt compares what the same role is sent first in a small and in a large project, and the
// prompts of the demo.
func (b *bench) prompt(ctx context.Context) error {
	b.url = nowhere
	var took []float64
	b.say("prompt: tokens are estimates")
	for _, files := range []int{50, 50_000} {
		dir := filepath.Join(b.dir, fmt.Sprintf("crowd-%d", files))
		if err := b.crowd(ctx, dir, files); err != nil {
			return err
		}
		sent, err := b.command(ctx, dir, b.binary, "prompt").Output()
		if err != nil {
			return err
		}
		took = append(took, float64(llm.Tokens(string(sent))))
		b.say("  %6d files   %7.0f tokens of a tester's first prompt", files, took[len(took)-1])
	}
	b.say("  ratio          %7.3f (bar: 1.05)", took[1]/took[0])
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
	tape := dir + ".json"
	if err := b.do(ctx, dir, b.binary, "run", "--steps", "13", "--replay", answers, "--record", tape); err != nil {
		return nil, err
	}
	data, err := os.ReadFile(tape)
	if err != nil {
		return nil, err
	}
	var cassette llm.Cassette
	return cassette.Entries, json.Unmarshal(data, &cassette)
}

// crowd makes a repository of many sources, whose commands may run.
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
	if err := b.imported(ctx, dir, stream.String()); err != nil {
		return err
	}
	return b.do(ctx, dir, b.binary, "trust")
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
