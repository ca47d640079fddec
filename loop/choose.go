package loop

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// passage is a declaration of a file, and how much it says of what the step is about.
type passage struct {
	of     *material
	first  int
	size   int // in bytes
	words  map[string]bool
	name   string // that it declares
	ran    bool   // the failing tests execute it
	weight float64
}

// choose finds the declarations that say most of what the step is about, for files that
// are too long to be shown whole: a word counts for more the fewer declarations have it,
// and for less the longer the declaration is (BM25 without its counts). They take up
// so many bytes at most, and so many in one file.
func (n *need) choose(about string, room, most int) {
	wanted, all := stems(about+" "+strings.Join(slices.Collect(maps.Keys(n.spelt)), " ")), n.passages()
	weigh(all, wanted)
	slices.SortStableFunc(all, func(a, b passage) int { return cmp.Compare(b.weight, a.weight) })
	used := map[*material]int{}
	for _, p := range all {
		if p.weight > 0 && p.size <= room && used[p.of]+p.size <= most {
			room -= p.size
			used[p.of] += p.size
			p.of.chosen[p.first] = true
			p.of.weight += p.weight
		}
	}
}

// bytesOfToken is how long a token is at least, in code.
const bytesOfToken = 3

// passages are the declarations of the files that have to do with the step.
func (n *need) passages() (all []passage) {
	for _, m := range n.files {
		if m.rank >= beside || m.rank != spelled && !n.editable(m.path) {
			continue
		}
		m.chosen = map[int]bool{}
		for b := range scan.Blocks(m.text) {
			text := strings.Join(b.Lines, "")
			words := stems(m.path + "\n" + strings.Join(b.Within, "\n") + "\n" + text)
			all = append(all, passage{of: m, first: b.First, size: len(text), words: words, name: b.Name, ran: n.ranIn(m, b)})
		}
	}
	return all
}

// runs reports whether the failing tests execute any of a file's declarations.
func (n *need) runs(m *material) bool {
	return len(n.ran[m.path]) > 0 && slices.ContainsFunc(slices.Collect(scan.Blocks(m.text)), func(b scan.Block) bool { return n.ranIn(m, b) })
}

// ranIn reports whether the failing tests execute a declaration, and not only what declares it.
func (n *need) ranIn(m *material, b scan.Block) bool {
	return b.Declared > 0 && slices.ContainsFunc(n.ran[m.path], func(line int) bool { return line > b.Declared && line < b.First+len(b.Lines) })
}

func weigh(all []passage, wanted map[string]bool) {
	const saturation, byLength = 1.2, 0.75 // as usual
	const byRun = 2                        // words
	having, mean := occurrences(all)
	ran := len(slices.DeleteFunc(slices.Clone(all), func(p passage) bool { return !p.ran }))
	rarity := func(n int) float64 { return math.Log(float64(len(all)) / float64(max(1, n))) }
	for i, p := range all {
		weight := 0.0
		for word := range p.words {
			if wanted[word] && 2*having[word] <= len(all) { // what most have tells none from the others
				weight += rarity(having[word])
			}
		}
		weight /= 1 + saturation*(1-byLength+byLength*float64(len(p.words))/mean)
		if p.isNamed(wanted) {
			weight += rarity(having[strings.ToLower(p.name)])
		}
		if p.ran {
			weight += byRun * rarity(ran)
		}
		all[i].weight = weight
	}
}

// occurrences counts the declarations that have a word, and how many words they have on average.
func occurrences(all []passage) (having map[string]int, mean float64) {
	having = map[string]int{}
	for _, p := range all {
		mean += float64(len(p.words)) / float64(len(all))
		for word := range p.words {
			having[word]++
		}
	}
	return having, mean
}

// isNamed reports whether all words of which a declaration's name is made are among some.
func (p passage) isNamed(words map[string]bool) bool {
	parts := stemmed(apart(p.name))
	for part := range parts {
		if !words[part] {
			return false
		}
	}
	return len(parts) > 1 || words[strings.ToLower(p.name)]
}

// stems are the words of a text and, of names, the words of which they are made, without the
// endings of English words: what is interpolated has to do with an interpolation.
func stems(text string) map[string]bool { return stemmed(text + " " + apart(text)) }

func stemmed(text string) map[string]bool {
	out := map[string]bool{}
	for word := range scan.Words(text) {
		out[endingPattern().ReplaceAllString(word, "$1")] = true
	}
	return out
}

// endingPattern finds the ending of a longer word.
var endingPattern = lazyregexp.New(`^(\pL{4,}?)(?:ations?|ates?|ated|ating|ions?|ings?|ed|es|e|s)$`)

// apart is a text in which names are taken apart into words.
func apart(text string) string { return jointPattern().ReplaceAllString(text, "$1$3 $2$4") }

// jointPattern finds where one word of a name ends and the next begins.
var jointPattern = lazyregexp.New(`([\pL\pN])_+([\pL\pN])|([\p{Ll}\pN])(\p{Lu})`)

// maxNamed is how many files a name may lead to: one that more of them have tells none
// from the others.
const maxNamed = 8

// codePattern finds what a text spells out as code.
var codePattern = lazyregexp.New("`[^`\n]+`")

// name ranks the files that have to do with names which the kata spells out as code. A name
// counts for more the fewer files have it; what has less than half as much to do with them as
// the first of the tests, or of the rest, counts as any other.
func (n *need) name() {
	n.spelt = scan.Words(strings.Join(codePattern().FindAllString(n.brief.Kata, -1), " "))
	hits, most := map[*material]float64{}, map[bool]float64{}
	having := n.having()
	for _, word := range sortedKeys(having) {
		for _, m := range having[word] {
			hits[m] += 1 / float64(len(having[word]))
			most[n.test(m)] = max(most[n.test(m)], hits[m])
		}
	}
	for m, hit := range hits {
		if 2*hit >= most[n.test(m)] {
			m.rank, m.words = min(m.rank, spelled), n.spelt
		}
	}
}

// having are, of each name that few files have, those that use it; of one that many use, those
// that declare it or are called so.
func (n *need) having() map[string][]*material {
	using, bearing := map[string][]*material{}, map[string][]*material{}
	for _, m := range n.files {
		bears, uses := m.bears(), scan.Words(m.text)
		for word := range n.spelt {
			if bears[word] {
				bearing[word] = append(bearing[word], m)
			}
			if bears[word] || uses[word] {
				using[word] = append(using[word], m)
			}
		}
	}
	for word, found := range using {
		if len(found) > maxNamed {
			using[word] = bearing[word]
		}
		if len(using[word]) > maxNamed {
			delete(using, word)
		}
	}
	return using
}

// bears are the names that a file declares, and those of which its own is made.
func (m *material) bears() map[string]bool {
	own := stem(m.path)
	out := scan.Words(own + " " + apart(own))
	for name := range m.names {
		out[strings.ToLower(name)] = true
	}
	return out
}

// test reports whether a file holds tests.
func (n *need) test(m *material) bool { return n.project.Language.Kind(m.path) == gates.KindTest }
