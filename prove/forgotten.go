package prove

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// manyLike is how many of its like must stand without something new for it to be missed.
const manyLike = 3

var (
	// asidePattern matches a line that names things and does nothing with them: a comment, an import.
	asidePattern = lazyregexp.New(`^\s*(?://|#|/?\*|import\b|from\b|use\b|using\b|export\s*\{|require)|\brequire\(`)
	// edgePattern matches a sign at which an element of a list begins or ends.
	edgePattern = lazyregexp.New(`^[\[(){}\],|;]$`)
	// wordPattern matches a text of one word, and a name that begins with a capital.
	wordPattern = lazyregexp.New(`^(?:"[A-Za-z][\w-]+"|'[A-Za-z][\w-]+'|[A-Z]\w+)$`)
	// calledPattern matches what is called.
	calledPattern = lazyregexp.New(`\w+[!?]?\(`)
)

// member is a text or a name that begins with a capital, and what it is in its place: the
// signs before and behind it say.
type member struct {
	text, role string
	declared   bool // it may be declared here: it stands at the beginning of a line, by itself or with its value
}

// unit is lines of a file that belong together: those that are deeper than the one before
// them, or a single one.
type unit struct {
	path        string
	first, last int
	text        string
	members     []member
	roles       map[string][]string // of its members, by what they are called
	declares    map[string]bool     // which of them may be declared here
	test        bool
}

// within reports whether all lines of a unit are another one's too.
func (u unit) within(o unit) bool { return u.path == o.path && o.first <= u.first && u.last <= o.last }

// like are the others in a unit that are what something is there, in the role that most share.
func (u unit) like(name string) (most []string) {
	for _, role := range u.roles[name] {
		var like []string
		for _, o := range u.members {
			if o.role == role && o.text != name && (o.text[0] == '\'') == (name[0] == '\'') && (name[0] == '\'' || u.declares[name] && u.declares[o.text]) {
				like = gates.Union(like, []string{o.text})
			}
		}
		if len(like) > len(most) {
			most = like
		}
	}
	return most
}

// lists reports whether a unit names all of some things, each as what the others are.
func (u unit) lists(all []string) bool {
	return slices.ContainsFunc(u.roles[all[0]], func(role string) bool {
		return !slices.ContainsFunc(all[1:], func(name string) bool { return !slices.Contains(u.roles[name], role) })
	})
}

// membersOf are those of a line.
func membersOf(line string) (out []member) {
	if asidePattern.MatchString(line) {
		return nil
	}
	tokens := formulaPattern().FindAllString(line, -1)
	at := func(i int) string {
		if i < 0 || i >= len(tokens) || edgePattern.MatchString(tokens[i]) {
			return ","
		}
		return tokens[i]
	}
	for i, t := range tokens {
		if wordPattern.MatchString(t) && (i+1 == len(tokens) || tokens[i+1] != "(") {
			m := member{text: strings.ReplaceAll(t, `"`, "'"), role: at(i-1) + " " + at(i+1)}
			m.declared = i == 0 && (at(1) == "," || at(1) == "=")
			out = append(out, m)
		}
	}
	return out
}

// unitsOf are those of a text.
func unitsOf(path, text string) (out []unit) {
	lines := strings.Split(text, "\n")
	for i := range lines {
		if asidePattern.MatchString(lines[i]) {
			clear(lines[i:below(lines, i)]) // with what is imported line by line
		}
		if strings.TrimSpace(lines[i]) == "" {
			continue
		}
		u := unit{path: path, first: i + 1, last: i + 1, text: lines[i], members: membersOf(lines[i])}
		if len(u.members) >= manyLike {
			out = append(out, u.filled())
		}
		if u.last = below(lines, i); u.last <= u.first {
			continue
		}
		u.text = strings.Join(lines[i:u.last], "\n")
		for _, line := range lines[u.first:u.last] {
			u.members = append(u.members, membersOf(line)...)
		}
		if len(u.members) > 0 {
			out = append(out, u.filled())
		}
	}
	return out
}

