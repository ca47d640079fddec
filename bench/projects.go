package main

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"text/template"

	"golang.org/x/tools/txtar"
)

// projectFiles has a project a file: how it is tested in JSON, then its files, of which
// those with § in their name are there once a module. "changed" is what the changed file
// says in a round, which is %. "red:PATH" and "green:PATH" are what a cycle adds to a file,
// where another module does not do.
//
//go:embed projects/*.txtar
var projectFiles embed.FS

// modules is how many sources a project has, each with a file of tests.
const modules = 10

// project is a project of one language, of ordinary size for a kata.
type project struct {
	name     string
	Language string
	Test     []string
	Plain    []string // what a person runs, if that is not the test command
	Env      []string // NAME=value that the plain runner has beside its usual environment
	Modules  []string // node packages that it needs
	Changed  string   // the file that changes
	text     string   // what it says then
	modules  int
	files    map[string]string
	more     map[string]string // what a module is made of; or "red:" and "green:" files, with what one adds to them
}

// projects are those that warm measures. That of PHPUnit is so small by itself that what
// every measurement costs, a few milliseconds, is a good part of it; so there is one of a
// hundred modules, too.
func projects() ([]project, error) {
	var out []project
	for _, name := range []string{"go", "cargo", "pytest", "unittest", "node", "vitest", "jest", "minitest", "rspec", "bats", "phpunit", "phpunit-100", "ctest", "maven", "gradle"} {
		times, file := modules, name
		if name == "phpunit-100" {
			times, file = 100, "phpunit"
		}
		p, err := readProject(file, times)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		p.name = name
		out = append(out, p)
	}
	return out, nil
}

// readProject reads a project, with its modules a number of times.
func readProject(file string, times int) (project, error) {
	p := project{modules: times, files: map[string]string{}, more: map[string]string{}}
	data, err := projectFiles.ReadFile(path.Join("projects", file+".txtar"))
	if err != nil {
		return p, err
	}
	archive, more := txtar.Parse(data), map[string]string{}
	for _, f := range archive.Files {
		switch text := string(f.Data); {
		case f.Name == "changed":
			p.text = text
		case strings.Contains(f.Name, ":"):
			more[f.Name] = text
		case strings.Contains(f.Name, "§"):
			p.more[f.Name] = text
			for i := range times {
				n := fmt.Sprint(i)
				p.files[strings.ReplaceAll(f.Name, "§", n)] = strings.ReplaceAll(text, "§", n)
			}
		default:
			p.files[f.Name] = text
		}
	}
	if len(more) > 0 {
		p.more = more
	}
	return p, json.Unmarshal(archive.Comment, &p)
}

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
