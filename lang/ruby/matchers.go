package ruby

import (
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// matcher notes an expectation of RSpec: what is behind to, not_to or should.
func (f *finder) matcher(name syntax.Span, end int) {
	c := syntax.Check{At: syntax.Span{Start: name.Start, End: end}}
	to := map[string]string{"to": "not_to", "not_to": "to", "to_not": "to", "should": "should_not", "should_not": "should"}
	called := f.read(name)
	rest := f.masked[name.End:end]
	if !strings.Contains(rest, ").and ") && !strings.Contains(rest, ".or ") {
		c.Negated = []syntax.Edit{{Span: name, Text: to[called]}}
	}
	if called == "to" || called == "should" {
		c.Altered, c.Values = f.matched(name.End, end)
	}
	if hit := ownMatcherPattern.FindStringIndex(rest); c.Altered == nil && hit != nil && !ofPattern.MatchString(rest) {
		c.Altered, c.Values = f.firstOf(f.arguments(name.End+hit[1]-1, end))
		c.Call = c.Altered != nil
	}
	f.add(c)
}

// ownMatcherPattern matches a call of a matcher that is not RSpec's, as far as can be
// seen: what is expected is among its arguments.
var ownMatcherPattern = lazyregexp.New(`^\s*\(?\s*(?:be_|have_|match_|equal_|eq_)\w+[ (]`)

// matched alters what a matcher expects.
func (f *finder) matched(at, end int) ([]syntax.Edit, []syntax.Span) {
	masked := f.masked[at:end]
	if hit := raisePattern.FindStringSubmatchIndex(masked); hit != nil {
		return f.noError(syntax.Span{Start: at + hit[2], End: at + hit[3]}), nil
	}
	if hit := ofPattern.FindStringIndex(masked); hit != nil && !matcherPattern.MatchString(masked) {
		return f.firstOf(f.arguments(at+hit[1]-1, end))
	}
	if hit := relationPattern.FindStringSubmatchIndex(masked); hit != nil {
		to := map[byte]syntax.Way{'<': syntax.Down, '>': syntax.Up, '=': syntax.Other}[masked[hit[2]]]
		return f.altered(syntax.Span{Start: at + hit[1], End: at + len(strings.TrimRight(masked, " )\n"))}, to)
	}
	if hit := matcherPattern.FindStringIndex(masked); hit != nil {
		return f.firstOf(f.arguments(at+hit[1]-1, end))
	}
	return nil, nil
}
