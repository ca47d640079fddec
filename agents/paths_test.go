package agents

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

// aTree has an example of every kind of entry.
func aTree() map[string]string {
	return map[string]string{
		"src/lib.rs":          "100644",
		"src/Größe.rs":        "100644", // composed
		"tests/calculator.rs": "100644",
		"run.sh":              "100755",
		"link":                "120000",
		"docs/up":             "120000",
		"vendor/dep":          "160000",
		"aux/nul.c":           "100644", // made on Linux, long ago
		"old:name":            "100644",
		"both":                "100644",
		"Both":                "100644",
	}
}

func upsertOf(paths ...string) EditPlan {
	var plan EditPlan
	for _, p := range paths {
		plan.Edits = append(plan.Edits, Edit{Path: p, Action: Upsert, Content: "x"})
	}
	return plan
}

func unprotected(string) (why string, bad bool) { return "", false }

func TestCheckPathsAccepts(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"src/lib.rs", "src/new.rs", "a/b/c/d.txt", "run.sh", "README.md", ".gitignore", ".github/x", ".gitkeep",
		"src/Größe.rs", "src/日本語.rs", "src/привет.py", "emoji/😀.md", "app/[id]/page.tsx", "a b/c d.txt", "..a", "a..b", "...a",
		"git", "gitfoo", "x.git", "src/.gitx", "tddx", "aux/nul.c", "aux/more.c", "old:name", "both", "Both",
		"common.rs", "console.go", "com.rs", "com10.rs", "nulls", "a~b", "backup~", strings.Repeat("a", 240), strings.Repeat("d/", 32) + "a",
		"-rf", "$HOME/x", "%2e%2e/x", "`id`", "a;b", "a'b",
	} {
		if problems := CheckPaths(upsertOf(path), aTree(), unprotected); problems != nil {
			t.Errorf("%q: %v", path, problems)
		}
	}
}

func TestCheckPathsRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string][]string{
		"no path":        {""},
		"absolute":       {"/etc/passwd", "//x", "/"},
		"segment":        {"..", "../x", "a/../../x", "a/..", ".", "./a", "a/./b", "a//b"},
		"a slash":        {"a/", "src/"},
		"backslash":      {`a\b`, `..\x`, `\\host\share\x`, `.git\hooks\x`},
		"control":        {"a\x00b", "a\nb", "a\rb", "a\tb", "a\x1b[31m", "a\u0085b", "a\x7f"},
		"not UTF-8":      {"a\xffb", "\xc0\xae\xc0\xae/x"},
		"drive":          {"C:/x", "c:x", "z:"},
		"bytes":          {strings.Repeat("a", 256), strings.Repeat("ab/", 1400) + "x", strings.Repeat("ü", 128)},
		"folders":        {strings.Repeat("d/", 33) + "a", strings.Repeat("d/", 100) + "a"},
		"path of 2":      {strings.Repeat("a", 241), "src/" + strings.Repeat("ü", 119)},
		"steers git":     {".git", ".git/config", ".GIT/hooks/pre-commit", "a/.git/x", ".Git", ".git.", ".git ", ".git...", ".git. .", "git~1", "GIT~1/x", "git~2", ".g\u200cit", ".g\u200cit/x", "\ufeff.git", ".gi\u202et", ".git::$INDEX_ALLOCATION", ".git:x", ".ｇｉｔ", "．git/config", "a/b/.gIt /c", ".gitmodules", ".GitModules", ".gitmodules ", "gitmod~1", "GI7EBA~1", ".tdd/logs/x", ".TDD/x", ".tdd.yaml", "tdd.yaml", "TDD.YAML", "sub/.Tdd.Yaml", ".tdd.yaml.", "tdd~1"},
		"symlink":        {"link", "link/x", "docs/up", "docs/up/x"},
		"submodule":      {"vendor/dep", "vendor/dep/x"},
		"only in case":   {"SRC/lib.rs", "src/LIB.rs", "src/Lib.rs", "Src/new.rs", "LINK/x", "Vendor/dep/x", "src/Gro\u0308ße.rs", "src/GRÖSSE.rs", "src/lib\u200b.rs", "ſrc/x", "bOTH", "run.ſh"},
		"a directory":    {"src", "docs", "vendor"},
		"not a":          {"src/lib.rs/x", "run.sh/y"},
		"Windows":        {"con", "CON", "nul.txt", "Aux.rs", "com1", "lpt9.log", "com¹", "prn .txt", "conin$", "a/NUL/b", "progra~1", "abc~1.txt"},
		"dot or a space": {"a.", "b ", "a./b", "c /d"},
		"begins with":    {" a"},
		"one of the":     {"ab:c", "a?", "a*", "a<b", "a>b", `a"b`, "a|b", "xy:$DATA"},
		"invisible":      {"a\u200bb", "a\u202eb", "a\ufeffb", "x\u2066y", "a\u00adb", "a\U000E0041b"},
	}
	for want, paths := range tests {
		for _, path := range paths {
			problems := CheckPaths(upsertOf(path), aTree(), unprotected)
			if len(problems) != 1 || !strings.Contains(problems[0].Seen, want) || problems[0].Remedy == "" || problems[0].Path != path {
				t.Errorf("%q: got %v, want one problem that says %q", path, problems, want)
			}
		}
	}
}

