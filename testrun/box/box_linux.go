package box

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/git-tdd/git-tdd/testrun/box/inside"
)

// errNoAnswer says that the box ended without reporting on its command.
var errNoAnswer = errors.New("the box ended without an answer")

// tiers lists what to try, the strongest first.
func tiers() []string { return []string{tierNamespace, tierReaper} }

// Box is a box that waits for its command, or was closed. It is for one goroutine.
type Box struct {
	used  bool          // it got its command
	begun chan struct{} // closed when it was started, or could not be
	ended chan struct{} // closed when its process is gone
	close func()

	// These are set when begun is closed.
	tier    string
	process *os.Process
	ours    lines
	err     error

	state *os.ProcessState // set when ended is closed
}

// lines are one side of the pipes between us and a box.
type lines struct {
	status         *os.File // the box reports here
	alive          *os.File // the command comes here, and the box ends when it closes
	stdout, stderr *os.File
}

// Start starts a box without waiting for it, of the strongest tier that the
// system offers. One of Run and Close must follow; what went wrong they say.
func Start() *Box { return start(tiers()...) }

func start(tiers ...string) *Box {
	b := &Box{begun: make(chan struct{}), ended: make(chan struct{})}
	b.close = sync.OnceFunc(b.ours.close)
	go b.keep(tiers)
	return b
}

// keep starts the box and waits for its end, on one thread: the kernel kills a
// box when the thread that started it ends.
func (b *Box) keep(tiers []string) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer close(b.ended)
	var theirs lines
	if b.ours, theirs, b.err = pipes(); b.err == nil {
		b.begin(tiers, theirs)
		theirs.close() // the box has its own
	}
	close(b.begun)
	if b.err != nil {
		return
	}
	state, err := b.process.Wait()
	if b.state = state; err != nil {
		b.err = fmt.Errorf("wait for the box: %w", err)
	}
}

// pipes makes the pipes: our side, and that of the box.
func pipes() (ours, theirs lines, err error) {
	for _, pair := range [][2]**os.File{
		{&ours.status, &theirs.status}, {&theirs.alive, &ours.alive}, {&ours.stdout, &theirs.stdout}, {&ours.stderr, &theirs.stderr},
	} {
		if *pair[0], *pair[1], err = os.Pipe(); err != nil {
			ours.close()
			theirs.close()
			return ours, theirs, fmt.Errorf("make the pipes of a box: %w", err)
		}
	}
	return ours, theirs, nil
}

// close closes what is open of them.
func (l *lines) close() {
	for _, f := range []*os.File{l.status, l.alive, l.stdout, l.stderr} {
		_ = f.Close() // a nil file says that it is none
	}
}

// begin starts the process of the box.
func (b *Box) begin(tiers []string, theirs lines) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		b.err = err
		return
	}
	defer null.Close() //nolint:errcheck // only read
	for _, b.tier = range tiers {
		b.process, err = os.StartProcess("/proc/self/exe", inside.Args(b.tier), &os.ProcAttr{
			Dir: "/", Env: []string{"GOMAXPROCS=1"}, // one thread starts in nine tenths of the time
			Files: []*os.File{null, theirs.stdout, theirs.stderr, theirs.status, theirs.alive}, Sys: attributes(b.tier),
		})
		if err == nil {
			return
		}
	}
	b.err = fmt.Errorf("start a box: %w", err)
}

// Close gives up a box that has run nothing; of one that has, nothing is left to
// close. The error is why it could not have run anything.
func (b *Box) Close() error {
	if <-b.begun; b.used || b.process == nil {
		return b.err
	}
	_ = b.ours.alive.Close()
	<-b.ended
	defer b.close()
	if b.err != nil {
		return b.err
	}
	_, err := b.answer()
	return err
}

// Run runs the command until it ends or ctx does. When it returns, nothing that
// the command started is alive, as far as the tier can tell. The error is about
// the box; how the command fared is in the ending. A box runs one command.
func (b *Box) Run(ctx context.Context, c Command) (Ending, error) {
	<-b.begun
	if b.process == nil {
		return Ending{}, b.err
	}
	if slices.ContainsFunc(slices.Concat([]string{c.Path, c.Dir}, c.Args, c.Env), hasNUL) {
		return Ending{Code: 127, Refused: "a word or a variable of the command holds a NUL byte"}, b.Close()
	}
	late := Ending{Code: -1, Signal: "SIGKILL", Late: true}
	if ctx.Err() != nil {
		return late, b.Close()
	}
	defer b.close()
	b.used = true
	stop := context.AfterFunc(ctx, b.kill)
	defer stop()
	copied := b.lead(c)
	sent := b.send(c)
	<-b.ended
	b.drain(copied)
	if ctx.Err() != nil {
		return late, nil
	}
	if b.err != nil {
		return Ending{}, b.err
	}
	end, err := b.answer()
	if err != nil {
		return end, errors.Join(err, sent)
	}
	return end, nil
}

