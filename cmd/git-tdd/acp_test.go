package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/coder/acp-go-sdk"
)

// acpAgent is an agent that speaks the Agent Client Protocol on standard input and
// output, as those do that people use. Its argument says how it behaves.
func acpAgent() {
	a := &standIn{how: os.Args[1], connected: make(chan struct{})}
	switch a.how {
	case "garbage":
		fmt.Println("ERROR: what")
		_, _ = io.Copy(io.Discard, os.Stdin)
		return
	case "crash":
		fmt.Fprintln(os.Stderr, "segmentation fault")
		os.Exit(139)
	}
	a.conn = acp.NewAgentSideConnection(a, os.Stdout, os.Stdin)
	a.conn.SetLogger(slog.New(slog.DiscardHandler))
	close(a.connected)
	<-a.conn.Done()
}

// standIn is the agent. A method of the protocol that it does not have panics.
type standIn struct {
	acp.Agent
	how       string
	conn      *acp.AgentSideConnection
	connected chan struct{} // closed once there is a conn: requests may come before
	dir       string
	loaded    bool
}

// Initialize says what it can.
func (a *standIn) Initialize(context.Context, acp.InitializeRequest) (acp.InitializeResponse, error) {
	<-a.connected // it is the first request, and all others wait for its answer
	version := acp.ProtocolVersion(acp.ProtocolVersionNumber)
	if a.how == "old" {
		version = 0
	}
	return acp.InitializeResponse{ProtocolVersion: version, AgentCapabilities: acp.AgentCapabilities{LoadSession: a.how != "forgets"}}, nil
}

// NewSession begins a session.
func (a *standIn) NewSession(_ context.Context, r acp.NewSessionRequest) (acp.NewSessionResponse, error) {
	if a.how == "login" {
		return acp.NewSessionResponse{}, &acp.RequestError{Code: -32000, Message: "Authentication required"}
	}
	a.dir = r.Cwd
	return acp.NewSessionResponse{SessionId: "s-1"}, nil
}

// LoadSession goes on with one, and tells once more what was said in it.
func (a *standIn) LoadSession(ctx context.Context, r acp.LoadSessionRequest) (acp.LoadSessionResponse, error) { //nolint:unparam // as the protocol has it
	if r.SessionId != "s-1" {
		return acp.LoadSessionResponse{}, errors.New("no such session")
	}
	a.dir, a.loaded = r.Cwd, true
	return acp.LoadSessionResponse{}, a.say(ctx, "Commit: feat: what was said before")
}

func (a *standIn) say(ctx context.Context, text string) error {
	return a.conn.SessionUpdate(ctx, acp.SessionNotification{SessionId: "s-1", Update: acp.UpdateAgentMessageText(text)})
}

// Prompt takes a turn.
func (a *standIn) Prompt(ctx context.Context, r acp.PromptRequest) (acp.PromptResponse, error) {
	prompt := r.Prompt[0].Text.Text
	var err error
	switch a.how {
	case "hang":
		select {}
	case "asks":
		for err == nil {
			_, err = a.permission(ctx, acp.ToolKindExecute)
		}
	case "refuses":
		return acp.PromptResponse{StopReason: acp.StopReasonRefusal}, nil
	case "outside":
		err = a.outside(ctx)
	case "spy":
		err = a.spy(ctx)
	default:
		err = a.step(ctx, prompt)
	}
	if err != nil {
		return acp.PromptResponse{}, acp.NewInternalError(map[string]any{"details": err.Error()})
	}
	return acp.PromptResponse{StopReason: acp.StopReasonEndTurn, Usage: &acp.Usage{InputTokens: 100, OutputTokens: 20, TotalTokens: 120}}, nil
}

