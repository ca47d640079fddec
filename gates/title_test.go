package gates

import "testing"

func TestDeclaredName_ofATitleInWords(t *testing.T) {
	t.Parallel()
	f := &File{Declared: []string{"adds two numbers", "TestSum"}}
	for id, want := range map[string]string{
		"test/add.test.js::adds two numbers": "adds two numbers",
		"test/add.test.js::adds":             "",
		"calc.TestSum/1,2":                   "TestSum",
	} {
		if got := declaredName(f, id); got != want {
			t.Errorf("%s: %q, want %q", id, got, want)
		}
	}
}
