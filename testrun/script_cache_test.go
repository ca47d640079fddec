package testrun

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestJestKeepsOnlyWhatDependsOnTheFileAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, argv, manifest, file string
		kept                       bool
	}{
		{name: "nothing is set", argv: "npx jest", kept: true},
		{name: "a flag that changes no file", argv: "npx jest --ci -t adds", kept: true},
		{name: "by npm", argv: "npm test", manifest: `{"scripts":{"test":"jest --ci"}}`, kept: true},
		{name: "by npm, in another folder", argv: "npm test", manifest: `{"scripts":{"test":"cd packages/a && jest"}}`},
		{name: "by npm, with settings", argv: "npm test", manifest: `{"scripts":{"test":"jest --config=x.js"}}`},
		{name: "settings of Jest", argv: "npx jest", manifest: `{"jest":{}}`},
		{name: "settings of Babel", argv: "npx jest", manifest: `{"babel":{}}`},
		{name: "a file of Jest's settings", argv: "npx jest", file: "jest.config.ts"},
		{name: "a file of Babel's settings", argv: "npx jest", file: "babel.config.json"},
		{name: "another file of Babel's settings", argv: "npx jest", file: ".babelrc.js"},
		{name: "settings on the command line", argv: "npx jest -c x.js"},
		{name: "another root", argv: "npx jest --rootDir packages/a"},
		{name: "a place of its own", argv: "npx jest --cacheDirectory=here"},
		{name: "none wanted", argv: "npx jest --no-cache"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := &bench{req: Request{Dir: filepath.Join(t.TempDir(), "[a]"), Scratch: "/scratch"}}
			if err := os.Mkdir(b.req.Dir, 0o700); err != nil {
				t.Fatal(err)
			}
			for name, text := range map[string]string{"package.json": c.manifest, c.file: "x"} {
				if name != "" && text != "" {
					if err := os.WriteFile(filepath.Join(b.req.Dir, name), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			got := jestCache(b, strings.Fields(c.argv), readManifest(b.req.Dir))
			if kept := len(got) > 0; kept != c.kept {
				t.Errorf("got %q", got)
			}
		})
	}
}
