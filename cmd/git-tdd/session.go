package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/agents/coder"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/envvar"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/loop"
	"github.com/git-tdd/git-tdd/sandbox"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/trust"
)

// untrustedError says what of a repository has not been approved.
type untrustedError struct {
	what, top  string
	tree       gitx.ID    // which declares it
	rev        string     // what names it, if HEAD does not
	committing bool       // it is being committed
	runs       [][]string // the commands, each after its name
}

func (e *untrustedError) Error() string {
	whose := "this repository's "
	switch {
	case e.committing:
		whose = "of what is being committed the "
	case e.rev != "":
		whose = "of a tree in this history the "
	}
	approve := strings.TrimSpace("git tdd trust " + e.rev)
	return whose + e.what + " are not approved on this machine; look at them and approve them with `" + approve + "` in " + e.top
}

// subject is what an approval of a repository covers: everything that the tree itself declares.
func (p *program) subject(s config.Settings, projects testrun.Projects) trust.Subject {
	var commands [][]string
	for _, one := range projects {
		at, run := inFolder(one.Dir), one.Commands
		commands = append(commands, named("fmt"+at, run.Fmt), named("check"+at, run.Check), named("test"+at, run.Test))
	}
	commands = append(commands,
		named("setup", s.Workbench.SetupCmd), named("link", s.Workbench.Link), named("env", s.Workbench.Env))
	for _, reach := range [][]string{named("read", s.Workbench.Read), named("write", s.Workbench.Write)} {
		if len(reach) > 1 {
			commands = append(commands, reach)
		}
	}
	if s.Workbench.Network == config.NetworkHost {
		commands = append(commands, []string{"network", string(s.Workbench.Network)})
	}
	if s.Contain == config.ContainOff {
		commands = append(commands, []string{"contain", string(s.Contain)})
	}
	for _, one := range projects {
		if l := one.Language; l.Described != "" {
			for _, argv := range l.Tools {
				commands = append(commands, named("version", argv))
			}
		}
	}
	commands = append(commands, agentCommands(s)...)
	return trust.Subject{
		Repository: p.repo.CommonDir,
		Commands:   commands,
		Endpoints:  s.Endpoints(),
		KeyEnv:     s.Grants(),
	}
}

// named is a command after its name.
func named(name string, argv []string) []string { return append([]string{name}, argv...) }

// inFolder names the folder of a project; nothing where that is the whole tree.
func inFolder(dir string) string {
	if dir == "" {
		return ""
	}
	return " in " + dir
}

// agentCommands are what the agents of the roles run, and the variables that they may see.
func agentCommands(s config.Settings) (commands [][]string) {
	for _, role := range slices.Sorted(maps.Keys(s.Roles)) {
		if !s.Roles[role].ByAgent() {
			continue
		}
		agent := s.Roles[role].Agent
		run, err := coder.Resolve(agent)
		if err != nil {
			continue
		}
		who := "agent of the " + string(role)
		commands = append(commands,
			named(who, run.Cmd), named(who+", again", run.Resume), named(who+", variables", run.Env),
			named(who+", reads", agent.Read), named(who+", changes", coder.Changes(agent, run)),
			named(who+", network", []string{cmp.Or(string(agent.Network), string(config.NetworkHost))}))
	}
	return commands
}

func (p *program) trustStore() trust.Store {
	dir, _ := trust.DefaultDir(p.environ) // the store says why there is none
	return trust.Store{Dir: dir}
}

// declared is what an approval of what a tree declares covers.
func (p *program) declared(project *check.Project) (trust.Subject, error) {
	own, err := project.Own()
	if err != nil {
		return trust.Subject{}, err
	}
	parts, err := project.OwnParts(lang.All())
	return p.subject(own, parts), err
}

// permit refuses whatever the user has not approved.
func (p *program) permit(project *check.Project) error {
	covered, err := p.declared(project)
	if err != nil {
		return err
	}
	return p.approved(covered, "commands and endpoints", project.Tree)
}

// approved refuses what a tree has of a kind, if the user has not approved it.
func (p *program) approved(covered trust.Subject, what string, tree gitx.ID) error {
	ok, err := p.trustStore().Approved(covered)
	if err == nil && !ok {
		err = &untrustedError{what: what, top: p.repo.Place(), tree: tree, runs: covered.Commands}
	}
	return err
}

