package javascript

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/syntax"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

// foreignPattern matches the name of a module that is none of the project's files: what
// is imported by it, and the module itself.
var foreignPattern = lazyregexp.New(`(?:\bfrom|\bimport|\brequire\(|\bimport\()\s*["'](#?@?[^"'.][^"']*)["']`)

// startsPattern matches what starts programs, which may read anything.
var startsPattern = lazyregexp.New(`["'](?:node:)?(?:child_process|cluster)["']|["'](?:execa|cross-spawn|tinyexec|nano-spawn|zx)["']`)

// uses says what the files of a project use: whatever their strings name by a relative
// path. Tests use their snapshots, the manifest and what configures the runners.
func uses(p testrun.Sources) testrun.Uses {
	g := graph{Sources: p, there: map[string]bool{}, manifest: manifestOf(p, ""), uses: testrun.Uses{}}
	for _, name := range p.Paths {
		g.there[name] = true
		if path.Dir(name) == "." && kindOf(name) == gates.KindConfig && !strings.Contains(name, "lock") {
			g.configuration = append(g.configuration, name)
		}
	}
	isTest := func(name string) bool { return kindOf(name) == gates.KindTest }
	for _, name := range g.configuration { // a pattern that matches tests says where they are, and uses none
		g.strings(name, p.Read(name), func(word string) (string, bool) {
			return strings.TrimPrefix(word, "<rootDir>/"), !strings.ContainsAny(word, "*?{[") || !slices.ContainsFunc(g.files(path.Clean(word)), isTest)
		})
	}
	for _, name := range p.Paths {
		if scriptPattern.MatchString(name) && kindOf(name) != gates.KindConfig && !strings.Contains("/"+name, "/__mocks__/") {
			g.script(name, p.Read(name))
		}
	}
	return g.uses
}

// scriptPattern matches the names of files that are run, or made into such.
var scriptPattern = lazyregexp.New(`\.(?:[cm]?[jt]sx?|vue|svelte)$`)

func kindOf(name string) gates.Kind { return testrun.Language{Rules: rules()}.Kind(name) }

// graph is what the files of a project use, while it is found out.
type graph struct {
	testrun.Sources

	there         map[string]bool
	manifest      manifest
	configuration []string // of the runners, and the manifest
	uses          testrun.Uses
}

// script notes what a file that is run uses.
func (g graph) script(name, text string) {
	g.strings(name, text, func(word string) (string, bool) { return word, strings.HasPrefix(word, ".") })
	kind := kindOf(name)
	if kind == gates.KindTest {
		g.uses.Add(name, g.configuration...)
		g.uses.Add(name, g.files(path.Join(path.Dir(name), "__snapshots__", path.Base(name)+".snap"))...)
	}
	unknown := func(m []string) bool { return !g.installed(m[1]) } // an alias, or the project by its own name
	if kind != gates.KindSource && startsPattern.MatchString(text) || slices.ContainsFunc(foreignPattern().FindAllStringSubmatch(text, -1), unknown) {
		g.uses.Add(name, testrun.Anything)
	}
}

// strings notes the files that the strings of a file name. isPath says which of them are
// paths, as seen from the file's folder.
func (g graph) strings(name, text string, isPath func(string) (string, bool)) {
	g.uses.Add(name)
	tree := page().Parse(text)
	for i := range tree.Len() {
		if tree.Kind(i) != syntax.Text {
			continue
		}
		word, ok := isPath(tree.Quoted(i))
		if open := strings.Index(word, "${"); open >= 0 {
			word = word[:open] + "*/**" // whatever follows
		}
		if at := path.Join(path.Dir(name), word); ok && !strings.HasPrefix(at, "..") {
			g.uses.Add(name, g.files(at)...)
		}
	}
}

// files lists the files that an import of a path may mean, or a pattern.
func (g graph) files(at string) []string {
	if strings.ContainsAny(at, "*?{[") {
		return slices.DeleteFunc(slices.Clone(g.Paths), func(name string) bool {
			ok, err := doublestar.Match(at, name)
			return !ok && err == nil
		})
	}
	var out []string
	for _, start := range []string{at, strings.TrimSuffix(at, path.Ext(at)), path.Join(at, "index")} {
		for ending := range strings.SplitSeq("|.js|.mjs|.cjs|.jsx|.ts|.mts|.cts|.tsx|.d.ts|.json|.vue|.svelte", "|") {
			if g.there[start+ending] {
				out = append(out, start+ending)
			}
		}
	}
	return out
}

// installed reports whether a module is node's own, or a package of the manifest.
func (g graph) installed(module string) bool {
	parts := strings.Split(module, "/")
	name := parts[0]
	if strings.HasPrefix(name, "@") && len(parts) > 1 {
		name += "/" + parts[1]
	}
	return strings.HasPrefix(module, "node:") || g.manifest.depends(name) || strings.Contains(builtins, " "+name+" ")
}

// builtins are node's own modules that need no "node:" before their names.
const builtins = ` assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http http2 https inspector module net os path perf_hooks process punycode querystring readline repl stream string_decoder timers tls trace_events tty url util v8 vm wasi worker_threads zlib `

// narrow is a command that runs only the files of a few tests. What npm runs is not
// known here, and is left alone.
func narrow(argv []string, tests []gates.Test) []string {
	at := slices.IndexFunc(argv, func(arg string) bool {
		return slices.Contains([]string{"node", "vitest", "jest"}, output.Program(arg))
	})
	if at < 0 || at > 0 && !slices.Contains([]string{"npx", "pnpm", "yarn", "bunx"}, output.Program(argv[0])) {
		return nil
	}
	files := gates.Each(tests, func(t gates.Test) string { return t.File })
	slices.Sort(files)
	runner, options := output.Program(argv[at]), argv[at+1:]
	unfit := runner == "node" && !slices.Contains(options, "--test") || runner == "vitest" && slices.Index(options, "run") != 0
	kept, known := withoutFiles(options)
	if len(files) == 0 || files[0] == "" || unfit || !known {
		return nil
	}
	more := map[string][]string{"vitest": {"run"}, "jest": {"--runTestsByPath"}}[runner]
	return slices.Concat(argv[:at+1], more, kept, slices.Compact(files))
}

// withoutFiles keeps the options of a command. known is false where a word might be
// the value of one.
func withoutFiles(options []string) (kept []string, known bool) {
	valued := strings.Fields(`--import --require -r --loader --experimental-loader --env-file --conditions -C
		--test-concurrency --test-timeout --config -c --project --environment --pool`)
	for i, arg := range options {
		switch {
		case strings.HasPrefix(arg, "-"), i > 0 && slices.Contains(valued, options[i-1]):
			kept = append(kept, arg)
		case i > 0 && strings.HasPrefix(options[i-1], "-") && options[i-1] != "--test" && !strings.ContainsAny(arg, "./*"):
			return nil, false
		}
	}
	return kept, true
}
