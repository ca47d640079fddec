package agents

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/git-tdd/git-tdd/internal/gittest"
)

func reader(files map[string]string) Read {
	return func(path string) (string, bool, error) {
		content, ok := files[path]
		return content, ok, nil
	}
}

func TestWhole(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		file  string
		edits []Edit
		want  string // the content, or part of the problem
	}{
		"append":               {"a\n", []Edit{{Action: Append, Content: "b\n"}}, "a\nb\n"},
		"append, no last line": {"a", []Edit{{Action: Append, Content: "b\n"}}, "a\nb\n"},
		"append, windows":      {"a\r\nb", []Edit{{Action: Append, Content: "c\n"}}, "a\r\nb\r\nc\r\n"},
		"append to an empty":   {"", []Edit{{Action: Append, Content: "b\n"}}, "b\n"},
		"replace":              {"one two\n", []Edit{{Action: Replace, Old: "two", Content: "three"}}, "one three\n"},
		"replace, windows":     {"a\r\nb\r\nc\r\n", []Edit{{Action: Replace, Old: "a\nb", Content: "x\ny"}}, "x\r\ny\r\nc\r\n"},
		"several parts":        {"one\n", []Edit{{Action: Replace, Old: "one", Content: "two"}, {Action: Replace, Old: "two", Content: "three"}, {Action: Append, Content: "end\n"}}, "three\nend\n"},
		"whole":                {"old\n", []Edit{{Action: Upsert, Content: "new\n"}}, "new\n"},
		"not there":            {"a\n", []Edit{{Action: Replace, Old: "b", Content: "c"}}, `no "b" in it – copy`},
		"otherwise spaced":     {"x\n\tif a {\n", []Edit{{Action: Replace, Old: "    if  a {", Content: "c"}}, "line 2 differs from its first line in white space"},
		"twice":                {"aXa\na\n", []Edit{{Action: Replace, Old: "a", Content: "c"}}, `"a" is in it 3 times, in lines 1, 1, 2`},
		"twice, overlapping":   {"aaa", []Edit{{Action: Replace, Old: "aa", Content: "c"}}, "2 times"},
		"too large":            {strings.Repeat("a", maxFileBytes-10), []Edit{{Action: Append, Content: strings.Repeat("b", 20)}}, "a file of 1048587 bytes"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for i := range tt.edits {
				tt.edits[i].Path = "f"
			}
			got, problems, err := Whole(tt.edits, reader(map[string]string{"f": tt.file}))
			gittest.Check(t, err)
			if len(problems) > 0 {
				if text := (&PlanError{Problems: problems}).Lines()[0]; !strings.Contains(text, tt.want) || !strings.HasPrefix(text, "f: ") {
					t.Errorf("got %q, want %q", text, tt.want)
				}
				return
			}
			if want := fmt.Sprint([]Edit{{Path: "f", Action: Upsert, Content: tt.want}}); fmt.Sprint(got) != want {
				t.Errorf("got %q, want %q", fmt.Sprint(got), want)
			}
		})
	}
}

func TestWholeOfWhatIsNotThere(t *testing.T) {
	t.Parallel()
	got, problems, err := Whole([]Edit{{Path: "a", Action: Append, Content: "x"}, {Path: "c", Action: Delete}}, reader(nil))
	gittest.Check(t, err)
	if len(got) != 2 || got[0].Content != "x" || got[1].Action != Delete || problems != nil {
		t.Errorf("got %+v, %+v", got, problems)
	}
	_, problems, err = Whole([]Edit{{Path: "b", Action: Replace, Old: "x"}}, reader(nil))
	gittest.Check(t, err)
	if len(problems) != 1 || problems[0].Path != "b" {
		t.Errorf("got %+v", problems)
	}
	broken := errors.New("broken")
	if _, _, err := Whole([]Edit{{Path: "a", Action: Append}}, func(string) (string, bool, error) { return "", true, broken }); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}