// step is the step of the role that the prompt names. The first attempt of the tester
// leaves something behind that is refused.
func (a *standIn) step(ctx context.Context, prompt string) error {
	refused := strings.Contains(prompt, "last attempt was refused")
	switch {
	case refused && a.loaded == strings.Contains(prompt, "Your role: tester"):
		return fmt.Errorf("a session that goes on is told what is new, another one all: loaded %v", a.loaded)
	case refused:
		_, err := a.run(ctx, "rm elsewhere.sh")
		return errors.Join(err, a.say(ctx, "Mended.\nCommit: test: "), a.say(ctx, "sum"))
	case strings.Contains(prompt, "Your role: tester"):
		if err := a.denied(ctx, "add.sh", "add() { echo 3; }\n"); err != nil {
			return err
		}
		_, err := a.conn.ReadTextFile(ctx, acp.ReadTextFileRequest{SessionId: "s-1", Path: filepath.Join(a.dir, "tests/none.sh")})
		if none, ok := errors.AsType[*acp.RequestError](err); !ok || none.Code != -32002 {
			return fmt.Errorf("a file that is not there: %w", err)
		}
		test, err := a.conn.ReadTextFile(ctx, acp.ReadTextFileRequest{SessionId: "s-1", Path: filepath.Join(a.dir, "tests/all.sh")})
		if err != nil {
			return err
		}
		err = a.write(ctx, "tests/all.sh", test.Content+"[ \"$(add 1 2)\" = 3 ] || exit 1\n")
		if code, ran := a.run(ctx, "sh tests/all.sh; code=$?; echo x >elsewhere.sh; exit $code"); code != 1 || ran != nil {
			return fmt.Errorf("the new test: exit %d, %w", code, ran)
		}
		return errors.Join(err, a.say(ctx, "Commit: test: sum"))
	case strings.Contains(prompt, "Your role: implementor"):
		if err := a.denied(ctx, "tests/all.sh", "exit 0\n"); err != nil {
			return err
		}
		return errors.Join(a.write(ctx, "add.sh", "add() { echo $(($1 + $2)); }\n"), a.say(ctx, "Commit: feat: sum two numbers"))
	}
	if err := a.say(ctx, "This is what I change:"); err != nil { // in a message of its own
		return err
	}
	if _, err := a.run(ctx, "cat add.sh"); err != nil {
		return err
	}
	call := acp.StartToolCall("c-2", "cat add.sh", acp.WithStartKind(acp.ToolKindExecute))
	if err := a.conn.SessionUpdate(ctx, acp.SessionNotification{SessionId: "s-1", Update: call}); err != nil {
		return err
	}
	return errors.Join(a.write(ctx, "add.sh", "# add prints the sum of two numbers.\nadd() { echo $(($1 + $2)); }\n"), a.say(ctx, "Commit: refactor: say what add does"))
}

// spy says what a program that looks around in a terminal prints.
func (a *standIn) spy(ctx context.Context) error {
	t, err := a.conn.CreateTerminal(ctx, acp.CreateTerminalRequest{SessionId: "s-1", Command: "spy"})
	if err != nil {
		return err
	}
	if _, err := a.conn.WaitForTerminalExit(ctx, acp.WaitForTerminalExitRequest{SessionId: "s-1", TerminalId: t.TerminalId}); err != nil {
		return err
	}
	out, err := a.conn.TerminalOutput(ctx, acp.TerminalOutputRequest{SessionId: "s-1", TerminalId: t.TerminalId})
	return errors.Join(err, a.say(ctx, "spied: "+strings.TrimSpace(out.Output)))
}

