package coder

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/coder/acp-go-sdk"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// converse is a turn in the Agent Client Protocol: the agent asks for files, terminals and permission.
func (c *Coder) converse(ctx context.Context, messages []llm.Message) (said, *printed, error) {
	limited, stop := context.WithTimeout(ctx, c.opts.Agent.Limit())
	defer stop()
	p, err := c.start(limited)
	if err != nil {
		return said{}, nil, err
	}
	h := &host{c: c, ctx: limited, stop: stop, words: output.NewTail(mostOutput), terminals: map[string]*terminal{}}
	conn := acp.NewClientSideConnection(h, p.input, p.answers)
	conn.SetLogger(slog.New(slog.DiscardHandler))
	heard, turnErr := h.turn(limited, conn, messages)
	died := len(p.ended) > 0
	p.out.late = errors.Is(limited.Err(), context.DeadlineExceeded)
	h.close()
	stop()
	go func() { _, _ = io.Copy(io.Discard, p.answers) }() // it may wait to be heard
	err = <-p.ended
	request, refused := errors.AsType[*acp.RequestError](turnErr)
	switch {
	case ctx.Err() != nil:
		return said{}, nil, ctx.Err()
	case err != nil:
		return said{}, nil, err
	case refused && request.Code == authRequired:
		return said{}, nil, &llm.Error{Kind: llm.KindAuth, Message: "the agent is not logged in: " + clip(request.Message) + "; start " + c.run.Cmd[0] + " once by hand"}
	case turnErr != nil && died && p.out.end.Code != 0:
		return heard, p.out, nil // its exit code says more
	case refused && !died:
		heard.failed = cmp.Or(heard.failed, request.Message)
	case turnErr != nil:
		heard.failed = cmp.Or(heard.failed, turnErr.Error())
	}
	p.out.end = sandbox.Ending{} // that of a program which was ended when its turn was over
	return heard, p.out, nil
}

type peer struct {
	input   *os.File
	answers *io.PipeReader
	out     *printed
	ended   chan error // gets the box's error when the agent has ended
}

// start starts the agent. It is ended with ctx at the latest.
func (c *Coder) start(ctx context.Context) (*peer, error) {
	command, err := c.command(c.run.Cmd)
	if err != nil {
		return nil, err
	}
	read, input, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe to the agent: %w", err)
	}
	answers, told := io.Pipe()
	p := &peer{input: input, answers: answers, out: newPrinted(), ended: make(chan error, 1)}
	context.AfterFunc(ctx, func() { _ = input.Close() }) // so that nothing waits to write to it
	command.Stdin, command.Stdout, command.Stderr = read, told, p.out.stderr
	go func() {
		var err error
		p.out.end, err = c.begin(ctx, command)
		p.ended <- err
		_, _, _ = told.Close(), input.Close(), read.Close() // none fails for a reason that matters
	}()
	return p, nil
}

// authRequired is the protocol's error for an agent that nobody has logged in to.
const authRequired = -32000

// host serves an agent of the protocol with the files of the copy, and terminals in it.
type host struct {
	c     *Coder
	ctx   context.Context //nolint:containedctx // that of the turn, which its terminals end with
	stop  context.CancelFunc
	words *output.Tail
	asked atomic.Int64 // how often for permission

	acted   bool   // since it last said something
	message string // the name of the message to which that belongs

	guard     sync.Mutex
	terminals map[string]*terminal
	made      int  // terminals, ever
	closed    bool // the turn is over
}

