package loop

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/testrun"
)

// journal writes plans and logs below .tdd/. Nothing is ever read back from
// there to decide anything.
type journal struct {
	top    string
	redact func(string) string
}

// write writes one file below .tdd/, which ignores itself. It never follows a
// link out of the working tree.
func (j journal) write(name, content string) error {
	root, err := os.OpenRoot(j.top)
	if err != nil {
		return fmt.Errorf("open the working tree: %w", err)
	}
	defer func() { _ = root.Close() }()
	dir := ".tdd/" + name[:strings.LastIndexByte(name, '/')]
	if err := root.MkdirAll(dir, 0o750); err != nil {
		return fmt.Errorf("make %s: %w", dir, err)
	}
	if _, err := root.Lstat(".tdd/.gitignore"); errors.Is(err, fs.ErrNotExist) {
		if err := root.WriteFile(".tdd/.gitignore", []byte("*\n"), 0o600); err != nil {
			return fmt.Errorf("write .tdd/.gitignore: %w", err)
		}
	}
	if err := root.WriteFile(".tdd/"+name, []byte(j.redact(content)), 0o600); err != nil {
		return fmt.Errorf("write .tdd/%s: %w", name, err)
	}
	return nil
}

func (j journal) savePlan(t *turn, plan string) error {
	return j.write(fmt.Sprintf("plan/step-%d-%s.md", t.number(), t.role), plan+"\n")
}

func (j journal) save(log *stepLog) error {
	data, err := json.MarshalIndent(log, "", "  ")
	if err != nil {
		return fmt.Errorf("encode the log of step %d: %w", log.Step, err)
	}
	return j.write(fmt.Sprintf("logs/step-%d-%s.json", log.Step, log.Role), string(data)+"\n")
}

// stepLog is what .tdd/logs keeps of a step. Token counts and models use the
// names of the OpenTelemetry conventions for generative AI.
type stepLog struct {
	Step      int        `json:"step"`
	Role      gates.Role `json:"role"`
	Model     string     `json:"gen_ai.request.model"`
	Started   time.Time  `json:"started"`
	Seconds   float64    `json:"seconds"`
	Contained string     `json:"contained"` // how the code under test was contained
	Plan      string     `json:"plan,omitempty"`
	Requests  []reqLog   `json:"requests"`
	Commands  []runLog   `json:"commands"`
	Refused   []refusal  `json:"refused,omitempty"`
	In        int        `json:"gen_ai.usage.input_tokens"`
	Out       int        `json:"gen_ai.usage.output_tokens"`
	Estimated bool       `json:"tokens_estimated,omitempty"`
	Commit    string     `json:"commit,omitempty"`
	Error     string     `json:"error,omitempty"`
	turn      *turn
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

type refusal struct {
	Attempt  int      `json:"attempt"`
	Findings []string `json:"findings"`
	Ref      string   `json:"ref,omitempty"`
}

func newStepLog(t *turn) *stepLog {
	return &stepLog{
		Step: t.number(), Role: t.role, Model: t.model.Name, Started: t.start.UTC(),
		Contained: testrun.BoxTier(), turn: t,
	}
}

func (s *stepLog) asked(p agents.Prompt, res llm.Response, err error) {
	entry := reqLog{Label: p.Label, In: res.Usage.Prompt, Out: res.Usage.Completion, Answer: res.Text}
	if err != nil {
		entry.Error = err.Error()
	}
	s.Requests = append(s.Requests, entry)
}

func (s *stepLog) ran(r testrun.Run) {
	if len(r.Argv) == 0 {
		return
	}
	s.Commands = append(s.Commands, runLog{
		Name: r.Name, Argv: r.Argv, Exit: r.Exit, TimedOut: r.TimedOut, Seconds: r.Duration.Seconds(), Output: r.Output,
	})
}

func (s *stepLog) refused(a attempt) {
	s.Refused = append(s.Refused, refusal{Attempt: a.number, Findings: a.findings, Ref: a.ref})
}

// end completes the log with how the step ended.
func (s *stepLog) end(done Accepted, err error) {
	t := s.turn
	s.Plan, s.Seconds = t.plan, time.Since(t.start).Seconds()
	s.In, s.Out, s.Estimated = t.usage.Prompt, t.usage.Completion, t.usage.Estimated
	s.Commit = string(done.Commit)
	if err != nil {
		s.Error = err.Error()
	}
}

func lastLines(s string, n int) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
