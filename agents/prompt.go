package agents

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/json"
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
	q := question{step: b.Step, who: string(b.Role), templates: b.templates(), schema: "edit_plan"}
	q.data = func(a asked) any { return view{b, a} }
	p, err := q.ask(turns)
	for _, m := range p.Messages {
		err = cmp.Or(err, b.leaked(m.Content, turns))
	}
	switch {
	case err != nil:
		return Prompt{}, err
	case turns[len(turns)-1].Task == TaskWork:
		p.Schema = nil
	case b.Plays == gates.Keeper:
		p.Schema.JSON = bytes.Replace(p.Schema.JSON, []byte(`"test", "feat", "fix", "refactor", "perf"`), []byte(strconv.Quote(b.Rules.Type)), 1)
	}
	return p, nil
}

func (p *Prompt) say(role, text string) {
	p.Messages = append(p.Messages, llm.Message{Role: role, Content: text})
}

// render adds a message that a template makes.
func (p *Prompt) render(set *template.Template, role, name string, data any) error {
	var text strings.Builder
	err := set.ExecuteTemplate(&text, name, data)
	p.say(role, text.String())
	return err
}

// parse reads the templates of prompts in some files.
func parse(names []string) (*template.Template, error) {
	files := gates.Each(names, func(name string) string { return "prompts/" + name + ".tmpl" })
	return template.New("").Funcs(template.FuncMap{
		"data": dataBlock, "guide": guide, "inline": inline, "path": quoted, "numbered": numbered,
	}).ParseFS(prompts, files...)
}

// templates are those of a role.
func (b Brief) templates() []string {
	rules, form := string(b.Plays), "ask"
	if b.Both {
		rules = "cycle"
	}
	if b.Works {
		form = "work"
	}
	return []string{"brief", rules, form}
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

// question is what a role, or an adviser, is asked in a step.
type question struct {
	step      int
	who       string
	templates []string
	schema    string // of the answer
	data      func(asked) any
}

// asked is one turn as the templates see it.
type asked struct {
	Turn
	Label string
}

// ask makes the prompt for the last of the turns. Each prompt begins with the one before it.
func (q question) ask(turns []Turn) (Prompt, error) {
	set, err := parse(q.templates)
	if err != nil {
		return Prompt{}, fmt.Errorf("parse the prompt of the %s: %w", q.who, err)
	}
	var p Prompt
	err = p.render(set, "system", "system", q.data(asked{}))
	name := "opening"
	for i, t := range turns {
		if i > 0 {
			p.say("assistant", defang(turns[i-1].Answer))
			name = "next"
		}
		p.Label = t.label(q.step, q.who)
		err = cmp.Or(err, p.render(set, "user", name, q.data(asked{t, p.Label})))
	}
	text, missing := prompts.ReadFile("prompts/" + q.schema + ".schema.json")
	p.Schema = &llm.Schema{Name: q.schema, JSON: text}
	return p, cmp.Or(err, missing)
}

// readObject reads the one JSON object of an answer that has a key. The error is a *PlanError.
func readObject(answer, key string, into any) error {
	remedy := fmt.Sprintf("answer with exactly one JSON object that has %q, and nothing else", key)
	object, err := wanted{keys: []string{key}, begins: []string{key}, remedy: remedy}.find(answer)
	if err == nil {
		err = json.Unmarshal([]byte(object), into)
	}
	if err != nil {
		return planError(err)
	}
	return nil
}
