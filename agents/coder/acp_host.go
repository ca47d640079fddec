package coder

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"github.com/coder/acp-go-sdk"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// inCopy is a path relative to the copy, with slashes. It fails for one outside.
func (c *Coder) inCopy(name string) (string, error) {
	for _, dir := range append([]string{c.dir}, c.at...) {
		rel, err := filepath.Rel(dir, name)
		if err == nil && filepath.IsAbs(name) && filepath.IsLocal(rel) {
			return filepath.ToSlash(rel), nil
		}
	}
	return "", fmt.Errorf("%s is outside of %s, which is all that this turn may see", name, c.dir)
}

// deny says why the role must not write a file; content is nil if it is not known.
func (c *Coder) deny(name string, content *string) string {
	if first, _, _ := strings.Cut(name, "/"); strings.EqualFold(first, ".git") {
		return name + " belongs to git"
	}
	return c.opts.Deny(name, content)
}

const (
	invalidParams    = -32602
	resourceNotFound = -32002
)

// refused answers a request with an error, whose message agents show their models.
func refused(err error) *acp.RequestError {
	if errors.Is(err, fs.ErrNotExist) {
		return &acp.RequestError{Code: resourceNotFound, Message: "Resource not found: " + err.Error()}
	}
	return &acp.RequestError{Code: invalidParams, Message: err.Error()}
}

// ReadTextFile reads a file of the copy.
func (h *host) ReadTextFile(_ context.Context, r acp.ReadTextFileRequest) (acp.ReadTextFileResponse, error) {
	var content []byte
	err := h.inRoot(r.Path, func(root *os.Root, name string) error {
		fi, err := root.Stat(name)
		if err == nil && (!fi.Mode().IsRegular() || fi.Size() > mostOutput) {
			return fmt.Errorf("%s is no file of a size that can be sent", name)
		}
		if err == nil {
			content, err = wholefile.ReadIn(root, name)
		}
		return err
	})
	lines := strings.SplitAfter(strings.ToValidUTF8(string(content), "\uFFFD"), "\n")
	if r.Line != nil {
		lines = lines[min(max(0, *r.Line-1), len(lines)):]
	}
	if r.Limit != nil {
		lines = lines[:min(max(0, *r.Limit), len(lines))]
	}
	return acp.ReadTextFileResponse{Content: strings.Join(lines, "")}, err
}

