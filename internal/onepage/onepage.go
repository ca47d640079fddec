// Package onepage writes HTML pages that stand by themselves: no script, nothing fetched, and
// nothing in them that deceives a reader. All pages share a style and the templates of shared.html:
// "head" and "figures".
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
	t, err := template.New(name).Parse(shared)
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
