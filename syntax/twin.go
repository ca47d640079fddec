package syntax

import (
	"cmp"
	"strings"
)

// twins are names of functions, two by two, that take each other's place: they are called
// alike, and answer alike for what is empty, whole, or one.
const twins = `min max  Min Max  any all  some every  any? all?
	startswith endswith  startsWith endsWith  starts_with ends_with  start_with? end_with?  str_starts_with str_ends_with  HasPrefix HasSuffix
	lstrip rstrip  ltrim rtrim  trimStart trimEnd  trim_start trim_end  TrimLeft TrimRight
	upper lower  upcase downcase  toUpperCase toLowerCase  to_uppercase to_lowercase  strtoupper strtolower  ToUpper ToLower  uppercase lowercase
	seconds total_seconds()  getDay getDate  first last  indexOf lastIndexOf  find rfind  index rindex  Index LastIndex`

// rounders are names of functions that make a number whole, and what hardly differs from
// them, as long as the number is whole.
const rounders = `round floor  Round Floor  floor round  Floor Round  ceil round  Ceil Round  trunc round  Trunc Round  int round`

// units are names of units of time, each with another one: as an argument by name, as a constant,
// or in the name of a function.
const units = `seconds minutes  minutes seconds  hours minutes  days hours  weeks days  milliseconds seconds  Second Minute  Minute Second
	Hour Minute  Millisecond Second  SECONDS MINUTES  MINUTES SECONDS  HOURS MINUTES  DAYS HOURS  MILLISECONDS SECONDS
	ofSeconds ofMinutes  ofMinutes ofSeconds  ofHours ofMinutes  ofDays ofHours  ofMillis ofSeconds  from_secs from_millis  from_millis from_secs`

// second is the other one of the pair that a word begins.
func second(pairs, w string) string {
	words := strings.Fields(pairs)
	for k := 0; k < len(words); k += 2 {
		if w == words[k] {
			return words[k+1]
		}
	}
	return ""
}

// twin is the function that takes the place of the one that is called at token i; empty if
// none is known. Where values have types, int gives one.
func (m *mutator) twin(i int) string {
	w, call := m.Tree.Word(i), m.Is(i+1, "(")
	if unit := second(units, w); unit != "" && (m.Is(i-1, "(", ",") && m.Is(i+1, "=") || m.Is(i-1, ".", "::") && (call || unit[0] < 'a')) {
		return unit
	}
	if !strings.Contains(twins+rounders, w) || !call && !m.Is(i-1, ".") || m.Is(i-1, "def", "func", "function", "fn", "fun") {
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
	other := second(rounders, w)
	if other == "round" && m.Is(i-2, "math") { // Python's has none
		return second("floor ceil  ceil floor  trunc floor", w)
	}
	return other
}
