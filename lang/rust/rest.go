package rust

import (
	"context"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/testrun"
)

// keepGoing makes cargo build as much as it can after an error.
const keepGoing = "--keep-going"

// buildRest builds again what a test command could not build, and this time all
// of it. cargo test starts no build after one that failed, so which errors it
// shows is a matter of luck, and an error of one class could hide another.
func (c *testRun) buildRest(ctx context.Context) error {
	whole := wholeBuild(c.argv)
	if c.build.ok || !c.build.finished || c.end.Exit == 0 || whole == nil {
		return nil
	}
	again := newCargoBuild(c.places)
	end, err := c.session.Run(ctx, testrun.Job{Name: "test", Argv: whole, Env: c.env, Line: func(line []byte) string {
		show, _ := again.read(line)
		return show
	}})
	if err != nil {
		return err
	}
	if _, stopped := end.Trouble(); stopped {
		c.end = end
	}
	c.build.note(again.diagnostics)
	return nil
}

// wholeBuild is the build of the targets that a test command builds, which goes
// on after an error; nil where the command names single targets, which are not
// many.
func wholeBuild(argv []string) []string {
	at := slices.IndexFunc(argv, func(a string) bool { return slices.Contains([]string{"test", "t", "nextest"}, a) })
	if at < 1 {
		return nil
	}
	profile := "--profile"
	if argv[at] == "nextest" {
		profile = "--cargo-profile" // the other one is nextest's own
	}
	rest := ownArgs(argv[at+1:])
	if slices.ContainsFunc(rest, singleTarget) {
		return nil
	}
	out := append(slices.Clone(argv[:at]), "build", keepGoing, "--message-format=json")
	for i, arg := range rest {
		name, value, joined := strings.Cut(arg, "=")
		switch {
		case slices.Contains(strings.Fields(plainFlags), arg):
			out = append(out, arg)
		case name != profile && !slices.Contains(strings.Fields(valueFlags), name):
		case joined:
			out = append(out, strings.Replace(name, profile, "--profile", 1)+"="+value)
		case i+1 < len(rest):
			out = append(out, strings.Replace(name, profile, "--profile", 1), rest[i+1])
		}
	}
	if !slices.Contains(out, "--all-targets") {
		out = append(out, "--tests")
	}
	return out
}

// singleTarget reports whether an argument names targets one by one.
func singleTarget(arg string) bool {
	name, _, _ := strings.Cut(arg, "=")
	return slices.Contains(strings.Fields("--lib --bin --bins --test --example --examples --bench --benches --doc"), name)
}

// plainFlags and valueFlags decide what is built. Any other argument says which
// tests run, and how.
const (
	plainFlags = "--all-targets --workspace --all --all-features --no-default-features --release -r --locked --offline --frozen --ignore-rust-version"
	valueFlags = "-p --package --exclude -F --features --manifest-path --target --target-dir --config -Z"
)
