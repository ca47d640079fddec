package agents

import (
	"embed"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/template"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/llm"
)

//go:embed prompts
var prompts embed.FS

// ErrRole says that a role plays none of the three roles with rules.
var ErrRole = errors.New("the role plays neither tester, implementor nor refactorer")

// Prompt is one question to a model.
type Prompt struct {
	Label    string        // the first line of the user's message
	Messages []llm.Message // the system's and the user's
	Schema   *llm.Schema   // of the answer; nil for free text
}

// PlanPrompt asks for a short plan in Markdown. The error wraps ErrRole or
// ErrLeak.
func PlanPrompt(b Brief) (Prompt, error) {
	return b.prompt(TaskPlan, "")
}

// EditPrompt asks for the edit plan that carries out a plan; the plan may be
// empty. The error wraps ErrRole or ErrLeak.
func EditPrompt(b Brief, plan string) (Prompt, error) {
	p, err := b.prompt(TaskEdit, plan)
	if err != nil {
		return Prompt{}, err
	}
	schema, err := prompts.ReadFile("prompts/editplan.schema.json")
	if err != nil {
		return Prompt{}, fmt.Errorf("read the schema of an edit plan: %w", err)
	}
	p.Schema = &llm.Schema{Name: "edit_plan", JSON: schema}
	return p, nil
}

// prompt renders both messages of a task and checks them for leaks.
func (b Brief) prompt(task, plan string) (Prompt, error) {
	plays := b.plays()
	if plays.Phase() == "" {
		return Prompt{}, fmt.Errorf("%w: %q", ErrRole, b.Role)
	}
	v := view{Brief: b, Label: b.Label(task), Plan: strings.TrimSpace(plan)}
	set, err := template.New("").Funcs(template.FuncMap{
		"data":   dataBlock,
		"inline": inline,
		"path":   func(path string) string { return strconv.Quote(defang(oneLine(path, maxItem))) },
	}).ParseFS(prompts, "prompts/brief.tmpl", "prompts/"+string(plays)+".tmpl", "prompts/"+task+".tmpl")
	if err != nil {
		return Prompt{}, fmt.Errorf("parse the prompt: %w", err)
	}
	if plays == gates.Implementor {
		v.Idiom = ""
	}
	if v.Stub == "" {
		v.Stub = `an error that says "not implemented"`
	}
	p := Prompt{Label: v.Label}
	for _, from := range []string{"system", "user"} {
		var text strings.Builder
		if err := set.ExecuteTemplate(&text, from, v); err != nil {
			return Prompt{}, fmt.Errorf("render the %s prompt: %w", from, err)
		}
		if err := b.leaked(text.String()); err != nil {
			return Prompt{}, err
		}
		p.Messages = append(p.Messages, llm.Message{Role: from, Content: text.String()})
	}
	return p, nil
}

// inline is untrusted text for the middle of a line outside any fence.
func inline(text any) string {
	return strings.ReplaceAll(defang(oneLine(fmt.Sprint(text), maxMessage)), "`", "'")
}
