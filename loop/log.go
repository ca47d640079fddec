package loop

import (
	"context"
	"time"

	"github.com/git-tdd/git-tdd/agents"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
)

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
	entry := runLog{
		Name: r.Name, Exit: r.Exit, TimedOut: r.TimedOut, Seconds: r.Duration.Seconds(), Output: s.redact(r.Output),
	}
	for _, arg := range r.Argv {
		entry.Argv = append(entry.Argv, s.redact(arg))
	}
	s.Commands = append(s.Commands, entry)
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
