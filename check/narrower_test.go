package check

import (
	"slices"
	"testing"

	"github.com/git-tdd/git-tdd/syntax"
)

// Which class extends which is read as each language has it, and what a handler names is made
// one of those that extend it, where there are some.
func TestHandlesLess(t *testing.T) {
	t.Parallel()
	for head, want := range map[string][2]string{
		"class Full(Error):":                           {"Full", "Error"},
		"class Full(errors.Error): pass":               {"Full", "Error"},
		"class Full < Journal::Error; end":             {"Full", "Error"},
		"final class Full extends Error {":             {"Full", "Error"},
		`class Full extends \App\Error {`:              {"Full", "Error"},
		"class Full(text: String) : Error(text)":       {"Full", "Error"},
		"struct Full : public std::runtime_error {":    {"Full", "runtime_error"},
		"class Full final : public std::runtime_error": {},
		"class Error:":                                 {},
		"class Full {":                                 {},
	} {
		var got [2]string
		if m := heirPattern().FindStringSubmatch(head); m != nil {
			got = [2]string{m[1], m[2]}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", head, got, want)
		}
	}
	heirs := map[string][]string{"Error": {"Full", "Bad", "Late", "Lost"}, "Other": {"One"}}
	for handler, want := range map[string][]string{
		"except Error as e:":         {"Full for Error", "Bad for Error", "Late for Error"},
		"rescue Other, Error => e":   {"Full for Error", "Bad for Error", "Late for Error"},
		"} catch (const Other& e) {": nil,
		"} catch (e) {":              nil,
	} {
		var got []string
		for _, m := range handlesLess(handler, syntax.Span{End: len(handler)}, heirs) {
			got = append(got, m.What)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", handler, got, want)
		}
	}
}
