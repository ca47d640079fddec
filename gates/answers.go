package gates

import "fmt"

// Answer is a test that, given other inputs than those that it spells out, ends otherwise
// with the sources of now than with those of before.
type Answer struct {
	Test     string
	Was, Now string // how it ended, in words
	At       Mutant // the input that was altered, or the first of them
}

// AsksForSameAnswers reports whether a commit may not change what the program does, also
// where no test asks.
func (c *Case) AsksForSameAnswers() bool {
	return c.Special == Ordinary && len(c.Merged) == 0 && c.Reverts == nil && (c.Preserves() || !inLoop(c) && c.FixupOf == "")
}

// otherAnswers tells of sources that answer otherwise than before where no test asks. It
// refuses nothing: what nobody asked for may be meant, and a message may differ by chance.
func otherAnswers(c *Case) []Finding {
	var out []Finding
	for _, a := range c.Answers {
		out = append(out, Finding{
			Path: a.At.Path, Line: a.At.Line, Test: a.Test, Mutant: a.At, Note: true,
			Seen:   fmt.Sprintf("no test asks for it, but the program does something else now: with other values in this test, before: %s; now: %s", a.Was, a.Now),
			Remedy: "let it do what it did, or demand the new answer by a test that fails first (feat: or fix:)",
		})
	}
	return out
}
