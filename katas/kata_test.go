package katas

import (
	"bytes"
	"errors"
	"os"
	"regexp"
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
	if len(Names()) != len(files) {
		t.Errorf("%d katas for %d files", len(Names()), len(files))
	}
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := Find(name)
			if err != nil {
				t.Fatal(err)
			}
			if title := Title(text); title == "" || strings.HasPrefix(title, "#") {
				t.Errorf("title = %q", title)
			}
			for _, part := range []string{"## Goal", "## Rules", "## Acceptance criteria"} {
				if !strings.Contains(string(text), "\n"+part+"\n") {
					t.Errorf("no %q", part)
				}
			}
			wantCriteria(t, ParseCriteria(text))
		})
	}
}

var examplePattern = regexp.MustCompile("`[^`]+`|[0-9]")

// wantCriteria checks for what a strict run needs: a handful of points, each
// with an example or a number that a test can check.
func wantCriteria(t *testing.T, criteria []Criterion) {
	t.Helper()
	if n := len(criteria); n < 6 || n > 10 {
		t.Errorf("%d criteria, want 6 to 10", n)
	}
	for i, c := range criteria {
		if c.ID != i+1 || !examplePattern.MatchString(c.Text) || !strings.HasSuffix(c.Text, ".") {
			t.Errorf("criterion %d = %+v", i+1, c)
		}
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
		text, err := os.ReadFile("data/" + want + ".md")
		if kata, err2 := Find(name); err != nil || err2 != nil || !bytes.Equal(kata, text) {
			t.Errorf("Find(%q) = %.40q, %v %v, want %q", name, kata, err, err2, want)
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
		for _, known := range Names() {
			if !strings.Contains(err.Error(), known) {
				t.Errorf("Find(%q) = %v, want %s named", name, err, known)
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
		if err != nil && (!errors.Is(err, ErrUnknown) || len(kata) > 0) {
			t.Errorf("Find(%q) = %.40q, %v", name, kata, err)
		}
		if err != nil && strings.ContainsFunc(err.Error(), unicode.IsControl) {
			t.Errorf("raw control characters: %q", err)
		}
		if err == nil && len(kata) == 0 {
			t.Errorf("Find(%q) is empty", name)
		}
	})
}
