package llm

import (
	"encoding/json"
	"fmt"
	"strings"
)

// endOfAnswer is the line that ends an answer written in place.
const endOfAnswer = "END OF ANSWER"

// messagesAtFirst is how many messages begin a conversation.
const messagesAtFirst = 2

// relayText is the request for people.
func relayText(req Request, response string) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\n- Model: %s\n", oneLine(req.Label), oneLine(req.Model))
	if req.Temperature != nil {
		fmt.Fprintf(&out, "- Temperature: %v\n", *req.Temperature)
	}
	fmt.Fprintf(&out, `- Answer in: %s (or .txt), in this directory

Give everything from the first line of dashes on to the model. Write its answer,
and nothing else, under a temporary name and rename it to the name above; or
write it in place and end it with this line of its own:

%s

`, response, endOfAnswer)
	if len(req.Messages) > messagesAtFirst {
		out.WriteString("In a chat that has answered the request before this one, only the last message is new.\n\n")
	}
	for _, m := range req.Messages {
		fmt.Fprintf(&out, "---------- %s ----------\n\n%s\n\n", m.Role, m.Content)
	}
	if req.Schema != nil {
		fmt.Fprintf(&out, "---------- the answer is to be JSON of this schema ----------\n\n%s\n", req.Schema.JSON)
	}
	return []byte(out.String())
}

// relayJSON is the request for programs.
func relayJSON(req Request) ([]byte, error) {
	file := struct {
		Label       string          `json:"label"`
		Model       string          `json:"model"`
		Temperature *float64        `json:"temperature,omitempty"`
		Schema      json.RawMessage `json:"schema,omitempty"`
		Messages    []Message       `json:"messages"`
	}{Label: req.Label, Model: req.Model, Temperature: req.Temperature, Messages: req.Messages}
	if req.Schema != nil {
		file.Schema = req.Schema.JSON
	}
	return json.MarshalIndent(file, "", "  ")
}

// ending removes a byte order mark and the line that ends an answer, and reports that line.
func ending(text string) (answer string, ended bool) {
	text = strings.TrimPrefix(text, "\uFEFF")
	trimmed := strings.TrimRight(text, " \t\r\n")
	before, ended := strings.CutSuffix(trimmed, endOfAnswer)
	if !ended || (before != "" && !strings.HasSuffix(before, "\n")) {
		return text, false
	}
	return before, true
}

func slug(label string) string {
	words := strings.FieldsFunc(strings.ToLower(label), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	name := strings.Join(words, "-")
	return strings.Trim(name[:min(len(name), 60)], "-")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
