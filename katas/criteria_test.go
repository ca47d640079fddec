package katas

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParseCriteria(t *testing.T) {
	t.Parallel()
	const h = "## Acceptance criteria\n"
	for name, c := range map[string]struct {
		text string
		want []Criterion
	}{
		"empty":              {"", nil},
		"no heading":         {"# Kata\n1. one\n", nil},
		"plain":              {h + "1. one\n2. two\n", []Criterion{{1, "one"}, {2, "two"}}},
		"no newline at end":  {h + "1. one", []Criterion{{1, "one"}}},
		"other heading":      {"## Rules\n1. one\n", nil},
		"any case":           {"# ACCEPTANCE criteria\n1. one\n", []Criterion{{1, "one"}}},
		"any level":          {"###### Acceptance Criteria\n1. one\n", []Criterion{{1, "one"}}},
		"seven signs":        {"####### Acceptance criteria\n1. one\n", nil},
		"no blank":           {"##Acceptance criteria\n1. one\n", nil},
		"decorated":          {"## **Acceptance  Criteria:** ##\n1. one\n", []Criterion{{1, "one"}}},
		"underlined":         {"Acceptance criteria\n---\n\n1. one\n", []Criterion{{1, "one"}}},
		"double underlined":  {"Acceptance criteria\n=====\n1. one\n\nNotes\n---\n\n2. two\n", []Criterion{{1, "one"}, {2, "two"}}},
		"quoted heading":     {"> ## Acceptance criteria\n1. one\n", nil},
		"heading as code":    {"    ## Acceptance criteria\n1. one\n", nil},
		"windows":            {"\ufeff## Acceptance criteria\r\n1. one\r\n   more\r\n2. two\r\n", []Criterion{{1, "one more"}, {2, "two"}}},
		"folded":             {h + "1. one\n   and   more\n\n   of it\n2. two\n", []Criterion{{1, "one and more of it"}, {2, "two"}}},
		"lazy":               {h + "1. one\nand more\n2. two\n", []Criterion{{1, "one and more"}, {2, "two"}}},
		"paragraph after":    {h + "1. one\n\nAnd more.\n\n2. two\n", []Criterion{{1, "one"}, {2, "two"}}},
		"parenthesis":        {h + "1) one\n2) two\n", []Criterion{{1, "one"}, {2, "two"}}},
		"all ones":           {h + "1. one\n1. two\n1. three\n", []Criterion{{1, "one"}, {2, "two"}, {3, "three"}}},
		"gap":                {h + "1. one\n5. five\n3. three\n", []Criterion{{1, "one"}, {5, "five"}, {6, "three"}}},
		"zero":               {h + "0. none\n", []Criterion{{1, "none"}}},
		"nine digits":        {h + "999999999. many\n1. more\n", []Criterion{{999999999, "many"}, {1000000000, "more"}}},
		"ten digits":         {h + "1000000000. many\n", nil},
		"no blank after dot": {h + "1.5 is a number\n", nil},
		"empty points":       {h + "1.\n2. \n3. three\n", []Criterion{{3, "three"}}},
		"text on next line":  {h + "1.\n   one\n", []Criterion{{1, "one"}}},
		"bullets":            {h + "- one\n* two\n+ three\n", []Criterion{{1, "one"}, {2, "two"}, {3, "three"}}},
		"tasks":              {h + "- [ ] one\n- [x] two\n1. [ ] not one\n", []Criterion{{1, "not one"}}},
		"bullets before":     {h + "- a note\n\n1. one\n2. two\n", []Criterion{{1, "one"}, {2, "two"}}},
		"checked":            {h + "- [ ] one\n  more\n- [X] two\n- [link](x) three\n", []Criterion{{1, "one more"}, {2, "two"}, {3, "[link](x) three"}}},
		"AC in bullets":      {h + "- AC-1: one\n- **AC-3:** three\n- a note\n", []Criterion{{1, "one"}, {3, "three"}}},
		"AC as paragraphs":   {h + "AC-1: one\nmore\n\nAC-2: two\n\nAfterthought.\n", []Criterion{{1, "one more"}, {2, "two"}}},
		"AC as headings":     {h + "### AC-1: one\n\nGiven a\n\n- when b\n- then c\n\n### AC-2 – two\n## Notes\nAC-3: no\n", []Criterion{{1, "one Given a - when b - then c"}, {2, "two"}}},
		"AC in numbers":      {h + "1. AC2) two\n2. AC 5 five\n", []Criterion{{2, "two"}, {5, "five"}}},
		"AC before numbers":  {h + "1. a step\n\nac-7. seven\n", []Criterion{{7, "seven"}}},
		"AC without heading": {"# Kata\n\nAC-1: one\n\n- AC-2: two\n\n```\nAC-3: code\n```\n1. no\n", []Criterion{{1, "one"}, {2, "two"}}},
		"AC elsewhere":       {"AC-1: no\n" + h + "1. one\n", []Criterion{{1, "one"}}},
		"AC is no word":      {h + "1. ACME-1: one\n2. AC voltage\n", []Criterion{{1, "ACME-1: one"}, {2, "AC voltage"}}},
		"AC alone":           {h + "- AC-1:\n- AC-2: two\n", []Criterion{{2, "two"}}},
		"numbered heading":   {"## 3. Acceptance criteria\n1. one\n", []Criterion{{1, "one"}}},
		"more in heading":    {"## ✅ Acceptance Criteria (must all hold)\n1. one\n", []Criterion{{1, "one"}}},
		"singular":           {"## Acceptance criterion\n- one\n", []Criterion{{1, "one"}}},
		"bullets after":      {h + "1. one\n- two\n", []Criterion{{1, "one"}}},
		"nested bullets":     {h + "1. one\n   - a\n   - b\n2. two\n", []Criterion{{1, "one - a - b"}, {2, "two"}}},
		"nested numbers":     {h + "1. one\n   1. a\n\t2. b\n2. two\n", []Criterion{{1, "one 1. a 2. b"}, {2, "two"}}},
		"indented list":      {h + "  1. one\n  2. two\n", []Criterion{{1, "one"}, {2, "two"}}},
		"list as code":       {h + "\n    1. one\n", nil},
		"next section":       {h + "1. one\n## Notes\n2. two\n", []Criterion{{1, "one"}}},
		"higher section":     {h + "1. one\n# Notes\n2. two\n", []Criterion{{1, "one"}}},
		"subsections":        {h + "### Easy\n1. one\n### Hard\n1. two\n", []Criterion{{1, "one"}, {2, "two"}}},
		"two sections":       {h + "1. one\n## Notes\n1. no\n" + h + "1. two\n", []Criterion{{1, "one"}, {2, "two"}}},
		"page rule":          {h + "1. one\n***\nmore\n", []Criterion{{1, "one"}}},
		"code in a point":    {h + "1. one\n   ```\n   2. code\n   ## Notes\n   ```\n2. two\n", []Criterion{{1, "one 2. code ## Notes"}, {2, "two"}}},
		"code between":       {h + "1. one\n```text\n2. code\n## Notes\n```\n2. two\n", []Criterion{{1, "one"}, {2, "two"}}},
		"code with tildes":   {h + "~~~~\n1. code\n~~~\n```\n~~~~\n1. one\n", []Criterion{{1, "one"}}},
		"inline code":        {h + "1. one\n   ```a``` more\n2. two\n", []Criterion{{1, "one ```a``` more"}, {2, "two"}}},
		"endless code":       {h + "```\n1. one\n", nil},
		"heading in code":    {"```\n" + h + "```\n1. one\n", nil},
		"comment":            {h + "1. one\n<!-- 2. two -->\n<!--\n3. three\n-->\n4. four\n", []Criterion{{1, "one"}, {4, "four"}}},
		"endless comment":    {h + "<!-- 1. one\n2. two\n", nil},
		"heading in comment": {"<!--\n" + h + "-->\n1. one\n", nil},
		"invalid UTF-8":      {h + "1. a\xffb\n", []Criterion{{1, "a\ufffdb"}}},
		"line separators":    {h + "1. a\u2028b\u0085c\vd\n", []Criterion{{1, "a b c d"}}},
	} {
		if got := ParseCriteria([]byte(c.text)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n%s\ngot  %v\nwant %v", name, c.text, got, c.want)
		}
	}
}

func FuzzParseCriteria(f *testing.F) {
	for _, name := range Names() {
		kata, err := Find(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(kata)
	}
	f.Add([]byte("Acceptance criteria\n---\n1) a\n\n   ~~~\n   b\n<!--\n7. c"))
	f.Add([]byte("# acceptance criteria\n1.\t\t>\n10. ```\n\t- b\n***\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var again strings.Builder
		again.WriteString("# Acceptance criteria\n")
		found := ParseCriteria(text)
		last := 0
		for i, c := range found {
			if c.ID <= last || c.Text == "" || !utf8.ValidString(c.Text) || c.Text != strings.Join(strings.Fields(c.Text), " ") {
				t.Fatalf("criterion %+v after %d", c, last)
			}
			last = c.ID
			fmt.Fprintf(&again, "%d. %s\n", i+1, c.Text)
		}
		parsed := ParseCriteria([]byte(again.String()))
		if len(parsed) != len(found) {
			t.Fatalf("%d criteria, written down again %d:\n%s", len(found), len(parsed), again.String())
		}
		for i, c := range parsed {
			if c.ID != i+1 || c.Text != found[i].Text {
				t.Errorf("%+v, written down again %+v", found[i], c)
			}
		}
	})
}
