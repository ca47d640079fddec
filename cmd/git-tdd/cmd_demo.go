package main

import (
	"context"
	"embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/git-tdd/git-tdd/llm"
)

// recordings are recorded real runs of the loop; docs/recording.md says how to make new ones.
//
//go:embed demo/*.json
var recordings embed.FS

func (p *program) demoCommand() *cli.Command {
	return &cli.Command{
		Name: "demo", Usage: "the whole loop on a kata with a recorded model: no network",
		Description: "Starts the String Calculator kata in a new folder and lets the three roles work on it.\n" +
			"Only the answers of the model are recorded; the edits are applied, compiled,\n" +
			"tested, judged and committed here and now.",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "language", Aliases: []string{"l"}, Value: "go", Usage: "`NAME` of the language: go or rust"},
			&cli.StringFlag{Name: "dir", Usage: "work in `DIR`, which must not exist (default: a new temporary folder)"},
		},
		Action: func(c *cli.Context) error {
			return p.demo(c.Context, c.String("language"), c.String("dir"))
		},
	}
}

func (p *program) demo(ctx context.Context, language, dir string) error {
	tape, err := recording(language)
	if err != nil {
		return err
	}
	if dir, err = demoFolder(dir); err != nil {
		return err
	}
	start := time.Now()
	// A separate program: another folder, no key.
	d := newProgram(dir, demoEnviron(p.environ), p.out.w, p.err.w)
	defer d.close()
	if err := d.playDemo(ctx, language, tape); err != nil {
		return fmt.Errorf("the demo stopped; its folder is kept at %s: %w", dir, err)
	}
	p.out.printf("\nThe demo took %s. Only the answers were recorded; everything else happened just now, in\n  %s\n\n"+
		"Try next:\n  cd %s\n  git tdd status            whose turn it is\n  git log -1                a commit and its trailers\n"+
		"  git tdd verify --fresh    measure every commit anew\n  git tdd explain red       what makes a red test a right one\n"+
		"  git tdd init --language %s ~/my-kata && cd ~/my-kata && git tdd doctor\n",
		time.Since(start).Round(time.Second/10), dir, dir, language)
	return nil
}

// recording loads the tape of a language, if its toolchain is installed.
func recording(language string) (*llm.Cassette, error) {
	tool := map[string]string{"go": "go", "rust": "cargo"}[language]
	if tool == "" {
		return nil, noSuch("recording for the language", language, []string{"go", "rust"})
	}
	if _, err := exec.LookPath(tool); err != nil {
		return nil, unjudged("the demo needs " + tool + " to compile and test what the model writes: " + err.Error())
	}
	data, _ := recordings.ReadFile("demo/string-calculator." + language + ".json") // it is a part of the program
	return llm.LoadCassette(data)
}

// demoFolder makes the folder of the project. Its name is the project's, which
// the recorded answers contain.
func demoFolder(dir string) (string, error) {
	var err error
	if dir == "" {
		dir, err = os.MkdirTemp("", "git-tdd-demo-")
	} else if _, err := os.Lstat(dir); err == nil {
		return "", usage(dir + " is there already; name a folder that is not")
	}
	if err == nil {
		dir, err = filepath.Abs(filepath.Join(dir, "string-calculator"))
	}
	if err == nil {
		err = os.MkdirAll(dir, 0o750)
	}
	if err != nil {
		return "", fmt.Errorf("make a folder for the demo: %w", err)
	}
	return dir, nil
}

// demoEnviron is the environment without the user's own settings, so that the
// demo is the same everywhere.
func demoEnviron(environ []string) []string {
	return slices.DeleteFunc(slices.Clone(environ), func(kv string) bool {
		return strings.HasPrefix(kv, "GIT_") || strings.HasPrefix(kv, "LLM_API_KEY=")
	})
}

// playDemo runs the kata from the empty folder to the proof.
func (p *program) playDemo(ctx context.Context, language string, tape *llm.Cassette) error {
	say := func(text string) { p.out.printf("\n%s\n", p.out.paint(bold, text)) }
	say("1. git tdd init --language " + language + " --kata string-calculator")
	if err := p.init(ctx, initializing{dir: p.dir, language: language, kata: "string-calculator", brief: true, unhooked: true}); err != nil {
		return err
	}
	// Nobody can unlock a key.
	if err := p.repo.SetConfig(ctx, "commit.gpgsign", "false"); err != nil {
		return err
	}
	n := tape.Steps()
	say(fmt.Sprintf("2. git tdd run --steps %d", n))
	if err := p.steps(ctx, steps{what: "run", most: n}, models{recorded: tape}); err != nil {
		return err
	}
	say("3. git log --format=tdd")
	if err := p.showLog(ctx, []string{"--no-decorate", "--reverse"}, quietPager); err != nil {
		return err
	}
	say("4. git tdd verify")
	return p.verify(ctx, verifying{format: formatText, brief: true})
}
