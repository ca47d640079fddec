package evidence

import (
	"cmp"
	"slices"
	"strings"
)

// Nearest orders sources by how much the text of some tests has to do with them,
// and leaves out those that it has nothing to do with, unless that is all.
func Nearest(sources []Source, tests []File) []Source {
	near := map[string]int{}
	for _, s := range sources {
		base := s.Path[strings.LastIndexByte(s.Path, '/')+1:]
		stem, _, _ := strings.Cut(base, ".")
		for _, t := range tests {
			if strings.Contains(strings.ToLower(t.Path), strings.ToLower(stem)) {
				near[s.Path] += 2
			}
			if strings.Contains(t.Content, stem) {
				near[s.Path]++
			}
		}
	}
	out := slices.Clone(sources)
	slices.SortStableFunc(out, func(a, b Source) int { return cmp.Compare(near[b.Path], near[a.Path]) })
	if close := slices.IndexFunc(out, func(s Source) bool { return near[s.Path] == 0 }); close > 0 {
		return out[:close]
	}
	return out
}
