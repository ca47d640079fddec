package agents

import (
	"bytes"
	"embed"
	"fmt"
	"strconv"
	"strings"
	"text/template"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/llm"
)

//go:embed prompts
var prompts embed.FS

// Prompt is one question to a model.
type Prompt struct {
	Label    string        // in the heading of the last message's task
	Messages []llm.Message // the system's, then the user's and the model's in turn
	Schema   *llm.Schema   // of the answer; nil for free text
}

// Ask makes the prompt for the last of a conversation's turns. The messages of
// the turns before it are the same, byte for byte, as when they were asked, so
// that what a provider keeps of a prompt serves the next one. The error may
// wrap ErrLeak.
func Ask(b Brief, turns []Turn) (Prompt, error) {
	set, v, err := b.templates()
	if err != nil {
		return Prompt{}, err
	}
	var p Prompt
	say := func(role, text string) error {
		p.Messages = append(p.Messages, llm.Message{Role: role, Content: text})
		return b.leaked(text, turns)
	}
	render := func(role, name string) error {
		var text strings.Builder
		if err := set.ExecuteTemplate(&text, name, v); err != nil {
			return fmt.Errorf("render the %s prompt: %w", name, err)
		}
		return say(role, text.String())
	}
	if err := render("system", "system"); err != nil {
		return Prompt{}, err
	}
	for i, t := range turns {
		v.Turn, v.Label = t, b.Label(t)
		name := "opening"
		if i > 0 {
			name = "next"
			if err := say("assistant", defang(turns[i-1].Answer)); err != nil {
				return Prompt{}, err
			}
		}
		if err := render("user", name); err != nil {
			return Prompt{}, err
		}
	}
	p.Label = v.Label
	if v.Task != TaskWork {
		p.Schema, err = b.editSchema()
	}
	return p, err
}

func (b Brief) editSchema() (*llm.Schema, error) {
	schema, err := prompts.ReadFile("prompts/editplan.schema.json")
	if err != nil {
		return nil, fmt.Errorf("read the schema of an edit plan: %w", err)
	}
	if b.Plays == gates.Keeper {
		schema = bytes.Replace(schema, []byte(`"test", "feat", "fix", "refactor", "perf"`), []byte(strconv.Quote(b.Rules.Type)), 1)
	}
	return &llm.Schema{Name: "edit_plan", JSON: schema}, nil
}

func (b Brief) templates() (*template.Template, view, error) {
	rules, form := string(b.Plays), "ask"
	if b.Both {
		rules = "cycle"
	}
	if b.Works {
		form = "work"
	}
	set, err := template.New("").Funcs(template.FuncMap{
		"data":   dataBlock,
		"guide":  guide,
		"inline": inline,
		"path":   quoted,
	}).ParseFS(prompts, "prompts/brief.tmpl", "prompts/"+rules+".tmpl", "prompts/"+form+".tmpl")
	if err != nil {
		return nil, view{}, fmt.Errorf("parse the prompt: %w", err)
	}
	if b.Plays != gates.Tester { // it speaks of tests to be written
		b.Idiom = ""
	}
	if b.Stub == "" {
		b.Stub = `an error that says "not implemented"`
	}
	return set, view{Brief: b}, nil
}

// guide is a project's own text for a role, as its reader saw it. It cannot pass for material.
func guide(text string) string {
	var out strings.Builder
	for line := range strings.Lines(text) {
		line = strings.TrimRight(defang(visible(line)), " \t")
		if within("", line) != "" {
			line = strings.TrimSuffix(line, "text")
		}
		out.WriteString(strings.TrimSuffix(line, " (data)") + "\n")
	}
	return strings.TrimSpace(out.String())
}

func quoted(path string) string { return strconv.Quote(defang(oneLine(path, maxItem))) }

// inline is untrusted text for the middle of a line outside any fence.
func inline(text any) string {
	return strings.ReplaceAll(defang(oneLine(fmt.Sprint(text), maxMessage)), "`", "'")
}
