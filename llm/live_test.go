package llm_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/llm"
)

func TestLiveAsks(t *testing.T) {
	t.Parallel()
	s, opts := serve(t, answer("hello"))
	res, err := llm.NewLive(opts).Complete(t.Context(), question())
	gittest.Check(t, err)
	want := llm.Response{Text: "hello", Model: "m-2", FinishReason: "stop", Usage: llm.Usage{Prompt: 7, Completion: 3}}
	if res != want {
		t.Errorf("got %+v, want %+v", res, want)
	}
	if got := s.headers[0].Get("Authorization"); got != "Bearer "+canary {
		t.Errorf("Authorization is %q", got)
	}
	if got := res.Usage.Total(); got != 10 {
		t.Errorf("total %d, want 10", got)
	}
}

func TestLiveWithoutKeySendsNoAuthorization(t *testing.T) {
	t.Parallel()
	s, opts := serve(t, answer("hello"))
	opts.Endpoint.APIKey = ""
	if _, err := llm.NewLive(opts).Complete(t.Context(), question()); err != nil {
		t.Fatal(err)
	}
	if _, sent := s.headers[0]["Authorization"]; sent {
		t.Error("an Authorization header was sent")
	}
}

func TestLiveWire(t *testing.T) {
	t.Parallel()
	zero, warm := 0.0, 0.4
	for name, tc := range map[string]struct {
		model       string
		temperature *float64
		want        map[string]any
	}{
		"zero is sent as zero":        {"m", &zero, map[string]any{"temperature": 0.0}},
		"a temperature":               {"m", &warm, map[string]any{"temperature": 0.4}},
		"none":                        {"m", nil, map[string]any{}},
		"o1":                          {"o1-mini", &warm, map[string]any{}},
		"o3":                          {"o3", &zero, map[string]any{}},
		"o4":                          {"o4-mini", nil, map[string]any{}},
		"gpt-5":                       {"gpt-5-nano", &warm, map[string]any{}},
		"a local model is no o-model": {"qwen2.5-coder:7b", &warm, map[string]any{"temperature": 0.4}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, opts := serve(t, answer("hello"))
			req := question()
			req.Model, req.Temperature = tc.model, tc.temperature
			req.Messages[1].Content = `say "temperature":1e-45`
			if _, err := llm.NewLive(opts).Complete(t.Context(), req); err != nil {
				t.Fatal(err)
			}
			var body map[string]any
			gittest.Check(t, json.Unmarshal([]byte(s.asked()[0]), &body))
			for _, key := range []string{"temperature", "max_tokens", "max_completion_tokens"} {
				if fmt.Sprint(body[key]) != fmt.Sprint(tc.want[key]) {
					t.Errorf("%s is %v, want %v", key, body[key], tc.want[key])
				}
			}
			contains(t, s.asked()[0], `say \"temperature\":1e-45`, `"stream":false`)
		})
	}
}

func TestLiveFallsBackFromSchema(t *testing.T) {
	t.Parallel()
	no := say(http.StatusBadRequest, `{"error":{"message":"response_format is not supported"}}`)
	s, opts := serve(t, no, no, answer("one"), answer("two"))
	live := llm.NewLive(opts)
	req := question()
	req.Schema = &llm.Schema{Name: "edit_plan", JSON: []byte(`{"type":"object"}`)}
	for range 2 {
		if _, err := live.Complete(t.Context(), req); err != nil {
			t.Fatal(err)
		}
	}
	asked := s.asked()
	if len(asked) != 4 {
		t.Fatalf("%d requests, want 4: the refused formats are remembered", len(asked))
	}
	contains(t, asked[0], `"type":"json_schema"`, `"strict":true`, `"name":"edit_plan"`)
	contains(t, asked[1], `{"type":"json_object"}`)
	for _, body := range asked[2:] {
		if strings.Contains(body, "response_format") {
			t.Errorf("a format was asked for again: %s", body)
		}
	}
}

