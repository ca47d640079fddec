package katas

import (
	"errors"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestAll(t *testing.T) {
	t.Parallel()
	files, err := os.ReadDir("data")
	if err != nil {
		t.Fatal(err)
	}
	all := All()
	if len(all) != len(files) {
		t.Errorf("%d katas for %d files", len(all), len(files))
	}
	for _, kata := range all {
		t.Run(kata.Name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile("data/" + kata.Name + ".md")
			if err != nil || string(text) != string(kata.Text) {
				t.Errorf("the text is not that of its file: %v", err)
			}
			if kata.Title == "" || strings.HasPrefix(kata.Title, "#") {
				t.Errorf("title = %q", kata.Title)
			}
			for _, part := range []string{"## Goal", "## Rules", "## Acceptance criteria"} {
				if !strings.Contains(string(text), "\n"+part+"\n") {
					t.Errorf("no %q", part)
				}
			}
			wantCriteria(t, kata)
		})
	}
}

var examplePattern = regexp.MustCompile("`[^`]+`|[0-9]")

// wantCriteria checks for what a strict run needs: a handful of points, each
// with an example or a number that a test can check.
func wantCriteria(t *testing.T, kata Kata) {
	t.Helper()
	if n := len(kata.Criteria); n < 6 || n > 10 {
		t.Errorf("%d criteria, want 6 to 10", n)
	}
	for i, c := range kata.Criteria {
		if c.ID != i+1 || !examplePattern.MatchString(c.Text) || !strings.HasSuffix(c.Text, ".") {
			t.Errorf("criterion %d = %+v", i+1, c)
		}
	}
}

func TestAllIsTheCallersOwn(t *testing.T) {
	t.Parallel()
	first := All()[0]
	first.Text[0] = 'X'
	first.Criteria[0].Text = "changed"
	if again := All()[0]; again.Text[0] == 'X' || again.Criteria[0].Text == "changed" {
		t.Error("a caller changed the katas of everybody")
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"bowling":             "bowling",
		"Bowling":             "bowling",
		" bank_ocr ":          "bank-ocr",
		"Bank OCR":            "bank-ocr",
		"STRING--CALCULATOR":  "string-calculator",
		"roman numerals":      "roman-numerals",
		"Mars\tRover":         "mars-rover",
		"string_-_calculator": "string-calculator",
	} {
		if kata, err := Find(name); err != nil || kata.Name != want {
			t.Errorf("Find(%q) = %q, %v, want %q", name, kata.Name, err, want)
		}
	}
}

func TestFindUnknown(t *testing.T) {
	t.Parallel()
	for name, nearest := range map[string]string{
		"bowlin":                    "bowling",
		"rover":                     "mars-rover",
		"stringcalculator":          "string-calculator",
		"ocr":                       "bank-ocr",
		"roman":                     "roman-numerals",
		"":                          "bowling",
		strings.Repeat("x", 10_000): "string-calculator",
	} {
		_, err := Find(name)
		if !errors.Is(err, ErrUnknown) {
			t.Errorf("Find(%q) = %v, want ErrUnknown", name, err)
			continue
		}
		if want := "did you mean " + nearest + "?"; name != "" && len(name) < 100 && !strings.Contains(err.Error(), want) {
			t.Errorf("Find(%q) = %v, want %q in it", name, err, want)
		}
		for _, kata := range All() {
			if !strings.Contains(err.Error(), kata.Name) {
				t.Errorf("Find(%q) = %v, want %s named", name, err, kata.Name)
			}
		}
		if len(err.Error()) > 300 {
			t.Errorf("an error of %d bytes", len(err.Error()))
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("bowling")
	f.Add("Bank\u00a0OCR\x00")
	f.Fuzz(func(t *testing.T, name string) {
		kata, err := Find(name)
		if err != nil && (!errors.Is(err, ErrUnknown) || kata.Name != "") {
			t.Errorf("Find(%q) = %+v, %v", name, kata, err)
		}
		if err != nil && strings.ContainsFunc(err.Error(), unicode.IsControl) {
			t.Errorf("raw control characters: %q", err)
		}
		if err == nil && !slices.ContainsFunc(All(), func(k Kata) bool { return k.Name == kata.Name }) {
			t.Errorf("Find(%q) = %q", name, kata.Name)
		}
	})
}
