package agents

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/template"

	"github.com/git-tdd/git-tdd/llm"
)

// consult makes the prompt of an adviser. Each prompt begins with the one before it.
func consult(name string, data any, label func(Turn) string, turns []Turn, schema *llm.Schema) (Prompt, error) {
	set, err := template.New("").Funcs(template.FuncMap{
		"data": dataBlock, "guide": guide, "inline": inline, "path": quoted, "numbered": numbered,
	}).ParseFS(prompts, "prompts/"+name+".tmpl")
	if err != nil {
		return Prompt{}, fmt.Errorf("parse the prompt: %w", err)
	}
	var p Prompt
	say := func(role, part string) {
		var text strings.Builder
		err = errors.Join(err, set.ExecuteTemplate(&text, part, data))
		p.Messages = append(p.Messages, llm.Message{Role: role, Content: text.String()})
	}
	say("system", "system")
	say("user", "opening")
	for i, t := range turns {
		last := &p.Messages[len(p.Messages)-1].Content
		if i > 0 {
			p.Messages = append(p.Messages, llm.Message{Role: "assistant", Content: defang(turns[i-1].Answer)}, llm.Message{Role: "user"})
			last = &p.Messages[len(p.Messages)-1].Content
			*last = "Your answer could not be used.\n\n"
		}
		if t.Feedback != nil {
			*last += dataBlock(view{Turn: t}.FindingsText()) + "\n\n"
		}
		p.Label = label(t)
		*last += "# Your task (" + p.Label + ")\n\nAnswer with the one JSON object and nothing else.\n"
	}
	if p.Schema = schema; schema != nil {
		p.Schema.JSON, err = readSchema(schema.Name, err)
	}
	if err != nil {
		return Prompt{}, fmt.Errorf("render the %s prompt: %w", name, err)
	}
	return p, nil
}

func readSchema(name string, before error) ([]byte, error) {
	schema, err := prompts.ReadFile("prompts/" + name + ".schema.json")
	return schema, errors.Join(before, err)
}

// readObject reads the one JSON object of an answer that has a key. The error is a *PlanError.
func readObject(answer, key string, into any) error {
	text, err := readable(answer)
	if err != nil {
		return planError(err)
	}
	remedy := fmt.Sprintf("answer with exactly one JSON object that has %q, and nothing else", key)
	object, err := wanted{keys: []string{key}, begins: []string{key}, remedy: remedy}.find(text)
	if err == nil {
		err = json.Unmarshal([]byte(object), into)
	}
	if err != nil {
		return planError(err)
	}
	return nil
}