// WriteTextFile writes a file of the copy, if the role may.
func (h *host) WriteTextFile(_ context.Context, r acp.WriteTextFileRequest) (acp.WriteTextFileResponse, error) {
	err := h.inRoot(r.Path, func(root *os.Root, name string) error {
		if why := h.c.deny(name, &r.Content); why != "" {
			return errors.New(why)
		}
		if err := root.MkdirAll(path.Dir(name), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		return root.WriteFile(name, []byte(r.Content), 0o644)
	})
	return acp.WriteTextFileResponse{}, err
}

// inRoot does something with a file of the copy, which no link leads out of.
func (h *host) inRoot(at string, do func(root *os.Root, name string) error) error {
	name, err := h.c.inCopy(at)
	if err != nil {
		return refused(err)
	}
	root, err := os.OpenRoot(h.c.dir)
	if err != nil {
		return refused(err)
	}
	defer func() { _ = root.Close() }()
	if err := do(root, name); err != nil {
		return refused(err)
	}
	return nil
}

type terminal struct {
	cancel context.CancelFunc
	done   chan struct{} // closed when the command has ended
	out    *output.Tail
	limit  int
	end    sandbox.Ending // when it is done
}

// notStarted is the exit code of a command around which no box could be put, as shells have it of
// one that cannot be run.
const notStarted = 126

// mostTerminals is how many commands an agent may have at once.
const mostTerminals = 16

// CreateTerminal starts a command.
func (h *host) CreateTerminal(_ context.Context, r acp.CreateTerminalRequest) (acp.CreateTerminalResponse, error) { //nolint:contextcheck // what it starts runs on when the request has been answered
	dir := h.c.dir
	if r.Cwd != nil && *r.Cwd != "" {
		name, err := h.c.inCopy(*r.Cwd)
		if err != nil {
			return acp.CreateTerminalResponse{}, refused(err)
		}
		dir = filepath.Join(h.c.dir, filepath.FromSlash(name))
	}
	argv := append([]string{r.Command}, r.Args...)
	if len(r.Args) == 0 {
		argv = []string{shell, "-c", r.Command}
	}
	program, err := exec.LookPath(argv[0])
	if err != nil {
		return acp.CreateTerminalResponse{}, refused(err)
	}
	env := append(h.c.env(), gates.Each(r.Env, func(v acp.EnvVariable) string { return v.Name + "=" + v.Value })...)
	limit := mostOutput
	if r.OutputByteLimit != nil && *r.OutputByteLimit > 0 {
		limit = min(limit, *r.OutputByteLimit)
	}
	t := &terminal{done: make(chan struct{}), limit: limit, out: output.NewTail(limit + 1)}
	h.guard.Lock()
	defer h.guard.Unlock()
	if h.closed || len(h.terminals) >= mostTerminals {
		return acp.CreateTerminalResponse{}, refused(fmt.Errorf("there are %d terminals already; release one first", len(h.terminals)))
	}
	h.made++
	id := fmt.Sprintf("t%d", h.made)
	h.terminals[id] = t
	ctx, cancel := context.WithCancel(h.ctx)
	t.cancel = cancel
	go func() {
		defer close(t.done)
		var err error
		if t.end, err = h.c.begin(ctx, sandbox.Command{Path: program, Args: argv, Dir: dir, Env: env, Stdout: t.out, Stderr: t.out}); err != nil {
			t.end.Code = cmp.Or(t.end.Code, notStarted)
			_, _ = fmt.Fprintln(t.out, "git tdd: the command was not run:", err)
		}
	}()
	return acp.CreateTerminalResponse{TerminalId: id}, nil
}

// terminal finds one.
func (h *host) terminal(id string) (*terminal, error) {
	h.guard.Lock()
	defer h.guard.Unlock()
	if t, ok := h.terminals[id]; ok {
		return t, nil
	}
	return nil, refused(errors.New("there is no terminal " + id))
}

// ended is how the command ended; nil while it runs.
func (t *terminal) ended() *acp.TerminalExitStatus {
	select {
	case <-t.done:
	default:
		return nil
	}
	status := &acp.TerminalExitStatus{ExitCode: &t.end.Code}
	if t.end.Signal != "" {
		status = &acp.TerminalExitStatus{Signal: &t.end.Signal}
	}
	return status
}

// TerminalOutput is the last part of what a command printed.
func (h *host) TerminalOutput(_ context.Context, r acp.TerminalOutputRequest) (acp.TerminalOutputResponse, error) {
	t, err := h.terminal(r.TerminalId)
	if err != nil {
		return acp.TerminalOutputResponse{}, err
	}
	status := t.ended() // before its output is taken, so that the output of a command that has ended is whole
	text := t.out.String()
	kept := text[max(0, len(text)-t.limit):]
	return acp.TerminalOutputResponse{Output: strings.ToValidUTF8(kept, ""), Truncated: len(kept) < len(text), ExitStatus: status}, nil
}

// WaitForTerminalExit waits for the end of a command.
func (h *host) WaitForTerminalExit(ctx context.Context, r acp.WaitForTerminalExitRequest) (acp.WaitForTerminalExitResponse, error) {
	t, err := h.terminal(r.TerminalId)
	if err != nil {
		return acp.WaitForTerminalExitResponse{}, err
	}
	select {
	case <-t.done:
	case <-ctx.Done():
		return acp.WaitForTerminalExitResponse{}, ctx.Err()
	}
	status := t.ended()
	return acp.WaitForTerminalExitResponse{ExitCode: status.ExitCode, Signal: status.Signal}, nil
}

// KillTerminal ends a command.
func (h *host) KillTerminal(_ context.Context, r acp.KillTerminalRequest) (acp.KillTerminalResponse, error) {
	t, err := h.terminal(r.TerminalId)
	if err == nil {
		t.stop()
	}
	return acp.KillTerminalResponse{}, err
}

// ReleaseTerminal ends a command and forgets it.
func (h *host) ReleaseTerminal(ctx context.Context, r acp.ReleaseTerminalRequest) (acp.ReleaseTerminalResponse, error) {
	_, err := h.KillTerminal(ctx, acp.KillTerminalRequest{TerminalId: r.TerminalId})
	h.guard.Lock()
	defer h.guard.Unlock()
	delete(h.terminals, r.TerminalId)
	return acp.ReleaseTerminalResponse{}, err
}

func (t *terminal) stop() {
	t.cancel()
	<-t.done
}

// close ends every command: nothing outlives the turn.
func (h *host) close() {
	h.guard.Lock()
	h.closed = true
	h.guard.Unlock()
	for _, t := range h.terminals {
		t.stop()
	}
}
