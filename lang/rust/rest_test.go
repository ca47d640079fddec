package rust

import (
	"strings"
	"testing"
)

func TestWholeBuild(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]string{
		"cargo test": "cargo build --keep-going --message-format=json --tests",
		"cargo +nightly t --all -q name -- --nocapture":    "cargo +nightly build --keep-going --message-format=json --all --tests",
		"cargo test -p a --features=x,y --jobs 3 p":        "cargo build --keep-going --message-format=json -p a --features=x,y --tests",
		"cargo test --all-targets --profile ci":            "cargo build --keep-going --message-format=json --all-targets --profile ci",
		"cargo nextest run --profile ci --cargo-profile=x": "cargo build --keep-going --message-format=json --profile=x --tests",
		"cargo test --test one":                            "",
		"cargo test -- --test":                             "cargo build --keep-going --message-format=json --tests",
		"cargo test --target":                              "cargo build --keep-going --message-format=json --tests",
		"make":                                             "",
	} {
		if got := strings.Join(wholeBuild(strings.Fields(command)), " "); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}