// kill ends the box with all that is in it. Where nothing else would end the
// rest, it must do that itself.
func (b *Box) kill() {
	if b.tier == tierReaper {
		_ = b.ours.alive.Close()
		return
	}
	_ = b.process.Kill()
}

func hasNUL(text string) bool { return strings.Contains(text, "\x00") }

// lead starts to lead the output where it should go. Where both streams go to one
// place the command has but one, so that their order is kept.
func (b *Box) lead(c Command) (copied chan struct{}) {
	copied = make(chan struct{}, 2)
	lead := func(to io.Writer, from *os.File) {
		_, _ = io.Copy(to, from) // what cannot be written is lost to whoever refuses it
		_ = from.Close()         // and the command learns of it
		copied <- struct{}{}
	}
	if same(c.Stdout, c.Stderr) {
		c.Stderr = io.Discard
	}
	go lead(c.Stdout, b.ours.stdout)
	go lead(c.Stderr, b.ours.stderr)
	return copied
}

// drain waits for the last of the output. Who has left a box that cannot hold
// them may still have it open.
func (b *Box) drain(copied chan struct{}) {
	grace := time.NewTimer(pipeGrace)
	defer grace.Stop()
	for range cap(copied) {
		select {
		case <-copied:
		case <-grace.C:
			_ = b.ours.stdout.Close()
			_ = b.ours.stderr.Close()
			<-copied
		}
	}
}

// send tells the box its command.
func (b *Box) send(c Command) error {
	text := inside.Command{Path: c.Path, Dir: c.Dir, OneStream: same(c.Stdout, c.Stderr), Args: c.Args, Env: c.Env}.Text()
	_, err := b.ours.alive.Write(text)
	return err
}

// same reports whether two writers are one. Those of a type that cannot be compared
// are not.
func same(a, b io.Writer) bool {
	defer func() { _ = recover() }()
	return a == b
}

// answer reads what the box reported before it ended.
func (b *Box) answer() (Ending, error) {
	raw, err := io.ReadAll(io.LimitReader(b.ours.status, 4096))
	if err != nil {
		return Ending{}, fmt.Errorf("read the box's status: %w", err)
	}
	word, rest, _ := strings.Cut(string(bytes.TrimSpace(raw)), " ")
	number, _ := strconv.Atoi(rest) // zero is right for "start"
	switch word {
	case "exit":
		return Ending{Code: number}, nil
	case "signal":
		return Ending{Code: 128 + number, Signal: unix.SignalName(syscall.Signal(number))}, nil
	case "start":
		return Ending{Code: 127, Refused: rest}, nil
	}
	if ws, ok := b.state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return Ending{Code: 128 + int(ws.Signal()), Signal: unix.SignalName(ws.Signal())}, nil
	}
	return Ending{}, fmt.Errorf("%w (%s)", errNoAnswer, b.state)
}

// attributes are how a box of a tier is started: always in a session of its own, so
// that it has no terminal, and always to be killed when we are.
func attributes(tier string) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	if tier == tierNamespace {
		attr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID | syscall.CLONE_NEWNS
		attr.UidMappings = sameIDs("/proc/self/uid_map", os.Geteuid())
		attr.GidMappings = sameIDs("/proc/self/gid_map", os.Getegid())
		attr.GidMappingsEnableSetgroups = os.Geteuid() == 0
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN} // to mount /proc
	}
	return attr
}

// sameIDs maps ids to themselves, so that files belong to whom they should.
// Root keeps every id that it has; anybody else may map only their own.
func sameIDs(table string, own int) []syscall.SysProcIDMap {
	self := []syscall.SysProcIDMap{{ContainerID: own, HostID: own, Size: 1}}
	raw, err := os.ReadFile(table)
	if own != 0 || os.Geteuid() != 0 || err != nil {
		return self
	}
	var all []syscall.SysProcIDMap
	for line := range strings.Lines(string(raw)) {
		var inside, outside, size int
		if _, err := fmt.Sscan(line, &inside, &outside, &size); err != nil {
			return self
		}
		all = append(all, syscall.SysProcIDMap{ContainerID: inside, HostID: inside, Size: size})
	}
	return all
}
