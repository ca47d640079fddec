package syntax

import "testing"

func TestTwin(t *testing.T) {
	t.Parallel()
	page := CFamily()
	twin := func(text string, at int, typed bool) string {
		m := mutator{Tree: page.Parse(text), Changing: Changing{Typed: typed}}
		return m.twin(at)
	}
	for text, want := range map[string]string{
		"min(a, b)": "max", "max(a)": "min", "lower()": "upper", "round(a)": "floor", "int(a)": "round",
		"round(a, 2)": "", "min": "", "minimum(a)": "",
		"floor(a)": "round", "ceil(a)": "round", "ceil(a, 2)": "", "int": "",
	} {
		if got := twin(text, 0, false); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	if got := twin("int(a)", 0, true); got != "" {
		t.Errorf("a conversion: %q", got)
	}
	if got := twin("function min(a)", 1, false); got != "" {
		t.Errorf("a declaration: %q", got)
	}
	if got := twin("list.first", 2, false); got != "last" {
		t.Errorf("without brackets: %q", got)
	}
	if got := twin("a.floor", 2, false); got != "round" {
		t.Errorf("a number's own: %q", got)
	}
	if got := twin("math.floor(a)", 2, false) + twin("Math.floor(a)", 2, false); got != "ceilround" {
		t.Errorf("of a module, and of an object: %q", got)
	}
	if got := twin("end.seconds", 2, false); got != "total_seconds()" {
		t.Errorf("of a duration: %q", got)
	}
	for text, c := range map[string]struct {
		at   int
		want string
	}{
		"timedelta(seconds=gap)": {2, "minutes"}, "f(a, days=gap)": {4, "hours"}, "f(seconds)": {2, ""}, "seconds = gap": {0, ""},
		"gap * time.Second": {4, "Minute"}, "Duration.ofMinutes(gap)": {2, "ofSeconds"}, "Duration::from_secs(gap)": {2, "from_millis"}, "TimeUnit.HOURS": {2, "MINUTES"},
	} {
		if got := twin(text, c.at, false); got != c.want {
			t.Errorf("a unit of time, %s: %q, want %q", text, got, c.want)
		}
	}
}
