package check

import (
	"context"
	"slices"

	"github.com/git-tdd/git-tdd/evidence"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// handlerPattern matches what names a class of errors that are handled, up to the end of its line.
var handlerPattern = lazyregexp.New(`(?m)^[ \t]*(?:\}[ \t]*)?(?:except|rescue|catch)\b[^\n{]*`)

// heirPattern matches the head of a class, with its name and that of the class that it extends.
var heirPattern = lazyregexp.New(`(?m)\b(?:class|struct)[ \t]+(\w+)[ \t]*(?:\((?:[^()\n]*:[^()\n]*)?\)[ \t]*:|\(|<|:(?:[ \t]*public\b)?|extends\b)[ \t]*(?:[\w:.\\]*[:.\\])?(\w+)`)

// mostHeirs is how many classes take the place of the one that is handled.
const mostHeirs = 3

// narrower adds to each source that a change touches the errors that it handles less of what it
// handles: one class of errors in the place of the one that that class extends, of which there
// are others.
func (e *examination) narrower(ctx context.Context, sources []evidence.Source, all []rewriting) error {
	var heirs map[string][]string
	for i, r := range all {
		for _, at := range handlerPattern().FindAllStringIndex(r.now, -1) {
			if !r.added.alters(syntax.Edit{Span: syntax.Span{Start: at[0], End: at[1]}}) {
				continue
			}
			if heirs == nil {
				var err error
				if heirs, err = e.heirs(ctx); err != nil {
					return err
				}
			}
			less := func(r rewriting, code func(string) string) []syntax.Mutant {
				return slices.DeleteFunc(handlesLess(r.now, syntax.Span{Start: at[0], End: at[1]}, heirs), func(m syntax.Mutant) bool {
					return code != nil && code(syntax.Apply(r.now, []syntax.Edit{m.Edit})) == code(r.now) // in a comment
				})
			}
			sources[i].Mutants = append(sources[i].Mutants, e.j.Project.made(r, less)...)
		}
	}
	return nil
}

// handlesLess are the mutants of what names the classes of errors that are handled.
func handlesLess(text string, handler syntax.Span, heirs map[string][]string) (out []syntax.Mutant) {
	for _, at := range tokenPattern().FindAllStringIndex(text[handler.Start:handler.End], -1) {
		span := syntax.Span{Start: handler.Start + at[0], End: handler.Start + at[1]}
		name := text[span.Start:span.End]
		if len(heirs[name]) < 2 {
			continue
		}
		for _, heir := range heirs[name][:min(len(heirs[name]), mostHeirs)] {
			m := syntax.MutantOf(text, syntax.Edit{Span: span, Text: heir}, heir+" for "+name)
			m.Rank = 3
			out = append(out, m)
		}
	}
	return out
}

// heirs are the classes in the sources of a tree that extend another one, by the name of that.
func (e *examination) heirs(ctx context.Context) (map[string][]string, error) {
	out := map[string][]string{}
	err := e.eachSource(ctx, func(_, text string) {
		for _, m := range heirPattern().FindAllStringSubmatch(text, -1) {
			if !slices.Contains(out[m[2]], m[1]) && m[1] != m[2] {
				out[m[2]] = append(out[m[2]], m[1])
			}
		}
	})
	return out, err
}
