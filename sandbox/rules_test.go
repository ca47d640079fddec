package sandbox

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What is allowed is all but what is hidden, and of that what is shown or given; the
// nearest folder above decides.
func TestRules(t *testing.T) {
	t.Parallel()
	machine := []string{
		"/bin/sh", "/etc/passwd", "/home/me/.ssh/id", "/home/me/.cargo/bin/cargo", "/home/me/.cargo/bin/key", "/home/me/tree/src", "/home/me/tree/.git/config",
		"/home/you/x", "/srv/data", "/srv/tmp/x", "/tmp/run/out",
	}
	list := func(folder string) []string {
		var out []string
		for _, path := range machine {
			if rest, ok := strings.CutPrefix(path, strings.TrimSuffix(folder, "/")+"/"); ok {
				name, _, _ := strings.Cut(rest, "/")
				out = append(out, name)
			}
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	for name, c := range map[string]struct {
		walls Walls
		want  []rule
	}{
		"nothing hidden": {Walls{}, []rule{{"/", shown}}},
		"a folder given": {Walls{Given: []string{"/srv"}}, []rule{{"/", shown}, {"/srv", given}}},
		"homes hidden": {
			Walls{Hidden: []string{"/home", "/tmp", "/srv/tmp"}},
			[]rule{{"/bin", shown}, {"/etc", shown}, {"/srv/data", shown}},
		},
		"shown in hidden, hidden in shown, given in hidden, hidden in given": {
			Walls{
				Hidden: []string{"/home", "/home/me", "/tmp", "/home/me/.cargo/bin/key", "/home/me/tree/.git"},
				Shown:  []string{"/home/me/.cargo"}, Given: []string{"/home/me/tree", "/tmp/run/"},
			},
			[]rule{
				{"/bin", shown}, {"/etc", shown}, {"/home/me/.cargo/bin/cargo", shown}, {"/home/me/tree/src", given}, {"/srv", shown}, {"/tmp/run", given},
			},
		},
		"shown in given": {
			Walls{Hidden: []string{"/home", "/tmp", "/srv"}, Given: []string{"/home/me/tree"}, Shown: []string{"/home/me/tree/src"}},
			[]rule{{"/bin", shown}, {"/etc", shown}, {"/home/me/tree", shown}, {"/home/me/tree/.git", given}, {"/home/me/tree/src", shown}},
		},
		"given above hidden and given": {
			Walls{Hidden: []string{"/"}, Given: []string{"/srv"}, Shown: []string{"/bin"}}, []rule{{"/bin", shown}, {"/srv", given}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := c.walls.rules(list); !slices.Equal(got, c.want) {
				t.Errorf("%v\nwant\n%v", got, c.want)
			}
		})
	}
}

// Whatever walls say, no rule reaches what is hidden, and nothing is given that is only
// shown.
func FuzzRules(f *testing.F) {
	paths := []string{"/a", "/a/b", "/a/b/c", "/a/d", "/e", "/e/f", "/e/f/g"}
	list := func(folder string) []string {
		var out []string
		for _, path := range paths {
			if filepath.Dir(path) == folder {
				out = append(out, filepath.Base(path))
			}
		}
		return out
	}
	f.Add(uint(0x1234))
	f.Fuzz(func(t *testing.T, marks uint) {
		var w Walls
		want := map[string]access{"/": shown}
		for _, path := range paths {
			want[path] = want[filepath.Dir(path)]
			switch marks & 3 {
			case 1:
				w.Hidden, want[path] = append(w.Hidden, path), hidden
			case 2:
				w.Shown, want[path] = append(w.Shown, path), shown
			case 3:
				w.Given, want[path] = append(w.Given, path), given
			}
			marks >>= 2
		}
		rules := w.rules(list)
		for _, path := range paths {
			got, all := hidden, want[path]
			for _, r := range rules {
				if Within(path, r.path) || r.path == "/" {
					got = max(got, r.access)
				}
			}
			for _, other := range paths { // a folder that is not all alike is allowed by its entries
				if Within(other, path) {
					all = min(all, want[other])
				}
			}
			if got > want[path] || got < all {
				t.Errorf("%s is %d, not %d (all of it %d): %+v %v", path, got, want[path], all, w, rules)
			}
		}
	})
}
