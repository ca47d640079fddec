package loop

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

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
	if len(n.ran[m.path]) > 0 {
		for b := range scan.Blocks(m.text) {
			if n.ranIn(m, b) {
				return true
			}
		}
	}
	return false
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
