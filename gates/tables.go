package gates

import (
	"slices"
	"strings"
)

// getsRows reports whether an attribute that gives a test its rows, each of which is a test of
// its own, has some more, and reads as it did elsewhere.
func getsRows(was, now string) bool {
	return (strings.HasPrefix(was, "@") || strings.HasPrefix(was, "#[")) && onlyRows(was, now, "[{(")
}

// OnlyGetsRows reports whether of what a file holds beside its tests nothing changes but that
// tables get more rows.
func (c FileChange) OnlyGetsRows() bool {
	was, now := helpers(c.Old, says), helpers(c.New, says)
	return len(was) == len(now) && !slices.ContainsFunc(sortedKeys(now), func(head string) bool {
		return was[head] != now[head] && !onlyRows(was[head], now[head], "[{")
	})
}

// onlyRows reports whether a text is another one with more rows in brackets of some kinds.
func onlyRows(was, now, brackets string) bool {
	x, y := tokens(was), tokens(now)
	old, readOld := itemsOf(x)
	all, readAll := itemsOf(y)
	return readOld == len(x) && readAll == len(y) && slices.EqualFunc(old, all, func(a, b item) bool { return a.becomes(b, brackets, "") })
}

// item is what stands between two commas: tokens and, where a bracket opens, what is in it.
type item []part

// part is a token of an item.
type part struct {
	text  string
	value bool // written out
	in    []item
}

// itemsOf are the items with which some tokens begin, and how many tokens they have.
func itemsOf(all []token) (out []item, n int) {
	last := item{}
	flush := func() {
		if len(last) > 0 {
			out = append(out, last)
		}
		last = item{}
	}
	for n < len(all) && !strings.Contains(")]}", all[n].text) {
		t := all[n]
		n++
		if t.text == "," {
			flush()
			continue
		}
		named := n < len(all) && all[n].text == ":"
		last = append(last, part{text: t.text, value: t.literal || named || strings.Contains(":-+", t.text) || slices.Contains(constants(), t.text)})
		if strings.Contains("([{", t.text) {
			in, size := itemsOf(all[n:])
			n += min(size+1, len(all)-n) // with what closes it
			last[len(last)-1].in, last[len(last)-1].value = in, !slices.ContainsFunc(in, func(i item) bool { return !i.spelled() })
		}
	}
	flush()
	return out, n
}

// spelled reports whether all of an item is written out.
func (i item) spelled() bool { return !slices.ContainsFunc(i, func(p part) bool { return !p.value }) }

// becomes reports whether an item is another one now that has more rows: none in what a
// function is given, which may change with it what others use. Call is the bracket of a call
// around it, if there is one.
func (i item) becomes(now item, brackets, call string) bool {
	if len(i) != len(now) {
		return false
	}
	for k, part := range i {
		if part.text != now[k].text {
			return false
		}
		body := k > 0 && (i[k-1].text == ">" || i[k-1].text == "(")
		grows := strings.Contains(brackets, part.text) && strings.Contains(brackets, call)
		within := call
		if part.text == "(" {
			within = part.text
		} else if body {
			within = ""
		}
		if !become(part.in, now[k].in, brackets, within, grows) {
			return false
		}
	}
	return true
}

// become reports whether some items are others now, with more between them if they may grow.
func become(was, now []item, brackets, call string, grow bool) bool {
	for _, in := range now {
		switch {
		case len(was) > 0 && was[0].becomes(in, brackets, call):
			was = was[1:]
		case !in.spelled() || !grow:
			return false
		}
	}
	return len(was) == 0
}
