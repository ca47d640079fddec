package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var storyPattern = regexp.MustCompile(`hook_\w+`)

// TestStoriesOfTheHooks: the map in docs/hooks.md names every story about hooks
// and no others.
func TestStoriesOfTheHooks(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "hooks.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := storyPattern.FindAllString(string(text), -1)
	files, err := filepath.Glob(filepath.Join("testdata", "script", "hook_*.txtar"))
	if err != nil || len(files) < 60 {
		t.Fatalf("%d stories, %v", len(files), err)
	}
	var stories []string
	for _, file := range files {
		stories = append(stories, strings.TrimSuffix(filepath.Base(file), ".txtar"))
	}
	for _, story := range stories {
		if !slices.Contains(named, story) {
			t.Errorf("docs/hooks.md does not say what %s shows", story)
		}
	}
	for _, name := range named {
		if !slices.Contains(stories, name) {
			t.Errorf("docs/hooks.md names %s, which there is not", name)
		}
	}
}
