package agents

import (
	"cmp"
	"encoding/json"
	"fmt"
)

// question is what an adviser is asked.
type question struct {
	step             int
	who              string
	template, schema string // of the prompt, and of the answer
	data             any
}

// ask makes the prompt for the last of the turns. Each prompt begins with the one before it.
func (q question) ask(turns []Turn) (Prompt, error) {
	set, err := templates(q.template)
	if err != nil {
		return Prompt{}, err
	}
	var p Prompt
	err = cmp.Or(p.render(set, "system", "system", q.data), p.render(set, "user", "opening", q.data))
	for i, t := range turns {
		if i > 0 {
			p.say("assistant", defang(turns[i-1].Answer))
			p.say("user", "Your answer could not be used.\n\n")
		}
		last := &p.Messages[len(p.Messages)-1].Content
		if t.Feedback != nil {
			*last += dataBlock(view{Turn: t}.FindingsText()) + "\n\n"
		}
		p.Label = t.label(q.step, q.who)
		*last += "# Your task (" + p.Label + ")\n\nAnswer with the one JSON object and nothing else.\n"
	}
	if err != nil {
		return Prompt{}, err
	}
	p.Schema, err = schemaOf(q.schema)
	return p, err
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
