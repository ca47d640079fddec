package check

import (
	"cmp"
	"context"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// renaming is what a change calls otherwise: names in its code, and files. Text only
// proposes it. What decides is that the old tests, in the words of now, pass.
type renaming struct {
	names map[string]string
	moves map[string]string // of paths, but for those of tests, which nothing imports
	moved map[string]string // names that kept theirs in another source, with its path
}

func (r renaming) none() bool { return len(r.names)+len(r.moves) == 0 }

var (
	lexemePattern = lazyregexp.New("\"(?:\\\\.|[^\"\\\\\n])*\"|'(?:\\\\.|[^'\\\\\n])*'|`[^`]*`|[\\pL_][\\pL\\d_]*|\\d[\\w.]*|\\S")
	namePattern   = lazyregexp.New(`^[\pL_][\pL\d_]*$`)
	wordPattern   = lazyregexp.New(`[\pL_][\pL\d_]*|[^\pL_\s]`)
	// These find the lines in which a file of tests says where it belongs.
	packagePattern = lazyregexp.New(`(?m)^(?:package|namespace)\b.*`)
	homePattern    = lazyregexp.New(`(?m)^\s*(?:(?:public|final|abstract)\s+)*(?:package|class|module)\b.*`)
)

// renamed finds what a change calls otherwise. A name is another's if both stand in the
// same place of sources, the old one is no longer there, and the new one was not.
func (c *Checker) renamed(ctx context.Context, a across) (renaming, error) {
	r := renaming{names: map[string]string{}, moves: map[string]string{}}
	votes := map[[2]string]int{}
	for _, f := range a.change.Files {
		if f.Old == nil || f.New == nil {
			continue
		}
		if f.Renamed() && f.Old.Kind == f.New.Kind && f.Old.Kind != gates.KindTest && !copied(a.change, f.New) {
			r.moves[f.Old.Path] = f.New.Path
		}
		vote(votes, f.Old.Source, f.New.Source, lexemePattern)
		vote(votes, strings.Join(homePattern().FindAllString(f.Old.Test, -1), "\n"), strings.Join(homePattern().FindAllString(f.New.Test, -1), "\n"), lexemePattern)
	}
	if r.moved = movedNames(a.change); len(votes)+len(r.moved) == 0 {
		return r, nil
	}
	was, now, err := ofBoth(ctx, a.old, a.tree, func(ctx context.Context, tree gitx.ID) (vocabulary, error) {
		return c.vocabulary(ctx, a.project.Language, tree)
	})
	r.elect(votes, was, now)
	maps.DeleteFunc(r.moved, func(name, _ string) bool { return now[name] != 1 })
	return r, err
}

// OnlyRenames reports whether the tests of a change that was taken apart read as they did but
// for what its sources call otherwise, which may be in their titles, too.
func (c *Checker) OnlyRenames(ctx context.Context, d Derived) (bool, error) {
	r, err := c.renamed(ctx, across{project: d.Project, change: d.Change, old: d.Base.Tree, tree: d.Green.Tree})
	same := func(was, now string) bool { return was == now || r.names[was] == now }
	return err == nil && !r.none() && !slices.ContainsFunc(d.Change.Files, func(f gates.FileChange) bool {
		return f.TouchesTest() && (f.Old == nil || f.New == nil ||
			!slices.EqualFunc(wordPattern().FindAllString(f.Old.Test, -1), wordPattern().FindAllString(f.New.Test, -1), same))
	}), err
}

// OldTestsPass reports whether all tests that passed before do so with the change, in the words
// that they had.
func (c *Checker) OldTestsPass(ctx context.Context, d Derived) (bool, error) {
	a, err := c.acrossOf(ctx, d)
	if err != nil {
		return false, err
	}
	found, err := c.crossed(ctx, a, renaming{})
	return err == nil && a.passing(found.facts) == len(a.before.With(gates.StatusPassed)), err
}

// copied reports whether a change adds another source that declares what one declares:
// then nothing shows which of them the others became.
func copied(change gates.Change, f *gates.File) bool {
	own := scan.Names(f.Source)
	return slices.ContainsFunc(change.Files, func(other gates.FileChange) bool {
		return other.Old == nil && other.New.Kind == gates.KindSource &&
			slices.ContainsFunc(slices.Collect(maps.Keys(scan.Names(other.New.Source))), func(name string) bool { return own[name] > 0 })
	})
}

// vote notes which tokens stand in the places of others, where two texts differ.
func vote(votes map[[2]string]int, before, after string, token lazyregexp.Regexp) {
	for _, h := range hunks(before, after) {
		a, b := token().FindAllString(strings.Join(h.was, ""), -1), token().FindAllString(strings.Join(h.now, ""), -1)
		if len(a)+len(b) > maxLines {
			continue
		}
		all, _ := differences(a, b)
		for _, d := range all {
			for k := 0; d.gone == d.came && k < d.came; k++ {
				votes[[2]string{a[d.i+k], b[d.j+k]}]++
			}
		}
	}
}

func lexemes(text string) []string { return lexemePattern().FindAllString(text, -1) }

// elect takes the votes for names that are gone and names that are new, each once. What
// calls of sources became something else in one place than in another has no one name now.
func (r renaming) elect(votes map[[2]string]int, was, now vocabulary) {
	maps.DeleteFunc(votes, func(p [2]string, _ int) bool {
		return !namePattern.MatchString(p[0]) || !namePattern.MatchString(p[1]) || now.keeps(p[0], was) || was.keeps(p[1], now)
	})
	pairs := slices.SortedFunc(maps.Keys(votes), func(a, b [2]string) int {
		return cmp.Or(votes[b]-votes[a], strings.Compare(a[0], b[0]), strings.Compare(a[1], b[1]))
	})
	taken := map[string]bool{}
	for _, p := range pairs {
		rival := slices.ContainsFunc(pairs, func(q [2]string) bool { return q[0] == p[0] && q[1] != p[1] && now[q[1]] > 0 })
		if _, known := r.names[p[0]]; !known && !taken[p[1]] && !rival {
			r.names[p[0]], taken[p[1]] = p[1], true
		}
	}
}

// vocabulary counts the names of some sources: how often each is declared, and zero for
// what is only mentioned.
type vocabulary map[string]int

// keeps reports whether a name that other sources have is one of these: what is declared
// there may be a local name here.
func (v vocabulary) keeps(name string, others vocabulary) bool {
	declared, mentioned := v[name]
	return declared > 0 || mentioned && others[name] == 0
}

func (c *Checker) vocabulary(ctx context.Context, lang testrun.Language, tree gitx.ID) (vocabulary, error) {
	v := vocabulary{}
	return v, c.eachSource(ctx, lang, tree, func(f *gates.File, code string) { v.add(f.Source, code) })
}

// add adds the names of a source, whose code is what is left without its comments.
func (v vocabulary) add(source, code string) {
	for _, token := range lexemes(code) {
		v[token] += 0
	}
	for name := range scan.Names(source) {
		v[name]++
	}
}

// follow is the text of a test of before in the words of now, for the place where the
// change has it.
func (r renaming) follow(f gates.FileChange, text, to string) string {
	from := f.Old.Path
	if from != to {
		text = strings.Replace(text, packagePattern().FindString(text), packagePattern().FindString(f.New.Test), 1)
	}
	var out strings.Builder
	for line := range strings.Lines(text) {
		out.WriteString(r.renames(r.leads(line, path.Dir(from), path.Dir(to))))
	}
	return out.String()
}

// renames gives the names in a line those of now, but for what is in quotes: that may be
// what is expected. What is put into a text from code is code.
func (r renaming) renames(line string) string {
	return lexemePattern().ReplaceAllStringFunc(line, func(token string) string {
		if strings.ContainsAny(token[:1], "\"`") {
			return insertPattern().ReplaceAllStringFunc(token, r.renames)
		}
		return cmp.Or(r.names[token], token)
	})
}

var (
	insertPattern   = lazyregexp.New(`\$\([^)"]*\)|[$#]?\{[^}"]*\}`)
	relativePattern = lazyregexp.New(`\.\.?/[\w./-]*\w`)
	// importPattern finds the lines that name what a file needs of others.
	importPattern = lazyregexp.New(`^\s*(?:\w+\s+)?"[^"]+"\s*$|^\s*\.\s|\b(?:import|from|use|using|require\w*|include\w*|source|load|mod|extern)\b`)
)

// leads makes the paths in a line lead to where their files are now.
func (r renaming) leads(line, from, to string) string {
	if relativePattern.MatchString(line) {
		return relativePattern().ReplaceAllStringFunc(line, func(rel string) string {
			file := path.Join(from, rel)
			if target := r.target(file); from != to || target != file {
				return relative(to, target)
			}
			return rel
		})
	}
	if !importPattern.MatchString(line) {
		return line
	}
	for _, old := range slices.Sorted(maps.Keys(r.moves)) {
		for _, way := range ways(old, r.moves[old]) {
			if said, ok := leadsTo(line, way[0], way[1]); ok {
				return said
			}
		}
	}
	return line
}

// target is where a file is now whose path may lack what follows its last dot.
func (r renaming) target(file string) string {
	for old, moved := range r.moves {
		switch file {
		case old:
			return moved
		case strings.TrimSuffix(old, path.Ext(old)):
			return strings.TrimSuffix(moved, path.Ext(moved))
		}
	}
	return file
}

// relative is a path from a folder, as imports have it.
func relative(dir, target string) string {
	rel, _ := filepath.Rel(dir, target) // both lie in the tree
	if rel = filepath.ToSlash(rel); !strings.HasPrefix(rel, "../") {
		rel = "./" + rel
	}
	return rel
}

// ways are the parts of two paths by which a language may name a file, or its folder.
func ways(old, moved string) [][2][]string {
	bare := func(p string) string {
		p = strings.TrimSuffix(p, path.Ext(p))
		if dir, last := path.Split(p); dir != "" && slices.Contains([]string{"mod", "index", "__init__"}, last) {
			return path.Clean(dir)
		}
		return p
	}
	out := [][2][]string{{strings.Split(old, "/"), strings.Split(moved, "/")}, {strings.Split(bare(old), "/"), strings.Split(bare(moved), "/")}}
	if from, to := path.Dir(old), path.Dir(moved); from != to && from != "." && to != "." {
		out = append(out, [2][]string{strings.Split(from, "/"), strings.Split(to, "/")})
	}
	return out
}

// leadsTo replaces a path in a line: all of it, or what follows a root that both have.
func leadsTo(line string, old, moved []string) (string, bool) {
	separator := "."
	for _, s := range []string{"\"", "'", `\`, "::"} {
		if strings.Contains(line, s) {
			separator = s
		}
	}
	if strings.ContainsAny(separator, "\"'") {
		separator = "/"
	}
	for root := range old {
		if root > 0 && (root >= len(moved) || !slices.Equal(old[:root], moved[:root])) {
			break
		}
		was, now := strings.Join(old[root:], separator), strings.Join(moved[root:], separator)
		if at := regexp.MustCompile(`\b` + regexp.QuoteMeta(was) + `\b`).FindStringIndex(line); at != nil {
			return line[:at[0]] + now + line[at[1]:], true
		}
	}
	return line, false
}
