package loop

import (
	"path"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

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
	stem, _, _ := strings.Cut(path.Base(m.path), ".")
	out := scan.Words(stem + " " + apart(stem))
	for name := range m.names {
		out[strings.ToLower(name)] = true
	}
	return out
}

// test reports whether a file holds tests.
func (n *need) test(m *material) bool { return n.project.Language.Kind(m.path) == gates.KindTest }
