package llm_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
	"github.com/git-tdd/git-tdd/llm"
)

func TestLoadCassetteRefuses(t *testing.T) {
	t.Parallel()
	for data, want := range map[string]string{
		``:                                    "near byte 0",
		`{`:                                   "near byte",
		`[]`:                                  "near byte",
		`{"version":2}`:                       "version 2",
		`{}`:                                  "version 0",
		`{"version":1,"entrys":[]}`:           `unknown field "entrys"`,
		`{"version":1} {}`:                    "something follows",
		`{"version":1,"entries":[{}]}`:        "entry 1 of the cassette has no label",
		strings.Repeat(`{"entries":[`, 50000): "near byte",
	} {
		if _, err := llm.LoadCassette([]byte(data)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: got %v, want %q", data, err, want)
		}
	}
}

func TestCassetteIsReadable(t *testing.T) {
	t.Parallel()
	data, err := tape().Encode()
	gittest.Check(t, err)
	contains(t, string(data), "\n    {\n      \"label\": \"step 1 tester plan\",", "<html> &")
	loaded, err := llm.LoadCassette(data)
	gittest.Check(t, err)
	if !reflect.DeepEqual(loaded, tape()) {
		t.Errorf("got %+v", loaded)
	}
}

// What is loaded can be encoded, and loading that gives the same.
func FuzzLoadCassette(f *testing.F) {
	seed, err := tape().Encode()
	gittest.Check(f, err)
	f.Add(seed)
	f.Add([]byte(`{"version":1,"entries":[{"label":"a","response":{"text":"\ud800","usage":{"prompt":1,"completion":2,"estimated":true}}}]}`))
	f.Add([]byte(`{"version":1,"entries":[{"label":"a","request":{"temperature":1e-320,"messages":[]}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		first, err := llm.LoadCassette(data)
		if err != nil {
			return
		}
		encoded, err := first.Encode()
		gittest.Check(t, err)
		second, err := llm.LoadCassette(encoded)
		if err != nil {
			t.Fatalf("%v in what was just encoded: %s", err, encoded)
		}
		again, err := second.Encode()
		if err != nil || string(again) != string(encoded) {
			t.Errorf("got %s, %v\nwant %s", again, err, encoded)
		}
	})
}

func TestRecorderRecordsAndRedacts(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tape.json")
	redact := llm.Redactor([]string{canary})
	zero := 0.0
	for n, label := range []string{"first", "second"} { // two processes, one recording
		_, opts := serve(t, answer("the key is "+canary))
		recorder := &llm.Recorder{Client: llm.NewLive(opts), Path: path, Redact: redact}
		req := asking(label)
		req.Messages[0].Content += " LLM_API_KEY=" + canary
		req.Temperature = &zero
		res, err := recorder.Complete(t.Context(), req)
		gittest.Check(t, err)
		contains(t, res.Text, canary) // the caller gets the answer as it is
		contains(t, req.Messages[0].Content, canary)
		c := load(t, path)
		if len(c.Entries) != n+1 {
			t.Fatalf("%d entries after %d requests", len(c.Entries), n+1)
		}
	}
	entry := load(t, path).Entries[1]
	if entry.Label != "second" || entry.Response.Usage.Total() != 10 || *entry.Request.Temperature != 0 {
		t.Errorf("got %+v", entry)
	}
	files, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(files) != 1 {
		t.Errorf("left behind: %v, %v", files, err)
	}
	replayed, err := llm.NewReplayer(load(t, path)).Complete(t.Context(), asking("first"))
	if err != nil || replayed.Text != "the key is «redacted»" {
		t.Errorf("replayed %+v, %v", replayed, err)
	}
}

// load reads a cassette file, which must not contain the key.
func load(t *testing.T, path string) *llm.Cassette {
	t.Helper()
	data, err := os.ReadFile(path)
	gittest.Check(t, err)
	noKey(t, string(data))
	c, err := llm.LoadCassette(data)
	gittest.Check(t, err)
	return c
}

func TestRecorderKeepsADamagedFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tape.json")
	gittest.Write(t, path, "not a cassette")
	recorder := &llm.Recorder{Client: llm.NewReplayer(tape()), Path: path, Redact: llm.Redactor(nil)}
	_, err := recorder.Complete(t.Context(), asking(order[0]))
	if err == nil {
		t.Fatal("a damaged recording was continued")
	}
	contains(t, err.Error(), path, order[0])
	if data, _ := os.ReadFile(path); string(data) != "not a cassette" {
		t.Errorf("the file was overwritten: %s", data)
	}
}

func TestRecorderLeavesFailuresOut(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tape.json")
	recorder := &llm.Recorder{Client: llm.NewReplayer(tape()), Path: path, Redact: llm.Redactor(nil)}
	_, err := recorder.Complete(t.Context(), asking("another"))
	refused(t, err, llm.KindBadRequest)
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file was written: %v", err)
	}
}

func TestRedactor(t *testing.T) {
	t.Parallel()
	redact := llm.Redactor([]string{"hunter22", "hunter22-and-more", "short", ""})
	pem := "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----"
	for text, want := range map[string]string{
		"x hunter22 y":                          "x «redacted» y",
		"hunter22-and-more":                     "«redacted»",
		"too short to know: short":              "too short to know: short",
		"sk-" + rep("aB3-_", 5) + "!":           "«redacted»!",
		"risk-assessment-of-something-long":     "risk-assessment-of-something-long",
		"ghp_" + rep("a1", 18):                  "«redacted»",
		"github_pat_" + rep("a1_", 9):           "«redacted»",
		"glpat-" + rep("a1", 10):                "«redacted»",
		"AKIA" + rep("A1", 8):                   "«redacted»",
		"AIza" + rep("a1bcd", 7):                "«redacted»",
		"xoxb-" + rep("123-", 4):                "«redacted»",
		"Authorization: Bearer " + rep("a.", 9): "Authorization: Bearer «redacted»",
		"a bearer of good news":                 "a bearer of good news",
		"key: " + pem + "\nafter":               "key: «redacted»\nafter",
		pem[:40] + " cut off":                   "«redacted»",
		`{"k":"-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----"}`: `{"k":"«redacted»"}`,
	} {
		if got := redact(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if got := redact(redact(text)); got != want {
			t.Errorf("%q: applied twice, got %q", text, got)
		}
	}
}

func rep(s string, n int) string { return strings.Repeat(s, n) }

// asIs turns a function into a client.
type asIs func(context.Context, llm.Request) (llm.Response, error)

func (f asIs) Complete(ctx context.Context, req llm.Request) (llm.Response, error) {
	return f(ctx, req)
}
