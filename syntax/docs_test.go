package syntax_test

import (
	"testing"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// Documentation with an example is brought to the item of the same name, the second to the second.
func TestDocumenting_Bring(t *testing.T) {
	t.Parallel()
	before := syntax.Documenting{
		Block: lazyregexp.New(`(?m)(?:^\s*//.*\n)+`), Example: ">", Item: lazyregexp.New(`(?m)^[ \t]*fn (\w+)`),
	}
	behind := before
	behind.Behind, behind.Item = true, lazyregexp.New(`(?m)^[ \t]*fn (\w+).*\n`)
	for name, c := range map[string]struct {
		how               syntax.Documenting
		was, brings, want string
	}{
		"changed":      {before, "// > 1\nfn a {1}\n", "// > 2\nfn a {2}\n", "// > 2\nfn a {1}\n"},
		"added":        {before, "fn b\nfn a {1}\n", "fn b\n// > 2\nfn a {2}\n", "fn b\n// > 2\nfn a {1}\n"},
		"new":          {before, "fn a {1}\n", "fn a {1}\n// > 2\nfn c\n", "fn a {1}\n"},
		"no example":   {before, "// > 1\nfn a {1}\n", "// none\nfn a {2}\n", "// > 1\nfn a {1}\n"},
		"second":       {before, "fn a {1}\nfn b\nfn a {1}\n", "fn a {2}\nfn b\n// > 2\nfn a {2}\n", "fn a {1}\nfn b\n// > 2\nfn a {1}\n"},
		"not its own":  {before, "fn a {1}\n", "fn b\n// > 2\n\nfn a {2}\n", "fn a {1}\n"},
		"of the file":  {before, "// old\n\nfn a {1}\n", "// > 2\n\nfn a {2}\n", "// > 2\n\nfn a {1}\n"},
		"file's first": {before, "fn a {1}\n", "// > 2\n\nfn a {2}\n", "// > 2\nfn a {1}\n"},
		"new first":    {before, "// > 1\nfn a {1}\n", "// > 2\nfn c\n// > 1\nfn a {1}\n", "// > 1\nfn a {1}\n"},
		"behind":       {behind, "fn a\n// > 1\n{1}\n", "fn a\n// > 2\n{2}\n", "fn a\n// > 2\n{1}\n"},
		"added behind": {behind, "fn a\n{1}\n", "fn a\n// > 2\n{2}\n", "fn a\n// > 2\n{1}\n"},
	} {
		if got := c.how.Bring(c.was, c.brings); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
