package llm

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"strings"
	"text/template"
)

// endOfAnswer is the line that ends an answer written in place.
const endOfAnswer = "END OF ANSWER"

//go:embed relay.tmpl
var relayForm string

// relayText is the request for people.
func relayText(req Request, response string) ([]byte, error) {
	form, err := template.New("").Funcs(template.FuncMap{"line": oneLine}).Parse(relayForm)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = form.Execute(&out, struct {
		Request
		Response, End string
	}{req, response, endOfAnswer})
	return out.Bytes(), err
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
