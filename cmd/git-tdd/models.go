package main

import (
	"context"
	"path/filepath"
	"time"

	"github.com/git-tdd/git-tdd/agents/agenthook"
	"github.com/git-tdd/git-tdd/agents/coder"
	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/config"
	"github.com/git-tdd/git-tdd/facts"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/envvar"
	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/lang"
	"github.com/git-tdd/git-tdd/llm"
	"github.com/git-tdd/git-tdd/loop"
	"github.com/git-tdd/git-tdd/trust"
)

// models says how to ask models.
type models struct {
	record, replay, relay string // a file, a file, a directory; empty if not wanted
	pace                  string // of run and step
	recorded              *llm.Cassette
}

// answerers finds the model for each role. All share a budget and a pace.
func (s *show) answerers(ctx context.Context, how models) func(config.Settings, gates.Role) (loop.Answerer, error) {
	shared, sharedErr := how.shared(s.waiting)
	byRole := map[gates.Role]loop.Answerer{}
	var pace *llm.Pace
	return func(set config.Settings, role gates.Role) (loop.Answerer, error) {
		if a, ok := byRole[role]; ok || sharedErr != nil {
			return a, sharedErr
		}
		if s.budget == nil { // it begins with the first role
			s.budget = llm.NewBudget(llm.Limits{Tokens: set.LLM.Budget.Tokens, Time: set.LLM.Budget.Time})
			pace = llm.NewPace(set.LLM.RequestsPerMinute)
		}
		a, err := s.p.answerer(ctx, set, role, shared, pace)
		if err != nil {
			return a, err
		}
		a.Client = &llm.Budgeted{Client: a.Client, Budget: s.budget, Who: string(role), Untimed: how.relay != ""}
		if how.record != "" {
			a.Client = &llm.Recorder{Client: a.Client, Path: how.record, Redact: s.p.redactor(set)}
		}
		byRole[role] = a
		return a, nil
	}
}

// shared is the answerer of all roles, if there is only one. The commits name
// it instead of a model that was not asked.
func (m models) shared(waits func(llm.Waiting)) (loop.Answerer, error) {
	if m.record != "" {
		if err := llm.CanRecord(m.record); err != nil {
			return loop.Answerer{}, usage("--record: " + err.Error())
		}
	}
	switch {
	case m.recorded != nil:
		return loop.Answerer{Client: llm.NewReplayer(m.recorded), Model: "recorded", Name: "recorded"}, nil
	case m.replay != "" && m.relay != "":
		return loop.Answerer{}, usage("--replay and --relay exclude each other")
	case m.replay != "":
		data, err := wholefile.Read(m.replay)
		if err != nil {
			return loop.Answerer{}, usage("read the recording: " + err.Error())
		}
		cassette, err := llm.LoadCassette(data)
		if err != nil {
			return loop.Answerer{}, usage(m.replay + ": " + err.Error())
		}
		return loop.Answerer{Client: llm.NewReplayer(cassette), Model: "replay", Name: "replay"}, nil
	case m.relay != "":
		return loop.Answerer{Client: &llm.Relay{Dir: m.relay, Waiting: waits}, Model: "relay", Name: "relay"}, nil
	}
	return loop.Answerer{}, nil
}

// answerer is the shared one, or the role's own model over HTTP.
func (p *program) answerer(ctx context.Context, s config.Settings, role gates.Role, shared loop.Answerer, pace *llm.Pace) (loop.Answerer, error) {
	if shared.Client != nil {
		return shared, nil
	}
	if agent := s.Roles[role].Agent; s.Roles[role].ByAgent() {
		return p.coder(ctx, agent, s.Contain)
	}
	model, err := s.Model(role)
	if err != nil {
		return loop.Answerer{}, err
	}
	endpoint := model.Endpoint
	if model.KeyEnv != "" {
		endpoint.APIKey = envvar.Get(p.environ, model.KeyEnv)
	}
	return loop.Answerer{Model: model.Name, Name: model.Spec, Temperature: model.Temperature, Client: llm.NewLive(llm.LiveOptions{
		Endpoint: endpoint, Timeout: s.LLM.Timeout, Pace: pace,
		OnRetry: func(r llm.Retry) {
			p.err.printf("%s waiting %s before try %d: %s\n", p.err.paint(yellow, "…"), r.Wait.Round(time.Millisecond), r.Attempt+1, r.Why)
		},
	})}, nil
}

// coder is the coding agent that plays a role.
func (p *program) coder(ctx context.Context, agent config.Agent, contain config.Contain) (loop.Answerer, error) {
	dirs, err := facts.DefaultDirs(p.environ)
	if err != nil {
		return loop.Answerer{}, err
	}
	checker := p.checker(check.Options{})
	judge := agenthook.Judge{Repo: p.repo, Checker: checker, Together: p.cycles}
	var fence *coder.Fence // what walls around agents keep from them
	if contain != config.ContainOff {
		approved, err := trust.DefaultDir(p.environ)
		if err != nil {
			return loop.Answerer{}, err
		}
		own := append(p.repo.Siblings(), p.repo.Top, p.repo.CommonDir, p.repo.GitDir, dirs.Cache, dirs.State, approved)
		fence = &coder.Fence{Top: p.repo.Top, Own: own, Languages: lang.All(), Unwalled: p.unwalled}
	}
	c, err := coder.New(coder.Options{
		Repo: p.repo, Agent: agent, Dir: filepath.Join(dirs.Cache, "agents"), Environ: p.environ, Fence: fence,
		Deps: func(ctx context.Context, tree gitx.ID) (map[string]string, error) {
			project, err := checker.Project(ctx, tree)
			if err != nil {
				return nil, err
			}
			return project.Dependencies(ctx, tree), nil
		},
		Deny: func(path string, content *string) string {
			w := agenthook.Write{Path: path}
			if content != nil {
				w.Whole, w.Content = true, *content
			}
			return judge.Refuses(ctx, w)
		},
	})
	if err != nil {
		return loop.Answerer{}, usage(err.Error())
	}
	p.later = append(p.later, c.Close)
	return loop.Answerer{Client: c, Model: agent.Name(), Name: agent.Name(), Works: true}, nil
}