func TestLiveTellsTheFirstRefusalWhereNoFormatHelps(t *testing.T) {
	t.Parallel()
	s, opts := serve(t,
		say(http.StatusUnprocessableEntity, `{"error":{"message":"no such model"}}`),
		say(http.StatusBadRequest, `{"error":{"message":"other"}}`),
		say(http.StatusBadRequest, `{"error":{"message":"other"}}`),
		answer("hello"))
	live := llm.NewLive(opts)
	req := question()
	req.Schema = &llm.Schema{Name: "edit_plan", JSON: []byte(`{"type":"object"}`)}
	_, err := live.Complete(t.Context(), req)
	contains(t, refused(t, err, llm.KindBadRequest), "no such model")
	if _, err := live.Complete(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	contains(t, s.asked()[3], "json_schema")
}

func TestLiveEstimatesMissingUsage(t *testing.T) {
	t.Parallel()
	_, opts := serve(t, say(http.StatusOK, `{"choices":[{"message":{"content":"12345"},"finish_reason":"stop"}]}`))
	res, err := llm.NewLive(opts).Complete(t.Context(), question())
	gittest.Check(t, err)
	if want := (llm.Usage{Prompt: 10, Completion: 2, Estimated: true}); res.Usage != want {
		t.Errorf("got %+v, want %+v", res.Usage, want)
	}
	if res.Model != "m" {
		t.Errorf("got model %q, want the one that was asked", res.Model)
	}
}

func TestLivePacesRequests(t *testing.T) {
	t.Parallel()
	_, opts := serve(t, answer("hello"))
	clock := newFakeTime()
	opts.Sleep, opts.Clock, opts.Pace = clock.Sleep, clock.Clock, llm.NewPace(30)
	for range 3 { // as three roles do, each with a client of its own
		if _, err := llm.NewLive(opts).Complete(t.Context(), question()); err != nil {
			t.Fatal(err)
		}
	}
	if got := fmt.Sprint(clock.slept); got != "[2s 2s]" {
		t.Errorf("waited %s, want [2s 2s]", got)
	}
}

func TestEndpointHidesItsKey(t *testing.T) {
	t.Parallel()
	e := llm.Endpoint{Name: "deepseek", BaseURL: "https://u:" + canary + "@api.example.com/v1?k=" + canary, APIKey: canary}
	data, err := json.Marshal(e)
	gittest.Check(t, err)
	noKey(t, fmt.Sprintf("%v %+v %#v %s", e, e, e, struct{ E llm.Endpoint }{e}))
	if strings.Contains(string(data), `"APIKey"`) {
		t.Errorf("JSON holds the key: %s", data)
	}
	contains(t, e.String(), "deepseek", "https://api.example.com/v1")
}

func TestProbe(t *testing.T) {
	t.Parallel()
	s, opts := serve(t, say(401, `{}`))
	if err := llm.Probe(t.Context(), opts.Endpoint.BaseURL); err != nil {
		t.Errorf("an endpoint that wants a key is reachable: %v", err)
	}
	if _, sent := s.headers[0]["Authorization"]; sent {
		t.Error("a key was sent")
	}
	contains(t, refused(t, llm.Probe(t.Context(), closedPort(t)), llm.KindUnreachable), "connection refused")
	refused(t, llm.Probe(t.Context(), "nowhere"), llm.KindBadRequest)
}

func TestLiveReadsWhatTheEndpointHadKept(t *testing.T) {
	t.Parallel()
	for kept, want := range map[int]int{60: 60, 1000: 100, -5: 0} {
		_, opts := serve(t, say(http.StatusOK, fmt.Sprintf(`{"choices":[{"message":{"content":"12345"},"finish_reason":"stop"}],
			"usage":{"prompt_tokens":100,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":%d}}}`, kept)))
		res, err := llm.NewLive(opts).Complete(t.Context(), question())
		gittest.Check(t, err)
		if res.Usage != (llm.Usage{Prompt: 100, Completion: 2, Cached: want}) {
			t.Errorf("%d: %+v", kept, res.Usage)
		}
	}
}
