package main

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"text/template"

	"golang.org/x/tools/txtar"
)

// kataFiles has the katas of histories: name, test command and the id of a test in JSON, then
// templates of the files.
//
//go:embed katas/*.txtar
var kataFiles embed.FS

// script tells the history of a kata: number after number, each first as a
// failing test, then as code, then tidied.
type script struct {
	Name  string
	Test  []string
	Red   string // the id of the nth test, as a format
	files *template.Template
}

func readScript(kata string) (script, error) {
	s := script{files: template.New("")}
	data, err := kataFiles.ReadFile("katas/" + kata + ".txtar")
	if err != nil {
		return s, err
	}
	archive := txtar.Parse(data)
	for _, f := range archive.Files {
		if _, err := s.files.New(f.Name).Parse(string(f.Data)); err != nil {
			return s, err
		}
	}
	return s, json.Unmarshal(archive.Comment, &s)
}

// base is the tag of the commit before the first step.
const base = "base"

// history makes a repository in which a kata takes a number of steps after its base.
func (b *bench) history(ctx context.Context, kata, dir string, steps int) (script, error) {
	s, err := readScript(kata)
	if err != nil {
		return s, err
	}
	var stream strings.Builder
	importCommit(&stream, "chore: start\n", s.state(1, 1, 1))
	stream.WriteString("reset refs/tags/" + base + "\nfrom refs/heads/main\n\n")
	for step := 1; step <= steps; step++ {
		n := 2 + (step-1)/3
		switch step % 3 {
		case 1:
			importCommit(&stream, fmt.Sprintf("test: number %d\n\n%sTdd-Tests: %d passed, 1 failed\nTdd-Red: "+s.Red+" (assertion)\n", n, claim(step, "tester", "red"), n-1, n), s.state(n-1, n-1, n))
		case 2:
			importCommit(&stream, fmt.Sprintf("feat: number %d\n\n%sTdd-Tests: %d passed, 0 failed\n", n, claim(step, "implementor", "green"), n), s.state(n, n-1, n))
		case 0:
			importCommit(&stream, fmt.Sprintf("refactor: number %d\n\n%sTdd-Tests: %d passed, 0 failed\n", n, claim(step, "refactorer", "refactor"), n), s.state(n, n, n))
		}
	}
	return s, b.imported(ctx, dir, stream.String())
}

func claim(step int, role, phase string) string {
	return fmt.Sprintf("Tdd-Step: %d\nTdd-Role: %s\nTdd-Cycle: %d\nTdd-Phase: %s\n", step, role, (step+2)/3, phase)
}

// state is the files of a moment: numbers known, numbers tidied, numbers tested.
func (s script) state(known, tidy, tested int) map[string]string {
	files := map[string]string{}
	for _, file := range s.files.Templates() {
		var text strings.Builder
		_ = file.Execute(&text, map[string]any{"Known": upTo(known), "Tidy": tidy, "Tested": upTo(tested)}) // every field is there
		files[file.Name()] = text.String()
	}
	return files
}

// upTo lists the numbers from 1.
func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i + 1
	}
	return all
}

func importCommit(stream *strings.Builder, message string, files map[string]string) {
	fmt.Fprintf(stream, "commit refs/heads/main\ncommitter A <a@example.org> 1600000000 +0000\ndata %d\n%s\n", len(message), message)
	for name, content := range files {
		fmt.Fprintf(stream, "M 100644 inline %s\ndata %d\n%s\n", filepath.ToSlash(name), len(content), content)
	}
	stream.WriteString("\n")
}