// checker makes the driver of the gates for the repository: what is the same for all
// commands is added to its options.
func (p *program) checker(o check.Options) *check.Checker {
	o.Repo, o.Environ, o.Languages, o.Redact = p.repo, p.environ, lang.All(), llm.Redactor(p.secrets())
	o.Dirs, _ = facts.DefaultDirs(p.environ) // whatever is asked of the checker says why there are none
	if dir, err := trust.DefaultDir(p.environ); err == nil {
		o.Own = []string{dir}
	}
	if o.Permit == nil {
		o.Permit = p.permit
	}
	o.Weaker, o.Retired = p.weakly, func() { p.outdated.Store(true) }
	o.Unkept = func(err error) {
		p.once("unkept", "what is measured cannot be kept, and is measured again next time: %v", err)
	}
	return check.New(o)
}

// once prints a note that is worth saying once. Notes with the same key say the same.
func (p *program) once(key, format string, args ...any) {
	if _, told := p.told.LoadOrStore(key, true); !told {
		p.note(format, args...)
	}
}

// note tells a person something beside the results.
func (p *program) note(format string, args ...any) {
	p.err.printf("%s "+format+"\n", append([]any{p.err.paint(yellow, "note:")}, args...)...)
}

// weakly says that walls around tests are weaker here than they could be, or that there are none.
func (p *program) weakly(offer sandbox.Offer) {
	if offer.Means == "" {
		p.once("open", "there are no walls around tests and agents here (`contain` in .tdd.yaml), because %s: they can read and write what you can; run git-tdd in a container or a virtual machine where that matters", offer.Why)
		return
	}
	p.once("weak", "walls around tests are made of %s here, because %s: localhost is closed like the network unless `workbench.network: host`; `git tdd doctor` lists what stays open", offer.Means, offer.Why)
}

// unwalled says that there are no walls around agents: those need namespaces.
func (p *program) unwalled() {
	p.once("open", "this system lets no walls be built around agents (`contain` in .tdd.yaml): they can read and write what you can; run git-tdd in a container or a virtual machine where that matters")
}

// secrets are the values of the variables that are named like secrets.
func (p *program) secrets() (values []string) {
	for _, pair := range p.environ {
		if name, value, _ := strings.Cut(pair, "="); testrun.Secret(name) && value != "" {
			values = append(values, value)
		}
	}
	return values
}

// redactor removes the values of the configured keys, and whatever looks like a key, from text.
func (p *program) redactor(s config.Settings) func(string) string {
	secrets := p.secrets()
	for _, name := range s.KeyEnvs() {
		if v := envvar.Get(p.environ, name); v != "" {
			secrets = append(secrets, v)
		}
	}
	return llm.Redactor(secrets)
}

// lock opens the repository and locks it for steps, until the program ends. It recovers it
// from whatever an earlier run left unfinished.
func (p *program) lock(ctx context.Context, what string) error {
	if err := p.open(ctx); err != nil {
		return err
	}
	holder := fmt.Sprintf("git tdd %s, process %d, in %s, since %s", what, os.Getpid(), p.repo.Top, time.Now().Format(time.DateTime))
	lock, err := p.repo.Lock(ctx, holder)
	if err != nil {
		return err
	}
	p.later = append(p.later, lock.Close)
	found, err := p.repo.Recover(ctx)
	if err == nil && found != gitx.NothingToRecover {
		p.err.printf("%s\n", found)
	}
	return err
}

// loop wires the loop to the terminal, and to whoever answers.
func (p *program) loop(ctx context.Context, checker *check.Checker, to loop.Listener, who func(config.Settings, gates.Role) (loop.Answerer, error)) *loop.Loop {
	settings, _ := p.settings(ctx) // whoever needs them says what is wrong with them
	return loop.New(loop.Options{
		Repo: p.repo, Checker: checker, Redact: p.redactor(settings), Seal: p.seal("git-tdd handoff"), PermitPrompts: p.permitPrompts,
		Together: p.cycles, Listener: to, Answerer: who,
	})
}
