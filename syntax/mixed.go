package syntax

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// contraries are names, two by two, that are easily taken for each other.
const contraries = `min max  low high  lo hi  lower upper  start end  begin end  first last  from to  left right  width height  col row
	column row  cols rows  columns rows  old new  before after  prev next  previous current  key value  src dst  source target
	input output  added removed`

// mixedWithin is how many tokens back a name is looked for that may have been meant.
const mixedWithin = 150

// mixed notes, in the place of the name at token i, one that reads nearly like it and was used
// or declared a little before, of the same receiver: maxWidth for minWidth. One a line of each two names is enough, and one that was
// given a value last.
func (m *mutator) mixed(i int) {
	similar, alone := m.similar[m.Tree.Word(i)], m.alone(i)
	if len(similar) == 0 && !alone || !m.uses(i) {
		return
	}
	other, receiver, pair := -1, m.receiver(i), ""
	for k := i - 1; k > max(-1, i-mixedWithin); k-- {
		meant := slices.Contains(similar, m.Tree.Word(k))
		last := other < 0 && alone && m.Is(k+1, "=", ":=") && m.Tree.Word(k) != m.Tree.Word(i) && m.given(k, i)
		if (meant || last) && m.Named(k) && m.Is(k+1, "(") == m.Is(i+1, "(") && m.receiver(k) == receiver && !m.key(k) {
			other = k
			if meant {
				pair = min(m.Tree.Word(i), m.Tree.Word(k)) + " " + max(m.Tree.Word(i), m.Tree.Word(k))
				break
			}
		}
	}
	if at, twice := m.mixedAt[pair]; m.differs(i, other) && (!twice || strings.Contains(m.Text[at:m.tokens[i].Start], "\n")) {
		m.note(Slip, Expr{i, i + 1}, m.Tree.Word(other))
		m.mixedAt[pair] = m.tokens[i].Start
	}
}

// odd notes, in the place of the name at token i, the one that stands there in the elements of the
// list before and behind it: to.zip for from.zip between to.name and to.city.
func (m *mutator) odd(i int) {
	if !m.Is(i+1, ".", "?.", "&.", "->") || !m.uses(i) {
		return
	}
	like := func(from, step int) int {
		comma := false
		for k := from; k >= 0 && k < m.Len() && k > i-mixedWithin && k < i+mixedWithin; k += step {
			comma = comma || m.Is(k, ",") && m.Around(k) == m.Around(i)
			if comma && m.Named(k) && m.Around(k) == m.Around(i) && m.Tree.Word(k+1) == m.Tree.Word(i+1) && m.receiver(k) == m.receiver(i) {
				return k
			}
		}
		return -1
	}
	before, behind := like(i-1, -1), like(i+1, 1)
	if other := m.Tree.Word(before); before >= 0 && other == m.Tree.Word(behind) && other != m.Tree.Word(i) {
		m.note(Slip, Expr{i, i + 1}, other)
	}
}

// namesake notes, in the place of the name at token i, a part of something else that is called the
// same and was named a little before, unless it is that: part.recipe for recipe.
func (m *mutator) namesake(i int) {
	if !m.Is(i+1, ".", "?.", "&.", "->") || m.receiver(i) != "" || !m.uses(i) {
		return
	}
	for k := i - 1; k > max(-1, i-mixedWithin); k-- {
		from := k
		for m.receiver(from) != "" {
			from -= 2
		}
		if from < k && m.Is(k, m.Tree.Word(i)) && !m.Is(k+1, "(") && m.Named(from) && !m.Is(from, "this", "self", "cls", m.Tree.Word(i)) && !strings.HasPrefix(m.Tree.Word(from), "@") {
			if !m.Is(from-1, "=", ":=") || !m.Is(from-2, m.Tree.Word(i)) {
				m.note(Slip, Expr{i, i + 1}, m.Source(Expr{from, k + 1}))
			}
			return
		}
	}
}

