package agenthook

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/agents/presets"
)

// Call is what an agent asks, in the terms of all of them.
type Call struct {
	Session string
	Dir     string // where the agent works; empty if it does not say
	Writes  []Write
	Command string // that a shell is to run; empty if none
	Stops   bool   // the turn is about to end
}

// Write is one file that a tool is about to change.
type Write struct {
	Path    string
	Whole   bool // Content is all that will be in the file
	Content string
	Swaps   []Swap // parts that are replaced
	Deletes bool

	below bool // a command removes it, and all that is below
}

// Swap replaces a part of a file.
type Swap struct {
	Old, New string
	All      bool
}

// event is the JSON of a hook. Agents have other names for the same things.
type event map[string]json.RawMessage

// text is the first of these members that is a string.
func (e event) text(names ...string) string {
	for _, name := range names {
		var s string
		if json.Unmarshal(e[name], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

func (e event) flag(name string) bool {
	var b bool
	return json.Unmarshal(e[name], &b) == nil && b
}

// object is the first of these members that is an object, or a string that holds one.
func (e event) object(names ...string) event {
	for _, name := range names {
		var o event
		raw := e[name]
		if s := e.text(name); s != "" {
			raw = json.RawMessage(s)
		}
		if json.Unmarshal(raw, &o) == nil && o != nil {
			return o
		}
	}
	return event{}
}

// Parse reads what an agent sent.
func Parse(p presets.Preset, input []byte) (Call, error) {
	var e event
	if err := json.Unmarshal(input, &e); err != nil {
		return Call{}, fmt.Errorf("read what %s sent: %w", p.Title, err)
	}
	c := Call{
		Session: e.text("session_id", "sessionId", "sessionID", "conversation_id"),
		Dir:     e.text("cwd", "directory"),
	}
	var roots []string
	if c.Dir == "" && json.Unmarshal(e["workspace_roots"], &roots) == nil && len(roots) > 0 {
		c.Dir = roots[0]
	}
	tool := e.text("tool_name", "toolName", "tool")
	args := e.object("tool_input", "toolArgs", "args", "input")
	switch {
	case tool == "":
		c.Stops = true
	case slices.Contains(p.Tools.Edit, tool):
		c.Writes = writes(args)
	case slices.Contains(p.Tools.Shell, tool):
		c.Command = args.text("command", "cmd", "script")
	}
	return c, nil
}

// writes reads the arguments of a tool that writes files.
func writes(in event) []Write {
	for _, name := range []string{"command", "patchText", "patch", "input"} {
		if patch := in.text(name); strings.Contains(patch, "*** Begin Patch") {
			return parsePatch(patch)
		}
	}
	w := Write{Path: in.text("file_path", "filePath", "path", "notebook_path", "target_file")}
	if w.Path == "" {
		return nil
	}
	for _, name := range []string{"content", "contents", "file_text", "fileText"} {
		if _, ok := in[name]; ok {
			w.Whole, w.Content = true, in.text(name)
		}
	}
	var several []event
	if json.Unmarshal(in["edits"], &several) != nil || len(several) == 0 {
		several = []event{in}
	}
	for _, one := range several {
		s := Swap{
			Old: one.text("old_string", "oldString", "old_str"), New: one.text("new_string", "newString", "new_str"),
			All: one.flag("replace_all") || one.flag("replaceAll"),
		}
		if s.Old != "" || s.New != "" {
			w.Swaps = append(w.Swaps, s)
		}
	}
	return []Write{w}
}

// parsePatch reads the patch format of apply_patch. A hunk is a swap of its
// context and what it takes out for its context and what it adds.
func parsePatch(patch string) (all []Write) {
	var w *Write
	start := func(next Write) {
		all = append(all, next)
		w = &all[len(all)-1]
	}
	for line := range strings.Lines(patch) {
		text := strings.TrimSuffix(line, "\n")
		switch directive, path, _ := strings.Cut(text, " File: "); {
		case directive == "*** Add":
			start(Write{Path: path, Whole: true})
		case directive == "*** Update":
			start(Write{Path: path})
		case directive == "*** Delete":
			start(Write{Path: path, Deletes: true})
		case strings.HasPrefix(text, "*** Move to: "):
			start(Write{Path: strings.TrimPrefix(text, "*** Move to: ")})
		case w == nil || strings.HasPrefix(text, "***"):
		case w.Whole:
			w.Content += strings.TrimPrefix(line, "+")
		default:
			if strings.HasPrefix(text, "@@") || len(w.Swaps) == 0 {
				w.Swaps = append(w.Swaps, Swap{})
			}
			w.hunk(line)
		}
	}
	return all
}

// hunk adds one line of a patch to the last swap.
func (w *Write) hunk(line string) {
	s := &w.Swaps[len(w.Swaps)-1]
	switch line[0] {
	case '+':
		s.New += line[1:]
	case '-':
		s.Old += line[1:]
	case ' ', '\n':
		s.Old += strings.TrimPrefix(line, " ")
		s.New += strings.TrimPrefix(line, " ")
	}
}

// After is a file's content after a write; ok is false if that cannot be told.
func (w Write) After(content string) (after string, ok bool) {
	switch {
	case w.Deletes:
		return "", true
	case w.Whole:
		return w.Content, true
	case len(w.Swaps) == 0:
		return "", false
	}
	for _, s := range w.Swaps {
		if s.Old == "" && content != "" || !strings.Contains(content, s.Old) {
			return "", false
		}
		if s.All {
			content = strings.ReplaceAll(content, s.Old, s.New)
		} else {
			content = strings.Replace(content, s.Old, s.New, 1)
		}
	}
	return content, true
}
