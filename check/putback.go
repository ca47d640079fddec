package check

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun"
)

// putBacks are the parts of a change to one source, each put back by itself as it was:
// every run of lines, with the import of a name that only it used, and every line of a longer
// one that resembles one of before. Where no test notices that, none asks for this part of the change.
func putBacks(r rewriting, code func(string) string) []syntax.Mutant {
	var edits, operators []syntax.Edit
	all := hunks(r.was, r.now)
	moved := func(h hunk) bool {
		return len(h.now) == 0 && slices.ContainsFunc(all, func(other hunk) bool { return gates.Among(h.was, other.now) })
	}
	for _, h := range slices.DeleteFunc(slices.Clone(all), func(h hunk) bool { return h.dropsDeclaration() || moved(h) }) {
		for _, e := range append([]syntax.Edit{h.back()}, h.linesBack()...) {
			if letterPattern().MatchString(r.now[e.Start:e.End] + e.Text) { // and not only brackets
				edits = append(edits, e)
			}
		}
		operators = append(operators, h.operatorsBack()...)
	}
	for i, e := range edits {
		edits[i] = withImport(e, all, r.now)
	}
	return slices.Concat(backs(r, code, edits), alone(r, code, operators, edits))
}

// alone are the edits of operators that do not make of a line what another edit makes of it.
func alone(r rewriting, code func(string) string, operators, edits []syntax.Edit) []syntax.Mutant {
	result := func(e syntax.Edit) string { return syntax.Apply(r.now, []syntax.Edit{e}) }
	out := backs(r, code, slices.DeleteFunc(operators, func(e syntax.Edit) bool {
		return slices.ContainsFunc(edits, func(o syntax.Edit) bool { return result(o) == result(e) })
	}))
	for i, m := range out {
		out[i].Lines, out[i].What = false, m.Edit.Text+" for "+r.now[m.Edit.Start:m.Edit.End]
	}
	return out
}

// withImport puts lines back, and with them the hunk before them that took away a name by which
// they call what another file holds.
func withImport(e syntax.Edit, all []hunk, now string) syntax.Edit {
	for _, h := range all {
		first, came := h.back(), strings.Join(h.now, "")
		lost := slices.DeleteFunc(words(first.Text), func(w string) bool { return slices.Contains(words(came), w) })
		if first.End <= e.Start && len(lost) > 0 && gates.Among(lost, words(e.Text)) && bindingPattern().MatchString(first.Text) && bindingPattern().MatchString(came) {
			return syntax.Edit{Span: syntax.Span{Start: first.Start, End: e.End}, Text: first.Text + now[first.End:e.Start] + e.Text}
		}
	}
	return e
}

// wholeBack is a change to one source put back as a whole: a part of it alone may not build.
func wholeBack(r rewriting, code func(string) string) []syntax.Mutant {
	all := lines(r.now)
	a, b, same := unlike(lines(r.was), all)
	h := hunk{len(strings.Join(all[:same], "")), a, b}
	return backs(r, code, []syntax.Edit{h.back()})
}

// backs are the edits that put back more than names of what other files hold.
func backs(r rewriting, code func(string) string, edits []syntax.Edit) (out []syntax.Mutant) {
	if strings.TrimSpace(r.was) == "" {
		return nil
	}
	now := r.now
	for _, e := range edits {
		put, line := syntax.Apply(now, []syntax.Edit{e}), now[e.Start:e.End]
		if code == nil || code(put) != code(now) && !imports(now, e.Start, line, e.Text, code) && !imports(put, e.Start, e.Text, line, code) {
			m := syntax.MutantOf(now, e, "what was there before")
			m.Rank, m.Lines = -1, true
			out = append(out, m)
		}
	}
	return out
}

// back puts all lines of a hunk back.
func (h hunk) back() syntax.Edit {
	return syntax.Edit{Span: syntax.Span{Start: h.start, End: h.start + len(strings.Join(h.now, ""))}, Text: strings.Join(h.was, "")}
}

// linesBack puts each line of a longer hunk back that resembles one of before, and is more than
// that one, moved to the right or left.
func (h hunk) linesBack() (out []syntax.Edit) {
	at := h.start
	for _, line := range h.now {
		if old := resembling(line, h.was); old != "" && strings.TrimSpace(old) != strings.TrimSpace(line) && len(h.was)+len(h.now) > 2 {
			out = append(out, syntax.Edit{Span: syntax.Span{Start: at, End: at + len(line)}, Text: old})
		}
		at += len(line)
	}
	return out
}

// letterPattern matches what names and numbers are made of.
var letterPattern = lazyregexp.New(`[\p{L}\d_]`)

// operatorPattern matches an operator between blanks.
var operatorPattern = lazyregexp.New(`\s([-+*/%&|^<>=!?]+)\s`)