// turn sends the prompt and waits for its end.
func (h *host) turn(ctx context.Context, conn *acp.ClientSideConnection, messages []llm.Message) (said, error) {
	able, err := conn.Initialize(ctx, acp.InitializeRequest{
		ProtocolVersion:    acp.ProtocolVersionNumber,
		ClientInfo:         &acp.Implementation{Name: "git-tdd", Version: "1"},
		ClientCapabilities: acp.ClientCapabilities{Fs: acp.FileSystemCapabilities{ReadTextFile: true, WriteTextFile: true}, Terminal: true},
	})
	if err != nil {
		return said{}, err
	}
	if able.ProtocolVersion != acp.ProtocolVersionNumber {
		return said{}, fmt.Errorf("it speaks version %d of the Agent Client Protocol, not %d", able.ProtocolVersion, acp.ProtocolVersionNumber)
	}
	session, again := h.c.session, false
	if session != "" && able.AgentCapabilities.LoadSession {
		_, err := conn.LoadSession(ctx, acp.LoadSessionRequest{SessionId: acp.SessionId(session), Cwd: h.c.dir, McpServers: []acp.McpServer{}})
		again = err == nil
	}
	if !again {
		made, err := conn.NewSession(ctx, acp.NewSessionRequest{Cwd: h.c.dir, McpServers: []acp.McpServer{}})
		if err != nil {
			return said{}, err
		}
		session = string(made.SessionId)
	}
	h.words.Reset() // a session that is loaded is told once more
	prompt := whole(messages)
	if again {
		prompt = newest(messages)
	}
	answer, err := conn.Prompt(ctx, acp.PromptRequest{SessionId: acp.SessionId(session), Prompt: []acp.ContentBlock{acp.TextBlock(prompt)}})
	heard := said{text: strings.TrimSpace(h.words.String()), session: session, heard: err == nil}
	if u := answer.Usage; u != nil {
		heard.input, heard.output = max(0, u.InputTokens), max(0, u.OutputTokens)
	}
	if asked := h.asked.Load(); asked > mostAsked {
		heard.failed = fmt.Sprintf("it asked for permission %d times", asked)
	} else if err == nil && answer.StopReason != acp.StopReasonEndTurn {
		heard.failed = "it stopped early: " + string(answer.StopReason)
	}
	return heard, err
}

// SessionUpdate collects the agent's words; after an action, a new message begins.
func (h *host) SessionUpdate(_ context.Context, n acp.SessionNotification) error {
	u := n.Update
	chunk := u.AgentMessageChunk
	if chunk == nil || chunk.Content.Text == nil {
		h.acted = h.acted || u.ToolCall != nil || u.ToolCallUpdate != nil || u.AgentThoughtChunk != nil
		return nil
	}
	id := ""
	if chunk.MessageId != nil {
		id = *chunk.MessageId
	}
	if h.acted || id != h.message {
		_, _ = h.words.Write([]byte("\n\n"))
	}
	h.acted, h.message = false, id
	_, _ = h.words.Write([]byte(chunk.Content.Text.Text))
	return nil
}

// mostAsked is how often an agent may ask for permission in a turn.
const mostAsked = 300

// RequestPermission allows what the role may do, once. What an agent does without asking is judged later.
func (h *host) RequestPermission(_ context.Context, r acp.RequestPermissionRequest) (acp.RequestPermissionResponse, error) {
	paths := gates.Each(r.ToolCall.Locations, func(at acp.ToolCallLocation) string { return at.Path })
	for _, content := range r.ToolCall.Content {
		if content.Diff != nil {
			paths = append(paths, content.Diff.Path)
		}
	}
	writes := r.ToolCall.Kind != nil && slices.Contains([]acp.ToolKind{acp.ToolKindEdit, acp.ToolKindDelete, acp.ToolKindMove}, *r.ToolCall.Kind)
	denied := slices.ContainsFunc(paths, func(path string) bool {
		name, err := h.c.inCopy(path)
		return err != nil || writes && h.c.deny(name, nil) != ""
	})
	wanted := []acp.PermissionOptionKind{acp.PermissionOptionKindAllowOnce, acp.PermissionOptionKindAllowAlways}
	if h.asked.Add(1) > mostAsked {
		wanted = nil
		h.stop()
	} else if denied {
		wanted = []acp.PermissionOptionKind{acp.PermissionOptionKindRejectOnce, acp.PermissionOptionKindRejectAlways}
	}
	for _, kind := range wanted {
		for _, o := range r.Options {
			if o.Kind == kind {
				return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeSelected(o.OptionId)}, nil
			}
		}
	}
	return acp.RequestPermissionResponse{Outcome: acp.NewRequestPermissionOutcomeCancelled()}, nil
}