// outside tries what lies outside of the copy.
func (a *standIn) outside(ctx context.Context) error {
	link := filepath.Join(a.dir, "tests", "link")
	if err := os.Symlink("/", link); err != nil {
		return err
	}
	for _, path := range []string{"/etc/passwd", filepath.Join(a.dir, "..", "x"), filepath.Join(link, "etc", "passwd"), "add.sh"} {
		if _, err := a.conn.ReadTextFile(ctx, acp.ReadTextFileRequest{SessionId: "s-1", Path: path}); err == nil {
			return fmt.Errorf("%s was read", path)
		}
		if _, err := a.conn.WriteTextFile(ctx, acp.WriteTextFileRequest{SessionId: "s-1", Path: path, Content: "x"}); err == nil {
			return fmt.Errorf("%s was written", path)
		}
	}
	if err := a.denied(ctx, ".git/config", "x"); err != nil {
		return err
	}
	cwd := "/"
	if _, err := a.conn.CreateTerminal(ctx, acp.CreateTerminalRequest{SessionId: "s-1", Command: "ls", Cwd: &cwd}); err == nil {
		return errors.New("a terminal was opened elsewhere")
	}
	for range 16 {
		if _, err := a.conn.CreateTerminal(ctx, acp.CreateTerminalRequest{SessionId: "s-1", Command: "sleep 1000"}); err != nil {
			return err
		}
	}
	if _, err := a.conn.CreateTerminal(ctx, acp.CreateTerminalRequest{SessionId: "s-1", Command: "sleep 1000"}); err == nil {
		return errors.New("there is no end of terminals")
	}
	return errors.Join(os.Remove(link), a.say(ctx, "All was denied."))
}

// denied tries to write a file, which must fail.
func (a *standIn) denied(ctx context.Context, name, content string) error {
	err := a.write(ctx, name, content)
	if why, ok := errors.AsType[*acp.RequestError](err); !ok || !strings.Contains(why.Message, name) {
		return fmt.Errorf("%s was written, or the reason is not told: %w", name, err)
	}
	yes, err := a.permission(ctx, acp.ToolKindEdit, name)
	if yes {
		return fmt.Errorf("%s may be edited", name)
	}
	return err
}

func (a *standIn) write(ctx context.Context, name, content string) error {
	_, err := a.conn.WriteTextFile(ctx, acp.WriteTextFileRequest{SessionId: "s-1", Path: filepath.Join(a.dir, name), Content: content})
	return err
}

// permission asks for it.
func (a *standIn) permission(ctx context.Context, kind acp.ToolKind, names ...string) (bool, error) {
	call := acp.ToolCallUpdate{ToolCallId: "c-1", Kind: &kind}
	for _, name := range names {
		call.Locations = append(call.Locations, acp.ToolCallLocation{Path: filepath.Join(a.dir, name)})
	}
	answer, err := a.conn.RequestPermission(ctx, acp.RequestPermissionRequest{SessionId: "s-1", ToolCall: call, Options: []acp.PermissionOption{
		{OptionId: "always", Name: "Always", Kind: acp.PermissionOptionKindAllowAlways},
		{OptionId: "once", Name: "Once", Kind: acp.PermissionOptionKindAllowOnce},
		{OptionId: "no", Name: "No", Kind: acp.PermissionOptionKindRejectOnce},
	}})
	if err != nil || answer.Outcome.Selected == nil {
		return false, errors.Join(err, ctx.Err())
	}
	return answer.Outcome.Selected.OptionId == "once", nil
}

// run runs a command in a terminal.
func (a *standIn) run(ctx context.Context, command string) (int, error) {
	if yes, err := a.permission(ctx, acp.ToolKindExecute); !yes {
		return 0, fmt.Errorf("it may not run: %w", err)
	}
	t, err := a.conn.CreateTerminal(ctx, acp.CreateTerminalRequest{SessionId: "s-1", Command: command})
	if err != nil {
		return 0, err
	}
	ended, err := a.conn.WaitForTerminalExit(ctx, acp.WaitForTerminalExitRequest{SessionId: "s-1", TerminalId: t.TerminalId})
	if err != nil || ended.ExitCode == nil {
		return 0, fmt.Errorf("no exit code: %w", err)
	}
	_, err = a.conn.ReleaseTerminal(ctx, acp.ReleaseTerminalRequest{SessionId: "s-1", TerminalId: t.TerminalId})
	return *ended.ExitCode, err
}
