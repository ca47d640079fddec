package llm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// Limits limit what a run may spend on models. Zero means no limit.
type Limits struct {
	Tokens int           // of prompts and answers together
	Time   time.Duration // since the budget was made
}

// Spent is what has been used of a [Budget].
type Spent struct {
	Usage    Usage // Estimated if any part of it is
	Requests int
	Time     time.Duration
}

// Budget counts what is spent against limits. Requests in progress can exceed it.
type Budget struct {
	limits Limits
	start  time.Time

	mu     sync.Mutex
	off    time.Duration // in which somebody thought whose time does not count
	shares []Share       // in the order of their first requests
}

// NewBudget starts a budget now.
func NewBudget(limits Limits) *Budget { return &Budget{limits: limits, start: time.Now()} }

// Spend counts one request of somebody, its tokens and how long it took.
func (b *Budget) Spend(who string, u Usage, took time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := slices.IndexFunc(b.shares, func(s Share) bool { return s.Who == who })
	if i < 0 {
		i = len(b.shares)
		b.shares = append(b.shares, Share{Who: who})
	}
	share := &b.shares[i]
	share.Usage = share.Usage.Plus(u)
	share.Requests++
	share.Time += took
}

func (b *Budget) pause(off time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.off += off
}

// Spent is what has been counted so far, and the time since the budget was made.
func (b *Budget) Spent() Spent {
	b.mu.Lock()
	defer b.mu.Unlock()
	spent := Spent{Time: time.Since(b.start) - b.off}
	for _, share := range b.shares {
		spent.Usage = spent.Usage.Plus(share.Usage)
		spent.Requests += share.Requests
	}
	return spent
}

// Share is what somebody has spent; its time is that of the requests.
type Share struct {
	Who string
	Spent
}

// Shares tells what each has spent, in the order of their first requests.
func (b *Budget) Shares() []Share {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.shares)
}

// Check returns an [*Error] of KindBudget that names the limit reached.
func (b *Budget) Check() error {
	spent, limits := b.Spent(), b.limits
	switch {
	case limits.Tokens > 0 && spent.Usage.Total() >= limits.Tokens:
		return overspent("tokens", fmt.Sprintf("%d of %d tokens are spent", spent.Usage.Total(), limits.Tokens))
	case limits.Time > 0 && spent.Time >= limits.Time:
		return b.outOfTime()
	}
	return nil
}

func (b *Budget) outOfTime() *Error {
	return overspent("time", fmt.Sprintf("the %s for this run are over", b.limits.Time))
}

// bounded ends the context when the budget's time is over.
func (b *Budget) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if b.limits.Time <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeoutCause(ctx, b.limits.Time-b.Spent().Time, b.outOfTime())
}

func overspent(limit, seen string) *Error {
	return &Error{
		Kind:    KindBudget,
		Message: "the budget of " + limit + " is used up: " + seen,
		Hint:    "what is committed stays; run again for a new budget, or raise llm.budget." + limit + " in .tdd.yaml",
	}
}

// Budgeted is a client within a budget: it counts what requests cost, rejected answers too.
type Budgeted struct {
	Client Client
	Budget *Budget
	Who    string // whose share it is
	// Untimed is set where a person answers: how long that takes does not count.
	Untimed bool
}

// Complete asks the client. Once a limit is reached it returns the error of [Budget.Check].
func (b *Budgeted) Complete(ctx context.Context, req Request) (Response, error) {
	if err := b.Budget.Check(); err != nil {
		return Response{}, err
	}
	began, bounded := time.Now(), b.Budget.bounded
	if b.Untimed {
		bounded = context.WithCancel
		defer func() { b.Budget.pause(time.Since(began)) }()
	}
	ctx, stop := bounded(ctx)
	defer stop()
	res, err := b.Client.Complete(ctx, req)
	b.Budget.Spend(b.Who, res.Usage, time.Since(began))
	if over, ok := errors.AsType[*Error](context.Cause(ctx)); ok && err != nil {
		return res, over
	}
	return res, err
}
