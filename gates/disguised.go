package gates

import (
	"fmt"
	"slices"
	"strings"
)

// lookalikes are letters of other scripts that print as Latin ones, each before that one. See
// the skeletons of https://www.unicode.org/reports/tr39/.
const lookalikes = "аaеeоoрpсcхxуyіiјjѕsһhԁdԛqԝwАAВBЕEКKМMНHОOРPСCТTХXІIЈJЅSοoΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX"

// disguised tells of names that come with a commit and print as another one of their file. It
// refuses them of an agent.
func disguised(c *Premise) []Finding {
	var out []Finding
	for _, f := range c.Change.Files {
		if f.New == nil || f.New.Binary {
			continue
		}
		was, text := sideOf(f.Old).Source+sideOf(f.Old).Test, f.New.Source+f.New.Test
		for _, line := range moreLines(text, was) {
			if seen := disguise(line, text); seen != "" {
				out = append(out, Finding{
					Path: f.New.Path, Note: !c.Agent, Seen: seen, Remedy: "write it in letters of one script",
					Line: 1 + slices.Index(trimmed(text), line),
				})
			}
		}
	}
	return out
}

// disguise says which name in a line of a text prints as another one of that text; it is empty
// if none does.
func disguise(line, text string) string {
	if isASCII(line) {
		return ""
	}
	latin := strings.NewReplacer(strings.Split(lookalikes, "")...)
	for _, word := range Identifiers(line) {
		if as := latin.Replace(word); as != word && len(as) > 1 && isASCII(as) && wordAt(text, as) >= 0 {
			return fmt.Sprintf("the name %+q prints as %q, which is another one", word, as)
		}
	}
	return ""
}

// isASCII reports whether a text has no letter that needs more than a byte.
func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= 0x80 })
}
