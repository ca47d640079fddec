package commitmsg

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Rules says what is required in addition to the format that everybody must follow.
type Rules struct {
	// RequireSections requires the sections Context, Rationale, Diff summary and
	// Verification, which agents must write.
	RequireSections bool
	// Type is the type of the example for a malformed header; empty: test.
	Type string
}

// Violation is one rule that a message breaks.
type Violation struct {
	Seen   string // what the message says, quoted and shortened
	Remedy string // what to do about it
}

// maxSubject is the longest subject, in runes.
const maxSubject = 100

// Check checks a message against the format; no violations mean that it is
// accepted. The subjects that git itself writes (see [Special]) are exempt from
// the rules on headers.
func (m Message) Check(rules Rules) []Violation {
	var broken []Violation
	if _, special := Special(m.Subject); !special {
		broken = m.checkHeader(cmp.Or(rules.Type, "test"))
	}
	broken = append(broken, m.checkLookalikes()...)
	broken = append(broken, m.checkBreaking()...)
	if rules.RequireSections {
		broken = append(broken, m.checkSections()...)
	}
	return broken
}

func (m Message) checkHeader(example string) []Violation {
	var broken []Violation
	if n := utf8.RuneCountInString(m.Subject); n > maxSubject {
		broken = append(broken, Violation{
			Seen:   fmt.Sprintf("the subject has %d characters: %.120q", n, m.Subject),
			Remedy: fmt.Sprintf("say it in at most %d characters and put the rest into the body", maxSubject),
		})
	}
	h, wrong := readHeader(m.Subject)
	if wrong != "" {
		return append(broken, Violation{
			Seen:   fmt.Sprintf("the subject %.120q is not a conventional header (%s)", m.Subject, wrong),
			Remedy: headerForm(example),
		})
	}
	return append(broken, h.check()...)
}

func (h Header) check() []Violation {
	var broken []Violation
	types := []string{"feat", "fix", "test", "refactor", "perf", "docs", "chore", "style", "ci", "build", "revert"}
	if !slices.Contains(types, h.Type) {
		remedy := "use one of " + strings.Join(types, ", ")
		if lower := strings.ToLower(h.Type); slices.Contains(types, lower) {
			remedy = fmt.Sprintf("write it in lower case: %q", lower)
		}
		broken = append(broken, Violation{Seen: fmt.Sprintf("the type %q", h.Type), Remedy: remedy})
	}
	if strings.HasSuffix(h.Summary, ".") {
		broken = append(broken, Violation{
			Seen:   fmt.Sprintf("the summary ends with a full stop: %.120q", h.Summary),
			Remedy: "leave the full stop out",
		})
	}
	return broken
}

// checkLookalikes refuses lines that a reader would take for one of our trailers although git does not.
func (m Message) checkLookalikes() []Violation {
	var broken []Violation
	for _, line := range slices.Concat(strings.Split(m.Body, "\n"), m.suspects) {
		if isLookalike(line) {
			broken = append(broken, Violation{
				Seen: fmt.Sprintf("%.120q stands outside the trailers", strings.TrimSpace(line)),
				Remedy: "remove the line or, to quote it, set it in `backquotes`; " +
					"trailers stand in one last paragraph of nothing but trailers, with a blank line before it",
			})
		}
	}
	return broken
}

func isLookalike(line string) bool {
	const prefix = "tdd-"
	line = strings.TrimSpace(line)
	return len(line) >= len(prefix) && strings.EqualFold(line[:len(prefix)], prefix) && separator(line) > 0
}

// checkBreaking refuses the one spelling in the specification that keeps git
// from seeing any trailers in the last paragraph.
func (m Message) checkBreaking() []Violation {
	lines := m.suspects
	if len(m.Trailers) == 0 {
		lines = append(lastParagraph(m.Body), lines...)
	}
	i := slices.IndexFunc(lines, isBreaking)
	if i < 0 {
		return nil
	}
	return []Violation{{
		Seen:   fmt.Sprintf("%.120q in the last paragraph: git takes no line with a space in its key for a trailer", strings.TrimSpace(lines[i])),
		Remedy: `write "BREAKING-CHANGE:" with a hyphen`,
	}}
}

func isBreaking(line string) bool {
	rest, ok := strings.CutPrefix(line, "BREAKING CHANGE")
	return ok && strings.HasPrefix(strings.TrimLeft(rest, " \t"), ":")
}

func lastParagraph(body string) []string {
	lines := strings.Split(body, "\n")
	first := len(lines)
	for first > 0 && !isBlank(lines[first-1]) {
		first--
	}
	return lines[first:]
}

// suspectsIn returns the lines, from the trailers on, that checkLookalikes and
// checkBreaking must see and that Message does not hold elsewhere.
func suspectsIn(lines string) []string {
	var found []string
	for line := range strings.Lines(lines) {
		if isIndented(line) && isLookalike(line) || isBreaking(line) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

func (m Message) checkSections() []Violation {
	var broken []Violation
	for _, title := range []string{"Context", "Rationale", "Diff summary", "Verification"} {
		if s, _ := m.Section(title); len(s.Items) == 0 {
			broken = append(broken, Violation{
				Seen:   fmt.Sprintf("the body has no section %q with an item", title),
				Remedy: fmt.Sprintf("write a line %q and below it at least one line %q", title+":", "- …"),
			})
		}
	}
	return broken
}