// differs reports whether the name at token k, if there is one, was not given what the one at
// token i has, a little before.
func (m *mutator) differs(i, k int) bool {
	for at := max(0, i-mixedWithin); k >= 0 && at < i; at++ {
		if m.Tree.Word(at) == m.Tree.Word(k) && m.Is(at+1, "=", ":=") && m.Tree.Word(at+2) == m.Tree.Word(i) && (m.Broken(at+3) || m.Is(at+3, ";")) {
			return false
		}
	}
	return k >= 0
}

// key reports whether the name at token k only says what stands behind it: an argument, an entry,
// a field.
func (m *mutator) key(k int) bool {
	brackets := m.Is(m.Around(k), "(")
	return brackets && m.Is(k+1, "=") && !m.byDefault(k+2) || !brackets && m.Is(k+1, ":")
}

// alone reports whether the name at token i is all that a call is given in its place: there,
// one that was given a value last may have been meant.
func (m *mutator) alone(i int) bool {
	open := m.Around(i)
	return m.Is(open, "(") && m.Named(open-1) && !m.Continues(open-1) && m.Is(i-1, "(", ",") && m.Is(i+1, ")", ",")
}

// given reports whether a variable is given a value at token k that it has at token i: a
// statement begins in between.
func (m *mutator) given(k, i int) bool {
	line := m.Text[strings.LastIndexByte(m.Text[:m.tokens[k].Start], '\n')+1:]
	if m.Is(m.Around(k), "(") || line[0] != ' ' && line[0] != '\t' || unicode.IsUpper([]rune(m.Tree.Word(k))[0]) {
		return false
	}
	for j := k + 2; j < i; j++ {
		if m.Around(j) == m.Around(k) && (m.Is(j, ";") || m.Broken(j) && !m.Is(j, ".", "?.")) {
			return true
		}
	}
	return false
}

// uses reports whether token i is a name that is used there, and neither declared, nor given a
// value, nor a key: { x, y }.
func (m *mutator) uses(i int) bool {
	inside := len(m.ends) > 0 || m.Type == nil
	key := m.Is(m.Around(i), "{") && m.Is(i-1, "{", ",") && m.Is(i+1, "}", ",")
	return inside && !key && m.Named(i) && !m.Is(i+1, "=", ":=", ":") && !m.Is(i-1, "def", "fn", "func", "function", "fun", "let", "const", "var", "class") &&
		!m.declares(i)
}

// receiver is what stands before the name at token i with a dot, or with what else does the
// same; empty if nothing does.
func (t *Tree) receiver(i int) string {
	if !t.Is(i-1, ".", "?.", "&.", "->", "::") {
		return ""
	}
	return t.receiver(i-2) + t.Word(i-2) + t.Word(i-1)
}

// confusable lists, for each name of a text, those that are easily taken for it: they are put
// together of the same words but for one, or that one is missing, or are contraries.
func (t *Tree) confusable() map[string][]string {
	words, by := t.names()
	out := map[string][]string{}
	for name, w := range words {
		for _, key := range meant(w) {
			for _, other := range by[key] {
				if name != other && unicode.IsUpper([]rune(name)[0]) == unicode.IsUpper([]rune(other)[0]) {
					out[name], out[other] = append(out[name], other), append(out[other], name)
				}
			}
		}
	}
	return out
}

// names are the words of each name of a text, in small letters, and the names by all their words and by all but one.
func (t *Tree) names() (words, by map[string][]string) {
	words, by = map[string][]string{}, map[string][]string{}
	for i := range t.tokens {
		if name := t.Word(i); t.Named(i) && words[name] == nil {
			words[name] = strings.Fields(strings.ToLower(strings.Join(wordPattern().FindAllString(name, -1), " ")))
		}
	}
	for name, w := range words {
		for _, key := range append(keys(w, "*"), strings.Join(w, " ")) {
			by[key] = append(by[key], name)
		}
	}
	return words, by
}

// meant are the keys of the names that may be meant by one of some words.
func meant(words []string) []string {
	switch len(words) {
	case 0:
		return nil
	case 1:
		return strings.Fields(Contraries(contraries)[words[0]])
	}
	return append(keys(words, "*"), keys(words, "")...)
}

