package loop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
)

// journal writes plans and logs below .tdd/, which nothing reads to decide.
type journal struct{ top string }

// journalDir is the folder of the journal in the working tree.
const journalDir = ".tdd"

// write writes one file below .tdd/, which git ignores. No link leads out of it.
func (j journal) write(name, content string) error {
	dir, err := j.open()
	if err != nil {
		return err
	}
	defer func() { _ = dir.Close() }()
	if _, err = dir.Lstat(".gitignore"); errors.Is(err, fs.ErrNotExist) {
		err = replace(dir, ".gitignore", "*\n")
	}
	if err != nil {
		return err
	}
	if err := dir.MkdirAll(path.Dir(name), 0o750); err != nil {
		return fmt.Errorf("make .tdd/%s: %w", path.Dir(name), err)
	}
	return replace(dir, name, content)
}

// open opens .tdd/ itself, and not anything that it may point to.
func (j journal) open() (*os.Root, error) {
	top, err := os.OpenRoot(j.top)
	if err != nil {
		return nil, fmt.Errorf("open the working tree: %w", err)
	}
	defer func() { _ = top.Close() }()
	if err := top.Mkdir(journalDir, 0o750); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("make .tdd: %w", err)
	}
	if here, err := top.Lstat(journalDir); err != nil || !here.IsDir() {
		return nil, errors.Join(err, errors.New("look at .tdd: a journal is written into a folder of that name only"))
	}
	dir, err := top.OpenRoot(journalDir)
	if err != nil {
		return nil, fmt.Errorf("open .tdd: %w", err)
	}
	return dir, nil
}

func replace(dir *os.Root, name, content string) error {
	fresh := name + ".new"
	err := dir.Remove(fresh) // left by a killed run
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = dir.WriteFile(fresh, []byte(content), 0o600)
	}
	if err == nil {
		err = dir.Rename(fresh, name)
	}
	if err != nil {
		return fmt.Errorf("write .tdd/%s: %w", name, err)
	}
	return nil
}

func (j journal) save(log *stepLog) error {
	data, err := json.MarshalIndent(log, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the log of step %d: %w", log.Step, err)
	}
	return j.write(fmt.Sprintf("logs/step-%d-%s.json", log.Step, log.Role), string(data)+"\n")
}

// pointsText are the points of a review in Markdown.
func pointsText(r reviewResult) string {
	var out strings.Builder
	if r.unread != "" {
		fmt.Fprintf(&out, "\nNo answer could be read: %s\n", r.unread)
	}
	list := func(title string, items []string) {
		if len(items) > 0 {
			fmt.Fprintf(&out, "\n%s:\n\n- %s\n", title, strings.Join(items, "\n- "))
		}
	}
	var points []string
	for _, p := range r.founded {
		text := fmt.Sprintf("`%s:%d` (%s", p.File, p.Line, p.Kind)
		if p.Criterion > 0 {
			text += fmt.Sprintf(", criterion %d", p.Criterion)
		}
		points = append(points, text+"): "+strings.Join(strings.Fields(p.Reason), " "))
	}
	list("Points, each with evidence that is there", points)
	list("Ignored, because their evidence is not there", r.others)
	return out.String()
}

// stepLog is what .tdd/logs keeps of a step, in OpenTelemetry's names for generative AI.
type stepLog struct {
	Step      int         `json:"step"`
	Role      gates.Role  `json:"role"`
	Model     string      `json:"gen_ai.request.model"`
	Started   time.Time   `json:"started"`
	Seconds   float64     `json:"seconds"`
	Contained string      `json:"contained"`      // how the code under test was contained
	Plan      string      `json:"plan,omitempty"` // the last one
	Requests  []reqLog    `json:"requests"`
	Commands  []runLog    `json:"commands"`
	Reviews   []reviewLog `json:"reviews,omitempty"`
	Refused   []Attempt   `json:"refused,omitempty"`
	In        int         `json:"gen_ai.usage.input_tokens"`
	Out       int         `json:"gen_ai.usage.output_tokens"`
	Cached    int         `json:"gen_ai.usage.cache_read.input_tokens,omitempty"`
	Estimated bool        `json:"tokens_estimated,omitempty"`
	Commit    string      `json:"commit,omitempty"`
	Error     string      `json:"error,omitempty"`

	// redact is applied to single texts: in finished JSON a secret could be escaped.
	redact func(string) string
}

type reqLog struct {
	Label  string `json:"label"`
	In     int    `json:"gen_ai.usage.input_tokens"`
	Out    int    `json:"gen_ai.usage.output_tokens"`
	Answer string `json:"answer,omitempty"`
	Error  string `json:"error,omitempty"`
}

type runLog struct {
	Name     string   `json:"name"`
	Argv     []string `json:"argv"`
	Exit     int      `json:"exit"`
	TimedOut bool     `json:"timed_out,omitempty"`
	Seconds  float64  `json:"seconds"`
	Output   string   `json:"output,omitempty"`
}

type reviewLog struct {
	Attempt int      `json:"attempt"`
	Opinion string   `json:"opinion"`
	Ignored []string `json:"ignored,omitempty"` // points without evidence
}

// maxLogged limits what the log keeps of one answer, in bytes.
const maxLogged = 256 << 10

func newStepLog(ctx context.Context, t turn, started time.Time, redact func(string) string) *stepLog {
	contained := sandbox.Containment
	if t.project.Settings.Contain == config.ContainOff {
		contained = sandbox.Tier
	}
	return &stepLog{
		Step: t.number(), Role: t.role, Model: t.model.Name, Started: started.UTC(),
		Contained: contained(ctx), redact: redact,
	}
}

func (s *stepLog) asked(p agents.Prompt, res llm.Response, err error) {
	entry := reqLog{Label: p.Label, In: res.Usage.Prompt, Out: res.Usage.Completion, Answer: clip(s.redact(res.Text), maxLogged)}
	if err != nil {
		entry.Error = s.redact(err.Error())
	}
	s.Requests = append(s.Requests, entry)
}

func (s *stepLog) ran(r testrun.Run) {
	if len(r.Argv) == 0 {
		return
	}
	s.Commands = append(s.Commands, runLog{
		Name: r.Name, Argv: gates.Each(r.Argv, s.redact), Exit: r.Exit, TimedOut: r.TimedOut,
		Seconds: r.Duration.Seconds(), Output: s.redact(r.Output),
	})
}

// end completes the log with how the step ended.
func (s *stepLog) end(usage llm.Usage, done Accepted, err error) {
	s.Seconds = time.Since(s.Started).Seconds()
	s.In, s.Out, s.Estimated = usage.Prompt, usage.Completion, usage.Estimated
	s.Cached = usage.Cached
	s.Commit = string(done.Commit)
	if err != nil {
		s.Error = s.redact(err.Error())
	}
}
