package main

import (
	"embed"
	"encoding/json"
	"fmt"
	"path"
	"strings"

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
