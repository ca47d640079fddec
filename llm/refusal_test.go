package llm_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/llm"
)

func TestLiveRefusals(t *testing.T) {
	t.Parallel()
	echo := `{"error":{"message":"Incorrect API key provided: ` + canary + `","code":"invalid_api_key"}}`
	for name, tc := range map[string]struct {
		handler http.HandlerFunc
		kind    llm.Kind
		says    string
	}{
		"401 echoing the key":           {say(401, echo), llm.KindAuth, "api_key_env"},
		"403 echoing, no JSON":          {say(403, "key "+canary+" is bad"), llm.KindAuth, "«redacted»"},
		"the key, where a quote is cut": {say(401, strings.Repeat("x", 390)+canary), llm.KindAuth, "x«redacted»"},
		"402":                           {say(402, `{}`), llm.KindRateLimit, "billing"},
		"429 without quota":             {say(429, `{"error":{"message":"x","code":"insufficient_quota"}}`), llm.KindRateLimit, "billing"},
		"404":                           {say(404, `{"error":{"message":"model not found"}}`), llm.KindBadRequest, "base_url"},
		"409":                           {say(409, `{"error":{"message":"no"}}`), llm.KindBadRequest, "409"},
		"400, too long":                 {say(400, `{"error":{"message":"x","code":"context_length_exceeded"}}`), llm.KindBadRequest, "larger context"},
		"400, filter":                   {say(400, `{"error":{"message":"x","code":"content_filter"}}`), llm.KindRefused, "filter"},
		"501":                           {say(501, `{}`), llm.KindServer, "501"},
		"malformed JSON":                {say(200, `{"choices": oops}`), llm.KindBadAnswer, "not the JSON"},
		"HTML":                          {say(200, `<html>a portal</html>`), llm.KindBadAnswer, "a portal"},
		"another type":                  {say(200, `{"choices": 3}`), llm.KindBadAnswer, "not the JSON"},
		"nothing":                       {say(200, ``), llm.KindBadAnswer, "not the JSON"},
		"depth":                         {say(200, `{"x":`+strings.Repeat("[", 100_000)), llm.KindBadAnswer, "not the JSON"},
		"JSON ends early":               {say(200, `{"choices":[{"message":{"content":"ab`), llm.KindTruncated, "middle"},
		"no choices":                    {say(200, `{"choices":[]}`), llm.KindBadAnswer, "without any choices"},
		"error with status 200":         {say(200, `{"error":{"message":"no credits"}}`), llm.KindBadAnswer, "no credits"},
		"finish_reason length":          {finished("half", "length"), llm.KindTruncated, "length"},
		"finish_reason filter":          {finished("", "content_filter"), llm.KindRefused, "declined"},
		"refusal":                       {say(200, `{"choices":[{"message":{"refusal":"I cannot"},"finish_reason":"stop"}]}`), llm.KindRefused, "I cannot"},
		"refusal echoing the key":       {say(200, `{"choices":[{"message":{"refusal":"no: `+canary+`"},"finish_reason":"stop"}]}`), llm.KindRefused, "no: «redacted»"},
		"empty text":                    {finished(" \n", "stop"), llm.KindBadAnswer, "empty"},
		"cut, again and again":          {cut, llm.KindUnreachable, "ended before"},
		"reset, again and again":        {hangUp, llm.KindUnreachable, "ended before"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, opts := serve(t, tc.handler)
			res, err := llm.NewLive(opts).Complete(t.Context(), question())
			contains(t, refused(t, err, tc.kind), tc.says)
			if res.Text != "" {
				t.Errorf("a rejected answer was handed on: %q", res.Text)
			}
		})
	}
}

func TestLiveCountsWhatARejectedAnswerCost(t *testing.T) {
	t.Parallel()
	_, opts := serve(t, finished("half", "length"))
	budget := llm.NewBudget(llm.Limits{})
	_, err := (&llm.Budgeted{Client: llm.NewLive(opts), Budget: budget}).Complete(t.Context(), question())
	refused(t, err, llm.KindTruncated)
	if got := budget.Spent().Usage.Total(); got != 10 {
		t.Errorf("spent %d tokens, want 10", got)
	}
}

func TestLiveQuotesLittle(t *testing.T) {
	t.Parallel()
	_, opts := serve(t, say(400, `{"error":{"message":"`+strings.Repeat("x ", 100_000)+`"}}`))
	_, err := llm.NewLive(opts).Complete(t.Context(), question())
	if text := refused(t, err, llm.KindBadRequest); len(text) > 1000 || strings.Contains(text, "\n") {
		t.Errorf("%d bytes: %s", len(text), text)
	}
}

func TestLiveDoesNotWaitForQuota(t *testing.T) {
	t.Parallel()
	s, opts := serve(t, say(429, `{"error":{"message":"x","code":"insufficient_quota"}}`))
	_, err := llm.NewLive(opts).Complete(t.Context(), question())
	contains(t, refused(t, err, llm.KindRateLimit), "billing")
	if n := len(s.asked()); n != 1 {
		t.Errorf("asked %d times", n)
	}
}
