// Package onepage writes HTML pages that stand by themselves: no script, nothing
// fetched, and nothing in them that deceives a reader.
package onepage

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // the head
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"io/fs"

	"github.com/git-tdd/git-tdd/internal/clean"
)

//go:embed head.html
var head string

// Head is what a page's template passes to the template "head".
type Head struct {
	Title string
	CSS   template.CSS
	Hash  string // of the CSS, as the page's Content-Security-Policy names it
}

// NewHead is the head of a page with a style. The style is the program's own.
func NewHead(title, css string) Head {
	sum := sha256.Sum256([]byte(css))
	return Head{Title: title, CSS: template.CSS(css), Hash: base64.StdEncoding.EncodeToString(sum[:])} //nolint:gosec // see above
}

// Parse reads the template of a page, which may use "head".
func Parse(files fs.FS, name string) (*template.Template, error) {
	t, err := template.New(name).Parse(head)
	if err == nil {
		t, err = t.ParseFS(files, name)
	}
	if err != nil {
		return nil, fmt.Errorf("read the page: %w", err)
	}
	return t, nil
}

// Write fills in a page, whole or not at all, and returns its length in bytes.
func Write(w io.Writer, t *template.Template, data any) (int, error) {
	var page bytes.Buffer
	if err := t.Execute(&page, data); err != nil {
		return 0, fmt.Errorf("write the page: %w", err)
	}
	n, err := io.WriteString(w, clean.Text(page.String()))
	if err != nil {
		return n, fmt.Errorf("write the page: %w", err)
	}
	return n, nil
}
