package models_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/bench/models"
	"github.com/git-tdd/git-tdd/internal/gittest"
)

const twoByTwo = `
runs: 2
settings: settings.yaml
katas:
  bowling: {kata: bowling, language: go, hidden: hidden}
  own: {kata: own.md, language: go}
models:
  a: small
  b: {replay: tape.json}
`

// folder is a matrix and what it names.
func folder(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"m.yaml": twoByTwo, "own.md": "# Own\n", "settings.yaml": "steps: 9\n", "tape.json": "{}", "hidden/sub/x_test.go": "package x\n",
	} {
		gittest.Write(t, filepath.Join(dir, name), text)
	}
	return dir
}

func load(t *testing.T, dir string, runs int) models.Plan {
	t.Helper()
	plan, err := models.Load(filepath.Join(dir, "m.yaml"), runs)
	gittest.Check(t, err)
	return plan
}

func names(runs []models.Run) (out []string) {
	for _, r := range runs {
		out = append(out, r.Name())
	}
	return out
}

func TestPlan(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	plan := load(t, dir, 0)
	want := "bowling/a/seed-1 bowling/a/seed-2 bowling/b/seed-1 bowling/b/seed-2 own/a/seed-1 own/a/seed-2 own/b/seed-1 own/b/seed-2"
	if got := strings.Join(names(plan.Runs), " "); got != want {
		t.Errorf("got %s", got)
	}
	if len(load(t, dir, 5).Runs) != 20 {
		t.Error("--runs does not count")
	}
	m := plan.Runs[0].Material
	if m.Model != "small" || string(m.Settings) != "steps: 9\n" || !bytes.Contains(m.Text, []byte("owling")) ||
		len(m.Hidden) != 1 || m.Hidden[0].Path != "sub/x_test.go" || !slices.Equal(plan.Hidden, []string{filepath.Join(dir, "hidden")}) {
		t.Errorf("got %+v, %v", m, plan.Hidden)
	}
}

// TestShards: all shards together are the plan, each run once.
func TestShards(t *testing.T) {
	t.Parallel()
	plan := load(t, folder(t), 3)
	for of := 1; of < 15; of++ {
		var all []string
		for i := 1; i <= of; i++ {
			all = append(all, names(plan.Shard(i, of))...)
		}
		want := names(plan.Runs)
		slices.Sort(all)
		slices.Sort(want)
		if !slices.Equal(all, want) {
			t.Errorf("%d shards are %v", of, all)
		}
	}
}

// TestInputs: the digest of a run changes with whatever the run depends on, and
// with nothing else.
func TestInputs(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	digests := func() map[string]string {
		out := map[string]string{}
		for _, r := range load(t, dir, 0).Runs {
			out[r.Name()] = r.Inputs
		}
		return out
	}
	before := digests()
	seen := map[string]bool{}
	for _, d := range before {
		seen[d] = true
	}
	if len(seen) != len(before) {
		t.Errorf("two runs have one digest: %v", before)
	}
	for file, changes := range map[string]string{"own.md": "own/", "tape.json": "/b/", "hidden/sub/x_test.go": "bowling/", "settings.yaml": "/"} {
		old := gittest.Read(t, filepath.Join(dir, file))
		gittest.Write(t, filepath.Join(dir, file), old+"x")
		for name, now := range digests() {
			if (now != before[name]) != strings.Contains(name, changes) {
				t.Errorf("%s changed; %s: changed is %v", file, name, now != before[name])
			}
		}
		gittest.Write(t, filepath.Join(dir, file), old)
	}
	gittest.Write(t, filepath.Join(dir, "m.yaml"), twoByTwo+"  c: large\n")
	for name, now := range digests() {
		if was, there := before[name]; there && was != now {
			t.Errorf("a new model changes %s", name)
		}
	}
}