// operatorsBack puts the operator back of each line that resembles one of before in which only one
// is another: = for +=. The line as it was may not build any longer.
func (h hunk) operatorsBack() (out []syntax.Edit) {
	at := h.start
	for _, line := range h.now {
		old := resembling(line, h.was)
		was, now := operatorPattern().FindAllStringSubmatch(old, -1), operatorPattern().FindAllStringSubmatchIndex(line, -1)
		var differ []syntax.Edit
		for i := range min(len(was), len(now)) {
			if span := now[i][2:4]; was[i][1] != line[span[0]:span[1]] {
				differ = append(differ, syntax.Edit{Span: syntax.Span{Start: at + span[0], End: at + span[1]}, Text: was[i][1]})
			}
		}
		if len(was) == len(now) && len(differ) == 1 {
			out = append(out, differ...)
		}
		at += len(line)
	}
	return out
}

// dropsDeclaration reports whether a hunk only takes lines away, which begin with the
// declaration of a function or type that stands in no other one: nobody calls it any longer.
func (h hunk) dropsDeclaration() bool {
	head, _, _ := strings.Cut(strings.TrimLeft(strings.Join(h.was, ""), "\n"), "\n")
	return strings.TrimSpace(strings.Join(h.now, "")) == "" && head == strings.TrimSpace(head) && len(gates.DeclaredNames(head)) > 0
}

// documentationPattern matches a line of documentation behind slashes, which some tools read
// as code, and no test is asked for.
var documentationPattern = lazyregexp.New(`(?m)^[ \t]*//[/!].*$`)

// codeOf is what a source does something by; nil if its language cannot tell.
func codeOf(reader testrun.Syntax) func(string) string {
	if reader.Code == nil {
		return nil
	}
	return func(text string) string {
		if reader.Erased != nil {
			for _, s := range slices.Backward(reader.Erased(text)) {
				text = text[:s.Start] + text[s.End:]
			}
		}
		return reader.Code(documentationPattern().ReplaceAllString(text, ""))
	}
}

// bindingPattern matches what only gives names to what other files hold, or tells tools
// something about what follows.
var bindingPattern = lazyregexp.New(`(?m)^[ \t]*(?:import (?:static |type )?(?:[\w$., *]+|(?:[\w$]+, *)?\{[\w$,* \n]*\})(?: from (?:'[^'\n]+'|"[^"\n]+"))?;?|from [\w.]+ import (?:\([^()]*\)|[\w, *]+)|__all__ \+?= [\[(][^\[\]()]*[\])]|` +
	`(?:pub )?use [\w\\:, *]+(?:\{[\w\\:{}, *\n]*\})?;|using [\w.:]+;|# *include *(?:<[^>\n]+>|"[^"\n]+")|(?:const|let|var) (?:[\w$]+|\{[\w$,: \n]*\}) = require\((?:'[^'\n]+'|"[^"\n]+")\);?|` +
	`require(?:_relative)? (?:'[^'\n]+'|"[^"\n]+")|@(?:Override|override|FunctionalInterface|Nullable|NonNull|NotNull|(?:SuppressWarnings|Deprecated)(?:\([^()\n]*\))?)|` +
	`#!?\[(?:allow|expect|warn|deny|inline|must_use|doc)\b[^\]\n]*\]|\[\[(?:nodiscard|maybe_unused)\]\])[ \t]*$`)

// imports reports whether the part of a text that begins at a byte does nothing but bind
// names, and takes the place of nothing, or of more or fewer of the same. In code a second
// space changes nothing; in a string it does.
func imports(text string, start int, part, instead string, code func(string) string) bool {
	a, b := words(part), words(instead)
	if len(a) == 0 || !gates.Among(a, b) && !gates.Among(b, a) {
		return false
	}
	spans, at := bindingPattern().FindAllStringIndex(text, -1), start
	for line := range strings.Lines(part) {
		first, last := at+gates.Indent(line), at+len(strings.TrimRight(line, " \t\r\n"))
		at += len(line)
		if first < last && !slices.ContainsFunc(spans, func(s []int) bool { return s[0] <= first && last <= s[1] }) {
			return false
		}
	}
	return code(text[:start]+strings.ReplaceAll(part, " ", "  ")+text[start+len(part):]) == code(text)
}

// resembling is the line that shares the most words with another one, and at least half
// of them; empty if there is none.
func resembling(line string, among []string) (best string) {
	most := 0.5
	for _, other := range among {
		a, b := words(line), words(other)
		if likeness := 2 * float64(min(len(shared(a, b)), len(shared(b, a)))) / float64(max(1, len(a)+len(b))); likeness > most {
			best, most = other, likeness
		}
	}
	return best
}

// words are the words of a line and whatever else is no white space.
func words(line string) []string {
	return slices.DeleteFunc(tokenPattern().FindAllString(line, -1), func(t string) bool { return strings.TrimSpace(t) == "" })
}
