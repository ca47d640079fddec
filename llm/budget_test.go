package llm_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/git-tdd/git-tdd/llm"
)

func TestBudgetNamesTheLimit(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		limits llm.Limits
		says   string
	}{
		"tokens": {llm.Limits{Tokens: 20}, "20 of 20 tokens are spent"},
		"time":   {llm.Limits{Time: 2 * time.Minute}, "the 2m0s for this run are over"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				budget := llm.NewBudget(tc.limits)
				asked := 0
				client := &llm.Budgeted{Budget: budget, Who: "tester", Client: asIs(func(context.Context, llm.Request) (llm.Response, error) {
					asked++
					time.Sleep(time.Minute)
					return llm.Response{Text: "x", Usage: llm.Usage{Prompt: 7, Completion: 3}}, nil
				})}
				for range 2 {
					if _, err := client.Complete(t.Context(), question()); err != nil {
						t.Fatal(err)
					}
				}
				_, err := client.Complete(t.Context(), question())
				contains(t, refused(t, err, llm.KindBudget), "budget of "+name, tc.says, "llm.budget."+name)
				want := llm.Spent{Usage: llm.Usage{Prompt: 14, Completion: 6}, Requests: 2, Time: 2 * time.Minute}
				if got := budget.Shares(); len(got) != 1 || got[0] != (llm.Share{Who: "tester", Spent: want}) {
					t.Errorf("shares %+v", got)
				}
				if got := budget.Spent(); got != want || asked != 2 {
					t.Errorf("spent %+v in %d requests", got, asked)
				}
			})
		})
	}
}

// TestTimeOfAPerson: how long somebody thinks is no model's time.
func TestTimeOfAPerson(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		budget := llm.NewBudget(llm.Limits{Time: time.Minute, Tokens: 2})
		client := &llm.Budgeted{Budget: budget, Untimed: true, Client: asIs(func(context.Context, llm.Request) (llm.Response, error) {
			time.Sleep(time.Hour)
			return llm.Response{Text: "x", Usage: llm.Usage{Prompt: 1}}, nil
		})}
		for range 2 {
			if _, err := client.Complete(t.Context(), question()); err != nil {
				t.Fatal(err)
			}
		}
		if got := budget.Spent().Time; got != 0 {
			t.Errorf("spent %v", got)
		}
		_, err := client.Complete(t.Context(), question())
		contains(t, refused(t, err, llm.KindBudget), "budget of tokens")
	})
}

func TestBudgetWithoutLimits(t *testing.T) {
	t.Parallel()
	budget := llm.NewBudget(llm.Limits{})
	var group sync.WaitGroup
	for range 50 {
		group.Go(func() {
			budget.Spend("", llm.Usage{Prompt: 2, Completion: 1, Estimated: true}, 0)
			if err := budget.Check(); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if got := budget.Spent(); got.Usage != (llm.Usage{Prompt: 100, Completion: 50, Estimated: true}) || got.Requests != 50 {
		t.Errorf("spent %+v", got)
	}
}

func TestBudgetEndsARequestThatOutlastsIt(t *testing.T) {
	t.Parallel()
	slow := asIs(func(ctx context.Context, _ llm.Request) (llm.Response, error) {
		<-ctx.Done()
		return llm.Response{}, ctx.Err()
	})
	budget := llm.NewBudget(llm.Limits{Time: 20 * time.Millisecond})
	_, err := (&llm.Budgeted{Client: slow, Budget: budget}).Complete(t.Context(), question())
	refused(t, err, llm.KindBudget)
}