// below is the place behind the last line that is deeper than line i and not parted from it by
// one that is not.
func below(lines []string, i int) int {
	deep := func(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
	end := i + 1
	for j := end; j < len(lines); j++ {
		switch blank := strings.TrimSpace(lines[j]) == ""; {
		case !blank && deep(lines[j]) > deep(lines[i]):
			end = j + 1
		case !blank:
			return end
		}
	}
	return end
}

// filled is a unit that knows the roles of its members.
func (u unit) filled() unit {
	u.roles, u.declares = map[string][]string{}, map[string]bool{}
	for _, m := range u.members {
		u.roles[m.text] = gates.Union(u.roles[m.text], []string{m.role})
		u.declares[m.text] = u.declares[m.text] || m.declared
	}
	return u
}

// forgotten finds the places in the files of the change that name all the like of something
// new, as the states of an order, and not what is new itself. A test of something that is asked
// of it elsewhere forgets nothing.
func (p *proof) forgotten() (out []Lines) {
	if p.Verdict != Proven {
		return nil
	}
	before, units := p.units()
	known := named(before)
	for _, name := range slices.Sorted(maps.Keys(named(units))) {
		for _, like := range likes(units, name, known) {
			for _, u := range outermost(units, func(u unit) bool { return u.roles[name] == nil && u.lists(like) }) {
				if !u.test || !p.asksOf(name, u) {
					out = append(out, Lines{Path: u.path, First: u.first, Last: u.last, Text: name + " is not among " + strings.Join(like, ", ")})
				}
			}
		}
	}
	slices.SortStableFunc(out, func(a, b Lines) int { return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.First, b.First)) })
	return slices.CompactFunc(out, func(a, b Lines) bool { return a.Path == b.Path && a.First == b.First })
}

// units are those of the sources of before, and those of now with the tests'.
func (p *proof) units() (before, now []unit) {
	for _, f := range p.Change.Files {
		before = append(before, unitsOf(f.Path(), cmp.Or(f.Old, &gates.File{}).Source)...)
		file := cmp.Or(f.New, &gates.File{})
		now = append(now, unitsOf(f.Path(), file.Source)...)
		for _, u := range unitsOf(f.Path(), file.Test) {
			u.test = true
			now = append(now, u)
		}
	}
	return before, now
}

// named is what some units name.
func named(units []unit) map[string]bool {
	out := map[string]bool{}
	for _, u := range units {
		for name := range u.roles {
			out[name] = true
		}
	}
	return out
}

// likes are what stands beside something new as the same, in the smallest places of the sources
// that name it, of which some was known before; without those that have less than others.
func likes(units []unit, name string, known map[string]bool) (out [][]string) {
	if known[name] {
		return nil
	}
	for _, u := range innermost(units, func(u unit) bool {
		old := slices.DeleteFunc(u.like(name), func(text string) bool { return !known[text] })
		return !u.test && len(old) >= manyLike
	}) {
		out = append(out, u.like(name))
	}
	return slices.DeleteFunc(slices.Clone(out), func(l []string) bool {
		return slices.ContainsFunc(out, func(o []string) bool { return len(o) > len(l) && gates.Among(l, o) })
	})
}

// asksOf reports whether a line of a test names something and calls what a unit calls, of the
// sources.
func (p *proof) asksOf(name string, u unit) bool {
	var sources, tests strings.Builder
	for _, f := range p.Change.Files {
		file := cmp.Or(f.New, &gates.File{})
		sources.WriteString(file.Source)
		tests.WriteString(file.Test)
	}
	calls := calledPattern().FindAllString(u.text, -1)
	calls = slices.DeleteFunc(calls, func(call string) bool { return !strings.Contains(sources.String(), call) })
	for line := range strings.Lines(tests.String()) {
		line = strings.ReplaceAll(line, `"`, "'")
		if strings.Contains(line, name) && slices.ContainsFunc(calls, func(call string) bool { return strings.Contains(line, call) }) {
			return true
		}
	}
	return false
}

// innermost are the units of which something holds and that have no other such in them,
// outermost those that are in no other such.
func innermost(units []unit, holds func(unit) bool) []unit {
	all := slices.DeleteFunc(slices.Clone(units), func(u unit) bool { return !holds(u) })
	return slices.DeleteFunc(slices.Clone(all), func(u unit) bool {
		return slices.ContainsFunc(all, func(o unit) bool { return o.within(u) && !u.within(o) })
	})
}

func outermost(units []unit, holds func(unit) bool) []unit {
	all := slices.DeleteFunc(slices.Clone(units), func(u unit) bool { return !holds(u) })
	return slices.DeleteFunc(slices.Clone(all), func(u unit) bool {
		return slices.ContainsFunc(all, func(o unit) bool { return u.within(o) && !o.within(u) })
	})
}