// keys are some words, each of them in turn left out for something else.
func keys(words []string, instead string) (out []string) {
	for p := range words {
		rest := slices.Concat(words[:p], strings.Fields(instead), words[p+1:])
		out = append(out, strings.Join(rest, " "))
	}
	return out
}

// wordPattern matches a word of a name: max and Width of maxWidth, MAX and WIDTH of MAX_WIDTH.
var wordPattern = lazyregexp.New(`\p{Lu}?\p{Ll}+|\p{Lu}+|\p{Lo}+|\d+`)

// twins are names of functions, two by two, that take each other's place: they are called
// alike, and answer alike for what is empty, whole, or one.
const twins = `min max  Min Max  any all  some every  any? all?
	startswith endswith  startsWith endsWith  starts_with ends_with  start_with? end_with?  str_starts_with str_ends_with  HasPrefix HasSuffix
	lstrip rstrip  ltrim rtrim  trimStart trimEnd  trim_start trim_end  TrimLeft TrimRight
	upper lower  upcase downcase  toUpperCase toLowerCase  to_uppercase to_lowercase  strtoupper strtolower  ToUpper ToLower  uppercase lowercase
	seconds total_seconds()  getDay getDate  first last  indexOf lastIndexOf  find rfind  index rindex  Index LastIndex`

// rounders are names of functions that make a number whole, and what hardly differs from
// them, as long as the number is whole: of each, the last one named.
const rounders = `ceil round  Ceil Round  trunc round  Trunc Round  int round  round floor  Round Floor`

// units are names of units of time, each with another one, the last one named: as an argument by
// name, as a constant, or in the name of a function.
const units = `weeks days  days hours  hours minutes  milliseconds seconds  seconds minutes  Hour Minute  Millisecond Second  Second Minute
	DAYS HOURS  HOURS MINUTES  MILLISECONDS SECONDS  SECONDS MINUTES  ofDays ofHours  ofHours ofMinutes  ofMillis ofSeconds  ofSeconds ofMinutes
	from_secs from_millis`

// twin is the function that takes the place of the one that is called at token i; empty if
// none is known. Where values have types, int gives one. What counts in bytes, or in the time of
// a place, is another one in a file that also counts in letters, or in the world's time.
func (m *mutator) twin(i int) string {
	w, call := m.Tree.Word(i), m.Is(i+1, "(")
	if call && strings.Contains(m.Text, "mb_") && slices.Contains(strings.Fields("strlen substr strpos stripos strrpos str_split substr_count"), w) {
		return "mb_" + w
	}
	if !strings.Contains(units+twins+rounders, w) && !strings.HasPrefix(w, "get") {
		return ""
	}
	if unit := Contraries(units)[w]; unit != "" && (m.Is(i-1, "(", ",") && m.Is(i+1, "=") || m.Is(i-1, ".", "::") && (call || unit[0] < 'a')) {
		return unit
	}
	if part, ok := strings.CutPrefix(w, "get"); ok && call && slices.Contains(strings.Fields("Day Date Hours Minutes Month FullYear"), part) && strings.Contains(m.Text, ".getUTC") {
		return "getUTC" + part
	}
	if !call && !m.Is(i-1, ".") || m.Is(i-1, "def", "func", "function", "fn", "fun") {
		return ""
	}
	return cmp.Or(Contraries(twins)[w], m.rounder(i))
}

// rounder is the function that makes a number whole and takes the place of the one at token i.
func (m *mutator) rounder(i int) string {
	w, call := m.Tree.Word(i), m.Is(i+1, "(")
	if call && len(m.Args(i+1)) > 1 || w == "int" && (!call || m.Typed) {
		return ""
	}
	other := Contraries(rounders)[w]
	if other == "round" && m.Is(i-2, "math") { // Python's has none
		return Contraries("trunc floor  floor ceil")[w]
	}
	return other
}
