package evidence

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
)

// Side is the tests of a tree, what they showed, and how they are run.
type Side struct {
	Files []File
	Plain gates.Facts
	Run   Run
	Until time.Time // by when all is asked, but for what is asked first; never for the zero time
}

// maxAnswers is how many tests that answer otherwise are named.
const maxAnswers = 3

// Answers finds tests that end otherwise on two trees when they are given other inputs
// than they spell out: they pass there, fail by what they assert with another message, or
// raise something where a value was returned. What is altered is the values in the text of
// the tests that no check expects, in at most so many rounds; decisive are those at which
// the sources may decide. A difference must show twice. Messages that differ in the
// order of what stands between commas, in addresses, or in numbers of lines say the same.
func Answers(ctx context.Context, was, now Side, decisive []string, rounds int) ([]gates.Answer, error) {
	in := inputs{}
	for _, v := range decisive {
		if text, is := strings.CutPrefix(v, `"`); !is {
			in.numbers = append(in.numbers, v)
		} else if text != "" && !strings.ContainsAny(text, "\"'"+special) {
			in.texts = append(in.texts, text)
		}
	}
	ways := in.manners()
	return asked(ctx, was, now, in, ways[:min(rounds, len(ways))])
}

// Remembers finds tests that end otherwise on two trees when what they ask is asked before,
// too.
func Remembers(ctx context.Context, was, now Side) ([]gates.Answer, error) {
	return asked(ctx, was, now, inputs{}, []manner{twice, again, early})
}

// Strays does what [Answers] does, in at most so many rounds, with inputs at which no source
// decides: a change that is meant to be one decides at some.
func Strays(ctx context.Context, was, now Side, rounds int) ([]gates.Answer, error) {
	ways := []manner{toContrary, toOther, toNone, toNear}
	return asked(ctx, was, now, inputs{}, ways[:min(rounds, len(ways))])
}

// asked asks in some manners the tests that both trees have, until something is answered otherwise.
func asked(ctx context.Context, was, now Side, in inputs, ways []manner) ([]gates.Answer, error) {
	was.Plain, now.Plain = alike(was, now), alike(now, was)
	var took time.Duration // by the last one
	for _, manner := range ways {
		began := time.Now()
		if !now.Until.IsZero() && took > 0 && began.Add(took).After(now.Until) {
			break
		}
		in.manner = manner
		out, err := otherwise(ctx, was, now, in)
		if err != nil || len(out) > 0 {
			return out, err
		}
		took = time.Since(began)
	}
	return nil, nil
}

// otherwise asks one round of questions.
func otherwise(ctx context.Context, was, now Side, in inputs) ([]gates.Answer, error) {
	first, err := both(ctx, was, now, in, "")
	if err != nil || len(first) == 0 {
		return nil, err
	}
	second, err := both(ctx, was, now, in, onceMore)
	var out []gates.Answer
	for _, d := range first {
		again := slices.ContainsFunc(second, func(o differs) bool {
			return o.now.ID == d.now.ID && answer(o.was) == answer(d.was) && answer(o.now) == answer(d.now)
		})
		if g := find(now.Files, d.now); again && g != nil && len(out) < maxAnswers {
			out = append(out, gates.Answer{Test: d.now.ID, How: in.manner.String(), Was: told(d.was), Now: told(d.now), At: g.asked(in)})
		}
	}
	return out, err
}

// differs is a test that answered before, and answers otherwise now.
type differs struct{ was, now gates.Test }

// both asks both sides; nothing differs where one of them does not come to its end.
func both(ctx context.Context, was, now Side, in inputs, again string) (out []differs, err error) {
	before, err := was.ask(ctx, in, again)
	if err != nil || !before.Complete() {
		return nil, err
	}
	after, err := now.ask(ctx, in, again)
	if err != nil || !after.Complete() {
		return nil, err
	}
	for _, t := range before.Tests {
		_, of := was.Plain.Lookup(t.ID)
		if now, ran := after.Lookup(t.ID); of && ran && answer(t) != "" && answer(t) != answer(now) {
			out = append(out, differs{t, now})
		}
	}
	return out, nil
}

// ask runs the tests of a side with other inputs; nothing is shown where they have none.
func (s Side) ask(ctx context.Context, in inputs, again string) (gates.Facts, error) {
	edits := map[*File][]syntax.Edit{}
	var tests []gates.Test
	for _, t := range s.Plain.With(gates.StatusPassed) {
		if g := find(s.Files, t); g != nil {
			edits[g.file] = append(edits[g.file], g.altered(in)...)
			tests = append(tests, t)
		}
	}
	files := apply(edits)
	if len(files) == 0 {
		return gates.Facts{}, nil
	}
	return s.Run(ctx, Question{Files: files, Tests: tests, For: again, Hasty: true})
}

// placePattern finds where something lies in memory, or stands in a file, and what Ruby shows of
// an object that has no form of its own: how it is made inside.
var placePattern = lazyregexp.New(`#<[\w:]+:0x[0-9a-f]+ .*>|\b0x[0-9a-f]+|\.\w+:\d+(?::\d+)?|\bline \d+`)

