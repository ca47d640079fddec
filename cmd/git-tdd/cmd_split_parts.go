package main

import (
	"context"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/check"
	"github.com/git-tdd/git-tdd/commitmsg"
	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/hooks"
)

// part is a commit that a change is to be split into.
type part struct {
	tree    gitx.ID
	message string
	judged  check.Judgement
}

// take takes the change apart. Without any part it said why.
func (s *splitter) take(ctx context.Context) ([]part, error) {
	s.message = commitmsg.RemoveTrailers(s.message, gates.KeyOutcome)
	plays, err := s.plays(ctx)
	if err != nil {
		return nil, err
	}
	if s.last {
		j, err := s.checker.Commit(ctx, string(s.head.Commit))
		if err != nil {
			return nil, err
		}
		if j.Verdict.Accepted() && j.Step.Number > 0 && len(j.Step.Told) == 0 && j.Step.Phase != gates.PhaseCycle {
			s.out.printf("%s is a step as it is: %s\n", s.head.Commit.Short(), j.Step.Phase)
			return nil, nil
		}
	}
	var refused part
	for _, late := range []bool{false, true} {
		d, err := s.checker.Derive(ctx, check.Apart{Parent: s.parent, Tree: s.tree, Late: late})
		if err != nil {
			return nil, err
		}
		parts, err := s.try(ctx, s.ways(d, plays), &refused)
		if err != nil || len(parts) > 0 {
			return parts, err
		}
		if d.Base.ID == s.parent {
			break // no configuration changes
		}
	}
	return nil, s.refuse(refused)
}

// try finds the first way that holds. Of the others it keeps the part that says most.
func (s *splitter) try(ctx context.Context, ways [][]part, refused *part) ([]part, error) {
	for _, way := range ways {
		parts, at, err := s.hold(ctx, way)
		if err != nil || at < 0 {
			return parts, err
		}
		if refused.message == "" || gates.Declared(refused.judged.Case.Change) == 0 {
			*refused = parts[at] // tests that add none say nothing of the whole
		}
		if facts := parts[at].judged.Case.After; facts.Outcome == gates.Failed && facts.Detail == gates.DetailExitCode {
			break // a test fails without the code, and the whole would hide which
		}
	}
	return nil, nil
}

// plays is the role whose step the message says the code's commit to be.
func (s *splitter) plays(ctx context.Context) (gates.Role, error) {
	if rules, err := s.checker.Settings(ctx, s.before); err != nil {
		return "", err
	} else if rules.File == "" {
		return "", usage("there is no .tdd.yaml before this change, so no rules to split it by; `git tdd init` writes one, and `git tdd evidence` needs none")
	}
	header, err := commitmsg.ParseHeader(s.message)
	if err != nil {
		return "", usage(err.Error() + "; name it with -m")
	}
	switch role := gates.RoleOf(header.Type); role {
	case gates.Implementor, gates.Refactorer:
		return role, nil
	case gates.Tester:
		return "", usage("the message calls it a test: and it is to be split into tests and code; say what the code does: git tdd split -m 'feat: …' (or fix:, refactor:)")
	case gates.Keeper:
	}
	return "", usage(quote(header.Type+":") + " is no step, so there is nothing to split it into; say what the code does: git tdd split -m 'feat: …' (or fix:, refactor:)")
}

// ways lists into which commits a change may be split, the best way first.
func (s *splitter) ways(d check.Derived, plays gates.Role) [][]part {
	configuration := part{tree: d.Base.Tree, message: s.named("chore", "configuration: ")}
	tests := part{tree: d.Red.Tree, message: s.named("test", "")}
	code := part{tree: d.Green.Tree, message: s.message}
	if plays == gates.Implementor {
		return [][]part{{configuration, tests, code}}
	}
	tests.message = commitmsg.AppendTrailers(tests.message, []commitmsg.Trailer{{Key: gates.KeyOutcome, Value: string(gates.Characterization)}})
	return [][]part{{configuration, tests, code}, {configuration, code}}
}

// hold judges the parts of a way, each on top of those before it. at is the one that
// does not hold, -1 if all do. Parts that change nothing are left out.
func (s *splitter) hold(ctx context.Context, way []part) (parts []part, at int, err error) {
	tip, tree := s.parent, s.before
	for _, p := range way {
		if p.tree == tree {
			continue
		}
		proposed := hooks.Proposal(tip, p.tree, p.message)
		proposed.Strict = true
		if p.judged, err = s.checker.Judge(ctx, proposed); err != nil {
			return nil, 0, err
		}
		parts = append(parts, p)
		if !p.judged.Verdict.Accepted() {
			return parts, len(parts) - 1, nil
		}
		c := s.author // of a commit that the next part is judged on
		c.Tree, c.Parents, c.Message, c.Unsigned = p.tree, []gitx.ID{tip}, p.judged.Message, true
		if tip, err = s.repo.CommitTree(ctx, c); err != nil {
			return nil, 0, err
		}
		tree = p.tree
	}
	return parts, -1, nil
}

// named is the message of another part: of a type, with the scope and the summary of
// the code's commit, as far as there is room.
func (s *splitter) named(kind, before string) string {
	const most = 100
	header, _ := commitmsg.ParseHeader(s.message)
	header.Type, header.Breaking, header.Summary = kind, false, before+header.Summary
	for len([]rune(header.String())) > most {
		end := strings.LastIndexByte(header.Summary, ' ')
		if end < 0 {
			break
		}
		header.Summary = header.Summary[:end]
	}
	return s.withTrailers(header.String() + "\n")
}

// withTrailers adds to a message those trailers of the change's that are true of each part.
func (s *splitter) withTrailers(message string) string {
	shared := []string{"signed-off-by", "co-authored-by", strings.ToLower(gates.KeyModel), strings.ToLower(gates.KeyCriterion)}
	return commitmsg.AppendTrailers(message, slices.DeleteFunc(commitmsg.Parse(s.message).Trailers, func(t commitmsg.Trailer) bool {
		return !slices.Contains(shared, strings.ToLower(t.Key))
	}))
}

// wayOut says what to do about a part that does not hold, where its findings do not.
func (p part) wayOut() string {
	judged := p.judged.Case
	reds := len(p.judged.Step.Red)
	if judged.After.Outcome == gates.Broken {
		reds = gates.Declared(judged.Change)
	}
	switch {
	case judged.Plays == gates.Tester && reds > judged.Policy.MaxNewRed:
		return "commit one failing test and what makes it pass, then the next; or let a step have more: gates.max_new_red in .tdd.yaml"
	case judged.Plays == gates.Tester && judged.Special == gates.Ordinary && judged.After.Outcome == gates.Passed:
		return "if its tests should pass without it, because it changes no behaviour, call it that: git tdd split -m 'refactor: …'"
	case judged.Plays == gates.Tester && judged.Special == gates.Characterization && judged.After.Outcome == gates.Failed:
		return "if it changes behaviour, call it that: git tdd split -m 'feat: …' (or fix:)"
	}
	return ""
}
