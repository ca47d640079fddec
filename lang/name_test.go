package lang_test

import (
	"go/token"
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/lang"
)

func TestIdentifier(t *testing.T) {
	t.Parallel()
	for project, want := range map[string]struct{ rust, golang string }{
		"bowling":                      {"bowling", "bowling"},
		"Bowling Game":                 {"bowling_game", "bowlinggame"},
		"bank-ocr":                     {"bank_ocr", "bankocr"},
		"bank__ocr--v2.0":              {"bank_ocr_v2_0", "bankocrv20"},
		"_private_":                    {"private", "private"},
		"my.kata":                      {"my_kata", "mykata"},
		"a/b\\c":                       {"a_b_c", "abc"},
		"Mañana Übung":                 {"manana_ubung", "mananaubung"},
		"ﬁnal²":                        {"final2", "final2"},
		"Straße":                       {"stra_e", "strae"},
		"3d":                           {"kata_3d", "kata3d"},
		"2024-10-01":                   {"kata_2024_10_01", "kata20241001"},
		"":                             {"kata", "kata"},
		".":                            {"kata", "kata"},
		"日本":                           {"kata", "kata"},
		"😀 kata \x00\xff":              {"kata", "kata"},
		"test":                         {"test_kata", "testkata"},
		"std":                          {"std_kata", "stdkata"},
		"core":                         {"core_kata", "core"},
		"proc-macro":                   {"proc_macro_kata", "procmacro"},
		"Self":                         {"self_kata", "self"},
		"gen":                          {"gen_kata", "gen"},
		"u8":                           {"u8_kata", "u8"},
		"func":                         {"func", "funckata"},
		"Main":                         {"main", "mainkata"},
		"strings":                      {"strings", "stringskata"},
		"documentation":                {"documentation", "documentationkata"},
		"t-e-s-t":                      {"t_e_s_t", "testkata"},
		"CON":                          {"con_kata", "conkata"},
		strings.Repeat("x", 300):       {strings.Repeat("x", 64), strings.Repeat("x", 64)},
		strings.Repeat("1", 300):       {"kata_" + strings.Repeat("1", 59), "kata" + strings.Repeat("1", 60)},
		strings.Repeat("x", 63) + " y": {strings.Repeat("x", 63), strings.Repeat("x", 63) + "y"},
	} {
		if got := scaffoldOf(t, "rust").Identifier(project); got != want.rust {
			t.Errorf("Rust: %q becomes %q, want %q", project, got, want.rust)
		}
		if got := scaffoldOf(t, "go").Identifier(project); got != want.golang {
			t.Errorf("Go: %q becomes %q, want %q", project, got, want.golang)
		}
	}
}

func TestIdentifierInScripts(t *testing.T) {
	t.Parallel()
	for project, want := range map[string]struct{ python, javascript string }{
		"Bowling Game": {"bowling_game", "bowling-game"},
		"bank--ocr v2": {"bank_ocr_v2", "bank-ocr-v2"},
		"3d":           {"kata_3d", "kata-3d"},
		"test":         {"test_kata", "test-kata"},
		"json":         {"json_kata", "json"},
		"None":         {"none_kata", "none"},
		"":             {"kata", "kata"},
	} {
		if got := scaffoldOf(t, "python").Identifier(project); got != want.python {
			t.Errorf("Python: %q becomes %q, want %q", project, got, want.python)
		}
		if got := scaffoldOf(t, "javascript").Identifier(project); got != want.javascript {
			t.Errorf("JavaScript: %q becomes %q, want %q", project, got, want.javascript)
		}
	}
}

func TestGoKeywordsAreKnown(t *testing.T) {
	t.Parallel()
	for k := token.BREAK; k <= token.VAR; k++ {
		if word := k.String(); token.IsKeyword(word) && scaffoldOf(t, "go").Identifier(word) == word {
			t.Errorf("the keyword %s is not taken", word)
		}
	}
}

// What a project may be called, by the conventions of its language.
var (
	snakePattern = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	plainPattern = regexp.MustCompile(`^[a-z][a-z0-9]*$`)
	kebabPattern = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
)

func FuzzIdentifier(f *testing.F) {
	for _, seed := range []string{"Bowling Game", "", "3d", "test", "日本", "a\u0301\x00-b", "__", "proc macro"} {
		f.Add(seed)
	}
	want := map[string]*regexp.Regexp{
		"rust": snakePattern, "python": snakePattern, "cpp": snakePattern,
		"go": plainPattern, "java": plainPattern,
		"javascript": kebabPattern, "typescript": kebabPattern,
	}
	f.Fuzz(func(t *testing.T, project string) {
		for _, l := range lang.All() {
			if !l.Scaffold.Exists() {
				continue
			}
			language := l.Name
			taken, err := fs.ReadFile(l.Scaffold.Files, "scaffold/taken.txt")
			if err != nil {
				t.Fatal(err)
			}
			got := scaffoldOf(t, language).Identifier(project)
			switch {
			case !want[language].MatchString(got) || len(got) > 64:
				t.Errorf("%s: %q becomes %q, which is not legal", language, project, got)
			case slices.Contains(strings.Fields(string(taken)+" con nul"), got):
				t.Errorf("%s: %q becomes %q, which is taken", language, project, got)
			case scaffoldOf(t, language).Identifier(got) != got:
				t.Errorf("%s: %q becomes %q, and that %q", language, project, got, scaffoldOf(t, language).Identifier(got))
			}
		}
	})
}