// answer is how a test ended, and what it says of a value; empty where it tells of none.
func answer(t gates.Test) string {
	if t.Status != gates.StatusPassed && t.Class != gates.ClassAssertion {
		return ""
	}
	var out []string
	for line := range strings.Lines(placePattern().ReplaceAllString(gates.Cause(t.Message), "")) {
		parts := strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(",{}[]()", r) }) // in no order, as of a map
		for i := range parts {
			parts[i] = strings.Join(strings.Fields(parts[i]), " ")
		}
		slices.Sort(parts)
		out = append(out, strings.Join(parts, ", "))
	}
	slices.Sort(out) // as where a test goes through a map
	return string(t.Status) + "\n" + strings.Join(out, "\n")
}

// told is how a test ended, in one line.
func told(t gates.Test) string {
	if t.Status == gates.StatusPassed {
		return "it passes"
	}
	text := gates.Gist(t.Message)
	if strings.HasSuffix(text, ":") { // what differs is in the next lines
		text = gates.Cause(t.Message)
	}
	return gates.Clip(strings.Join(strings.Fields(text), " "), 160)
}

// asked is the first input of a test in its line: as it is, and as it was made.
func (g *graded) asked(in inputs) gates.Mutant {
	edits := g.altered(in)
	if len(edits) == 0 {
		return gates.Mutant{}
	}
	text, at := g.file.Content, edits[0]
	m := gates.Mutant{Path: g.file.Path, Line: syntax.MutantOf(text, at, "").Line, What: text[at.Start:at.End] + " made " + at.Text}
	if m.Was, m.Now = differing(text, syntax.Apply(text, edits)); in.manner <= early {
		m.Was, m.Now = nothing, at.Text
	}
	return m
}

// altered makes the inputs that the text of a test spells out others.
func (g *graded) altered(in inputs) []syntax.Edit {
	if more := map[manner]func() []syntax.Edit{twice: g.doubled, again: g.repeated, early: g.hastened}[in.manner]; more != nil {
		return more()
	}
	expected := g.expects()
	free := slices.DeleteFunc(g.literals(), func(at syntax.Span) bool {
		return slices.ContainsFunc(expected, func(s syntax.Span) bool { return overlap(s, at) })
	})
	texts := gates.Each(free, func(at syntax.Span) string { return g.file.Content[at.Start:at.End] })
	var out []syntax.Edit
	for i, at := range free {
		if other := in.instead(texts, i); other != "" {
			out = append(out, syntax.Edit{Span: at, Text: other})
		}
	}
	return out
}

// expects is where the checks in a test's file have what they compare with.
func (g *graded) expects() []syntax.Span {
	var out []syntax.Span
	for _, c := range g.file.Checks {
		out = append(out, c.Written()...)
		for _, e := range c.Altered {
			out = append(out, listAround(g.file.Content, e.Span, c.At))
		}
	}
	return out
}

// listAround is the list or object of which a value is a part, with all that it is itself a part
// of within a check; the value's own place if it is of none.
func listAround(text string, value, check syntax.Span) syntax.Span {
	if value.Start < check.Start || value.End > check.End {
		return value
	}
	first, closed := value.Start, 0
	for at := value.Start - 1; at >= check.Start && (text[at] != '(' || closed > 0); at-- {
		switch {
		case strings.IndexByte(")]}", text[at]) >= 0:
			closed++
		case strings.IndexByte("([{", text[at]) >= 0 && closed > 0:
			closed--
		case text[at] == '[' || text[at] == '{':
			first = at
		}
	}
	if end := closing(text[:check.End], first); first < value.Start && end > 0 {
		return syntax.Span{Start: first, End: end}
	}
	return value
}

// closing is the place behind the bracket that closes the one at a place; 0 if none does.
func closing(text string, at int) int {
	open := 0
	for ; at < len(text); at++ {
		if strings.IndexByte("([{", text[at]) >= 0 {
			open++
		} else if strings.IndexByte(")]}", text[at]) >= 0 {
			open--
		}
		if open == 0 {
			return at + 1
		}
	}
	return 0
}

// skippedPattern matches the line before what is no input: a key by which something is
// looked up, the rest of a number, a comment.
var skippedPattern = lazyregexp.New(`[\w)\]]\[$|[\w)]\.$|//|(?:^|\s)#`)

// literals are the numbers and texts that a test spells out, but for its own name.
func (g *graded) literals() []syntax.Span {
	text := g.file.Content
	from, to := g.lines()
	var out []syntax.Span
	for _, at := range literalPattern().FindAllStringIndex(text[from:to], -1) {
		s := syntax.Span{Start: from + at[0], End: from + at[1]}
		before := text[strings.LastIndexByte(text[:s.Start], '\n')+1 : s.Start]
		if !skippedPattern.MatchString(before) && strings.Trim(text[s.Start:s.End], "\"'") != g.name {
			out = append(out, s)
		}
	}
	return out
}

// lines is where the text of a test begins and ends.
func (g *graded) lines() (from, to int) {
	text := g.file.Content
	first, last := gates.OwnLines(text, g.name)
	from, to = lineAt(text, first), lineAt(text, last)
	if own := g.own(); len(own) > 0 && own[0].Body.End > 0 {
		from, to = min(from, own[0].Body.Start), max(to, own[0].Body.End)
	}
	return from, to
}

// lineAt is where a line of a text begins, counted from zero.
func lineAt(text string, n int) int {
	lines := strings.SplitAfter(text, "\n")
	return len(strings.Join(lines[:min(n, len(lines))], ""))
}