func TestHiddenTestsMustBeThere(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(dir string) error{
		"no hidden tests": func(dir string) error { return os.RemoveAll(filepath.Join(dir, "sub")) },
		"no plain file":   func(dir string) error { return os.Symlink("/etc/passwd", filepath.Join(dir, "link")) },
		"no such file":    os.RemoveAll,
	} {
		dir := folder(t)
		gittest.Check(t, spoil(filepath.Join(dir, "hidden")))
		_, err := models.Load(filepath.Join(dir, "m.yaml"), 0)
		if err == nil || !strings.Contains(err.Error(), "m.yaml, a on bowling: ") || !strings.Contains(err.Error(), name) && name != "no such file" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestStore(t *testing.T) {
	t.Parallel()
	run := load(t, folder(t), 0).Runs[0]
	s := models.Store{Root: t.TempDir()}
	claim, err := s.Begin(run)
	gittest.Check(t, err)
	if _, err := s.Begin(run); !errors.Is(err, models.ErrBusy) {
		t.Errorf("claimed twice: %v", err)
	}
	gittest.Write(t, filepath.Join(claim.Dir, "rest", "x"), "of a run that is cut off")
	gittest.Check(t, claim.Release())

	claim, err = s.Begin(run)
	gittest.Check(t, err)
	if _, err := os.Stat(filepath.Join(claim.Dir, "rest")); err == nil {
		t.Error("what was cut off is still there")
	}
	if _, done, err := s.Find(run); done || err != nil {
		t.Errorf("no result is complete: %v", err)
	}
	result := models.Result{Kata: run.Kata, Model: run.Model, Seed: run.Seed, Inputs: run.Inputs, Steps: 3, Exit: 3}
	gittest.Check(t, claim.Keep(result))
	if _, done, err := s.Find(run); done || err != nil {
		t.Errorf("a void result is complete: %v", err)
	}
	result.Exit = 4
	gittest.Check(t, errors.Join(claim.Keep(result), claim.Release()))
	if got, done, err := s.Find(run); !done || err != nil || got.Steps != 3 {
		t.Errorf("%+v %v %v", got, done, err)
	}
	other := run
	other.Inputs = "others"
	if _, _, err := s.Find(other); !errors.Is(err, models.ErrChanged) {
		t.Errorf("a changed matrix: %v", err)
	}
	gittest.Write(t, filepath.Join(s.Dir(run), "result.json"), "{")
	if _, _, err := s.Find(run); err == nil {
		t.Error("a damaged result counts")
	}
}

func TestStoreDeletesNothingOfOthers(t *testing.T) {
	t.Parallel()
	run := load(t, folder(t), 0).Runs[0]
	s := models.Store{Root: t.TempDir()}
	mine := filepath.Join(s.Dir(run), "mine")
	gittest.Write(t, mine, "text")
	if _, err := s.Begin(run); !errors.Is(err, models.ErrForeign) {
		t.Errorf("got %v", err)
	}
	if gittest.Read(t, mine) != "text" {
		t.Error("it is gone")
	}
}

func TestCollect(t *testing.T) {
	t.Parallel()
	runs := load(t, folder(t), 0).Runs
	keep := func(dir string, i, steps int) {
		t.Helper()
		claim, err := models.Store{Root: dir}.Begin(runs[i])
		gittest.Check(t, err)
		r := runs[i]
		gittest.Check(t, claim.Keep(models.Result{Kata: r.Kata, Model: r.Model, Seed: r.Seed, Inputs: r.Inputs, Steps: steps}))
		gittest.Check(t, claim.Release())
	}
	one, two, three := filepath.Join(t.TempDir(), "[odd] name"), t.TempDir(), t.TempDir()
	keep(one, 0, 3)
	keep(two, 0, 3)
	keep(two, 1, 4)
	keep(three, 1, 5)
	all, err := models.Collect(one, two)
	gittest.Check(t, err)
	if len(all) != 2 {
		t.Errorf("got %+v", all)
	}
	if _, err := models.Collect(two, three); err == nil || !strings.Contains(err.Error(), "two results of bowling/a/seed-2") {
		t.Errorf("two results of one run: %v", err)
	}
	if _, err := models.Collect(t.TempDir()); err == nil {
		t.Error("a folder without results")
	}
}

func results() []models.Result {
	return []models.Result{
		{
			Kata: "b", Model: "m", Seed: 2, Reason: models.Done, Steps: 3, Attempts: 5, Refusals: map[string]int{"red": 2}, Seconds: 61,
			Criteria: models.Criteria{Met: 2, All: 2}, Hidden: &models.Hidden{Passed: 3, Failed: 2, Failing: []string{"<script>x</script>\u202e"}},
			Verified: models.Verified{Held: 2, Refused: 1, Why: []string{"1234567 <b>subject</b>: refused"}},
			Roles:    []models.Role{{Name: "tester", In: 1200, Cached: 300, Out: 10, Cost: 0.5}, {Name: "implementor", In: 800, Out: 20, Estimated: true}},
		},
		{Kata: "b", Model: "m", Seed: 1, Reason: "stuck", Exit: 4, Criteria: models.Criteria{Met: 1, All: 2}, Hidden: &models.Hidden{Outcome: "broken", Why: "no package"}},
		{Kata: "a", Model: "m", Seed: 1, Reason: models.Done, Criteria: models.Criteria{Met: 1, All: 1}, Hidden: &models.Hidden{Outcome: "broken"}},
		{Kata: "a", Model: "n", Seed: 1, Reason: "no-answer", Exit: 3, Steps: 7, Attempts: 9},
	}
}

func TestSums(t *testing.T) {
	t.Parallel()
	r := models.Sums(results())
	var order []string
	for _, run := range r.Runs {
		order = append(order, run.Name())
	}
	if got := strings.Join(order, " "); got != "a/m/seed-1 a/n/seed-1 b/m/seed-1 b/m/seed-2" {
		t.Errorf("the order is %s", got)
	}
	m, n := r.Models[0], r.Models[1]
	if m.Runs != 3 || m.Done != 2 || m.Criteria != (models.Criteria{Met: 4, All: 5}) || m.Passed != 3 || m.Hidden != 5 || m.Unbuilt != 2 {
		t.Errorf("m is %+v", m)
	}
	// One commit that does not hold, two hidden tests that fail, and none that could
	// be built where all is said to be met; where the run says itself that something
	// is left, nobody was cheated.
	if m.Cheats != 4 || m.Steps != 3 || m.Attempts != 5 || m.Refusals["red"] != 2 {
		t.Errorf("m is %+v", m)
	}
	if u := m.Used; u.In != 2000 || u.Cached != 300 || u.Out != 30 || !u.Estimated || u.Cost != 0.5 {
		t.Errorf("m used %+v", u)
	}
	if n.Runs != 1 || n.Void != 1 || n.Steps != 0 {
		t.Errorf("a void run counts: %+v", n)
	}
	if len(r.Cells) != 3 || r.Cells[0].Kata != "a" || r.Cells[1].Kata != "b" {
		t.Errorf("the cells are %+v", r.Cells)
	}
}

func TestPage(t *testing.T) {
	t.Parallel()
	var page, again bytes.Buffer
	gittest.Check(t, errors.Join(models.WritePage(&page, models.Sums(results())), models.WritePage(&again, models.Sums(results()))))
	text := page.String()
	if text != again.String() {
		t.Error("the same results make two pages")
	}
	for _, want := range []string{"2 of 3", "0 of 0, 1 void", "3/5, none ran in 2", `<td class="n bad" data-name="cheats">4</td>`, "2\u202f000*", "0.5000", "1m1s", "no-answer, void", "refused by red: 2", "no hidden test ran: no package"} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	for _, bad := range []string{"<script", "<b>subject", "\u202e", "http:", "https:", "src="} {
		if strings.Contains(text, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
}
