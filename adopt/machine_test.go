package adopt

import "testing"

func TestSatisfies(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version, wanted string
		met, known      bool
	}{
		{"3.11.7", ">=3.8", true, true},
		{"3.11.7", ">=3.8,<3.11", false, true},
		{"3.11.7", "~=3.9", true, true},
		{"4.0", "~=3.9", false, true},
		{"3.11.7", "~=3.9.1", false, true},
		{"3.11.7", "==3.11.*", true, true},
		{"3.11.7", ">=3.8, !=3.11.*", false, true},
		{"20.20.2", ">=18 <20", false, true},
		{"20.20.2", "^18.17.0 || >=20", true, true},
		{"20.20.2", ">= 99", false, true},
		{"20.20.2", "18.x || 20.x", true, true},
		{"20.20.2", "18 - 20", true, true},
		{"8.2.1", "^7.4 || ^8.0", true, true},
		{"1.26", ">=1.99", false, true},
		{"20.20.2", "lts/*", false, false},
		{"", ">=1", false, false},
		{"1.2.3", "", false, false},
	} {
		if met, known := satisfies(c.version, c.wanted); met != c.met || known != c.known {
			t.Errorf("%s in %q: %t, %t", c.version, c.wanted, met, known)
		}
	}
}

func TestVersionOf(t *testing.T) {
	t.Parallel()
	const said = "node --version: 0\nv20.20.2\n\nnpm --version: 127\nnot found 1.2.3\n\ngo version: 0\ngo version go1.26.8 linux/amd64\n"
	for tool, want := range map[string]string{"node": "20.20.2", "npm": "", "go": "1.26.8", "python3": ""} {
		if got := versionOf(said, tool); got != want {
			t.Errorf("%s: %q, want %q", tool, got, want)
		}
	}
}