func TestCheckPathsSeesOtherEdits(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		paths []string
		want  string
	}{
		"case":               {[]string{"new/a.rs", "new/A.rs"}, "only in case"},
		"case of a parent":   {[]string{"new/a.rs", "New/b.rs"}, "only in case"},
		"normalisation":      {[]string{"é.rs", "e\u0301.rs"}, "only in case"},
		"directory in file":  {[]string{"new", "new/a.rs"}, "not a directory"},
		"file on directory":  {[]string{"new/a.rs", "new"}, "a directory"},
		"folded dir in file": {[]string{"new", "NEW/a.rs"}, "only in case"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			problems := CheckPaths(upsertOf(tt.paths...), aTree(), unprotected)
			if len(problems) != 1 || !strings.Contains(problems[0].Seen, tt.want) || problems[0].Path != tt.paths[1] {
				t.Errorf("got %v, want %q", problems, tt.want)
			}
		})
	}
	if problems := CheckPaths(upsertOf("new/a.rs", "new/b.rs", "src/c.rs"), aTree(), unprotected); problems != nil {
		t.Error(problems)
	}
}

func TestCheckPathsOfDeletions(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{"src/lib.rs": "", "src/no.rs": "does not exist", "src": "a directory", "link": "symlink", "SRC/lib.rs": "only in case", ".git/config": "steers"} {
		problems := CheckPaths(EditPlan{Edits: []Edit{{Path: path, Action: Delete}}}, aTree(), unprotected)
		if want == "" && problems != nil || want != "" && (len(problems) != 1 || !strings.Contains(problems[0].Seen, want)) {
			t.Errorf("%s: got %v, want %q", path, problems, want)
		}
	}
}

func TestCheckPathsAsksForProtectedFiles(t *testing.T) {
	t.Parallel()
	protected := func(path string) (string, bool) { return "CI", strings.HasPrefix(path, ".github/") }
	for _, path := range []string{".github/workflows/ci.yml", ".GitHub/workflows/ci.yml", ".git\u200chub/x"} {
		problems := CheckPaths(upsertOf(path), map[string]string{}, protected)
		if len(problems) != 1 {
			t.Errorf("%q: got %v, want one problem", path, problems)
		}
	}
}

// trickySegments are path segments that some systems interpret in their own
// way.
func trickySegments() []string {
	return []string{
		"", ".", "..", "a", "b.rs", ".git", ".GIT", ".git.", ".git ", "git~1", "GIT~1", "g\u200cit", ".g\u200cit", ".git\u200d", "\u200e.git",
		".git::$INDEX_ALLOCATION", ".git:x", ".gitmodules", ".gitmodules.", "GI7EB~1", "gitmod~1", ".gitattributes", "gitatt~1", ".gi\ufefft",
		".tdd", "con", "nul.x", "a\\b", "..\\x", "C:", "x\x00", "x\n", "\u2025", "\u2024\u2024", "．．", "。", "／", "a／b", "é", "e\u0301", "ſ",
		".GİT", ".gıt", ".gi\u034ft", ".g\u00adit", "... ", ". .", ".. ", " ..", "~", "-x", "*", "\xff", "\u202e", "...",
	}
}

func trickyPath(r *rand.Rand) string {
	all := trickySegments()
	parts := make([]string, 1+r.IntN(3))
	for i := range parts {
		parts[i] = all[r.IntN(len(all))]
		if r.IntN(6) == 0 {
			parts[i] += all[r.IntN(len(all))]
		}
	}
	return strings.Join(parts, "/")
}

// stays checks that an accepted path stays inside.
func stays(t *testing.T, path string) {
	t.Helper()
	if !utf8.ValidString(path) || !filepath.IsLocal(path) || filepath.ToSlash(filepath.Clean(path)) != path {
		t.Errorf("accepted %q, which is not local and clean", path)
	}
}

// TestGitAcceptsWhatPasses asks git itself, with its protection for HFS+ and
// NTFS switched on. update-index skips a path it does not like, so the index is
// read back.
func TestGitAcceptsWhatPasses(t *testing.T) {
	t.Parallel()
	r := gittest.New(t)
	blob := r.Feed("x", "hash-object", "-w", "--stdin")
	random := rand.New(rand.NewPCG(1, 2))
	var accepted []string
	var input strings.Builder
	for i := range 20_000 {
		path := trickyPath(random)
		if CheckPaths(upsertOf(path), nil, unprotected) != nil {
			continue
		}
		stays(t, path)
		path = strconv.Itoa(i) + "/" + path // so that none is in another's way
		accepted = append(accepted, path)
		input.WriteString("100644 " + blob + "\t" + path + "\x00")
	}
	r.Feed(input.String(), "-c", "core.protectHFS=true", "-c", "core.protectNTFS=true", "update-index", "-z", "--index-info")
	listed := strings.Split(strings.TrimSuffix(r.Git("ls-files", "-z"), "\x00"), "\x00")
	slices.Sort(accepted)
	slices.Sort(listed)
	if len(accepted) < 200 || !slices.Equal(accepted, listed) {
		t.Errorf("of %d accepted paths git lists %d", len(accepted), len(listed))
	}
}

// FuzzCheckPaths checks accepted paths, and asks git about them.
func FuzzCheckPaths(f *testing.F) {
	for _, s := range trickySegments() {
		f.Add(s)
		f.Add("a/" + s + "/b")
	}
	r := gittest.New(f)
	blob := r.Feed("x", "hash-object", "-w", "--stdin")
	f.Fuzz(func(t *testing.T, path string) {
		if CheckPaths(upsertOf(path), aTree(), unprotected) != nil {
			return
		}
		stays(t, path)
		for _, name := range []string{"src/lib.rs", "link", "vendor/dep"} {
			if path != name && strings.EqualFold(path, name) {
				t.Errorf("accepted %q beside %q", path, name)
			}
		}
		cmd := r.For(t).Command("-c", "core.protectHFS=true", "-c", "core.protectNTFS=true", "update-index", "--add", "--cacheinfo", "100644,"+blob+","+path)
		cmd.Env = append(cmd.Env, "GIT_INDEX_FILE="+filepath.Join(t.TempDir(), "index"))
		gittest.Run(t, cmd)
	})
}
