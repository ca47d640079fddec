// Package onepage writes HTML pages that stand by themselves: no script, nothing fetched, and
// nothing in them that deceives a reader. All pages share a style and the templates of shared.html:
// "head", "figures", "filter", and "markdown" for what people wrote.
package onepage

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the style and what pages share
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/internal/clean"
)

//go:embed shared.html
var shared string

//go:embed style.css
var style string

// Head is what a page's template passes to the template "head".
type Head struct {
	Title string
	CSS   template.CSS
	Hash  string // of the CSS, as the page's Content-Security-Policy names it
}

// NewHead is the head of a page, with what its style, the program's own, adds to the shared one.
func NewHead(title, css string) Head {
	css = style + css
	sum := sha256.Sum256([]byte(css))
	return Head{Title: title, CSS: template.CSS(css), Hash: base64.StdEncoding.EncodeToString(sum[:])} //nolint:gosec // see above
}

// Figure is a number that sums a page up.
type Figure struct{ Value, Name, Detail string }

// Parse reads the template of a page, and those in other files that it uses.
func Parse(files fs.FS, name string, others ...string) (*template.Template, error) {
	t := template.New(name).Funcs(template.FuncMap{"markdown": Markdown, "inline": inline})
	t, err := t.Parse(shared)
	if err == nil {
		t, err = t.ParseFS(files, append(others, name)...)
	}
	if err != nil {
		return nil, fmt.Errorf("read the page: %w", err)
	}
	return t, nil
}

// Write writes a page that was drawn.
func Write(w io.Writer, page []byte) error {
	if _, err := w.Write(page); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

// Draw fills in a page.
func Draw(t *template.Template, data any) ([]byte, error) {
	var page bytes.Buffer
	if err := t.Execute(&page, data); err != nil {
		return nil, fmt.Errorf("draw the page: %w", err)
	}
	return []byte(clean.Text(page.String())), nil
}

// Filter lets a reader choose which items of a list are shown: without a script, by
// the style alone, so the items carry the classes that [NewFilter] returns.
type Filter struct {
	Name    string // of its own on the page
	Choices []Choice
}

// Choice is one of a filter: it shows the items of a kind.
type Choice struct {
	Name  string
	Key   string // empty for all
	Count int
}

// NewFilter makes a filter for items, of each of which the kinds are given, and the
// classes of each item. Kinds of which there is no item, or that all are of, are no choice.
func NewFilter(name string, kinds []string, items [][]string) (Filter, []string) {
	f, classes := Filter{Name: name}, make([]string, len(items))
	for _, kind := range kinds {
		c := Choice{Name: kind, Key: strconv.Itoa(len(f.Choices) + 1)}
		with := make([]int, 0, len(items))
		for i, of := range items {
			if slices.Contains(of, kind) {
				with = append(with, i)
			}
		}
		if c.Count = len(with); c.Count == 0 || c.Count == len(items) {
			continue
		}
		for _, i := range with {
			classes[i] = strings.TrimSpace(classes[i] + " f" + c.Key)
		}
		f.Choices = append(f.Choices, c)
	}
	if f.Choices != nil {
		f.Choices = slices.Insert(f.Choices, 0, Choice{Name: "all", Count: len(items)})
	}
	return f, classes
}

// Short is a text on one line of at most n characters.
func Short(text string, n int) string {
	text = clean.Text(strings.Join(strings.Fields(text), " "))
	count := 0
	for i := range text {
		if count++; count > n {
			return text[:i] + "…"
		}
	}
	return text
}

// Thousands is a number with its digits in groups.
func Thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}

// Count is a number of things.
func Count(n int, what string) string { return strconv.Itoa(n) + " " + Plural(n, what) }

// Plural is the word for so many things.
func Plural(n int, what string) string {
	if n == 1 {
		return what
	}
	return what + "s"
}

// Lasted is a duration as people say it; empty if it is not known.
func Lasted(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < time.Second:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d < time.Minute:
		return fmt.Sprintf("%.0f s", d.Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%d min %d s", int(d.Minutes()), int(d.Seconds())%60)
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h %d min", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%d days", int(d.Hours())/24)
}
