package cpp

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// cppBuild reads what compilers and linkers of C and C++ print: gcc and clang,
// GNU ld, gold, lld and mold.
type cppBuild struct {
	places *testrun.Places
	dir    string // of the build, relative to the project
	out    []gates.Diagnostic
	object string // the file of which the linker speaks
	symbol string // what lld misses, while it says where

	position, object1, reference, elsewhere *regexp.Regexp
	missing                                 []*regexp.Regexp // find the name that an error misses
	syntax                                  *regexp.Regexp
}

func newCppBuild(p *testrun.Places, dir string) *cppBuild {
	return &cppBuild{
		places: p, dir: dir,
		position:  regexp.MustCompile(`^(.+?):(\d+)(?::\d+)?: (?:fatal )?error: (.*)$`),
		object1:   regexp.MustCompile(`^(?:\S*ld\S*: )?(\S+\.o(?:bj)?)(?:: in function |:\(\.)`),
		reference: regexp.MustCompile("^(?:\\S*ld\\S*: )?(?:([^\\s(]\\S*?):(?:(\\d+):)?\\s?)?(?:\\([^)]*\\): )?undefined reference to [`'‘](.*)['’]$"),
		elsewhere: regexp.MustCompile(`^(?:(?:\S*ld\S*|mold): error: undefined (?:symbol|reference): (.*)|>>> referenced by (?:\S+:(\d+) \()?([^\s()]+?)(?::(\d+))?\)?)$`),
		missing: []*regexp.Regexp{
			regexp.MustCompile(`^(?:use of undeclared identifier|unknown type name|unknown class name) '(?:.*::)?([^']+)'`),
			regexp.MustCompile(`^no (?:member|type|template|struct|class) named '([^']+)' in`),
			regexp.MustCompile(`^[‘'](?:.*::)?~?([\w$]+)(?:\(.*\))?[’'] (?:was not declared|is not a member of|has not been declared|undeclared|does not name a type|` +
				`in (?:namespace|class|struct) .* does not name a|is not a namespace-name|is not a class|is not a type)`),
			regexp.MustCompile(`has no member named [‘']([^’']+)[’']`),
			regexp.MustCompile(`^implicit declaration of function [‘']([^’']+)[’']`),
			regexp.MustCompile(`^call to undeclared function '([^']+)'`),
			regexp.MustCompile(`^no declaration matches [‘'].*?(\w+)\(`),
			regexp.MustCompile(`^[‘'].*?(\w+)(?:\([^)]*\))?(?: const)?[’'] is (?:private|protected) within this context`),
			regexp.MustCompile(`^'(\w+)' is a (?:private|protected) member of`),
		},
		syntax: regexp.MustCompile(`^expected |^stray |^missing terminating|^unterminated |^extraneous |^extra [‘'].*|^unexpected |^(?:un)?matched |` +
			`^invalid preprocessing|^#\w+ without|^empty character|^unable to find numeric literal|^a function-definition is not allowed|^[‘']else[’'] without`),
	}
}

// hear takes in a line.
func (c *cppBuild) hear(raw []byte) {
	line := strings.TrimRight(string(raw), "\r")
	if hit := c.object1.FindStringSubmatch(line); hit != nil {
		c.object = hit[1]
	}
	switch {
	case strings.Contains(line, "undefined reference to"):
		if hit := c.reference.FindStringSubmatch(line); hit != nil {
			n, _ := strconv.Atoi(hit[2]) // digits, or none
			c.undefined(hit[1], n, hit[3], line)
		}
	case strings.Contains(line, "error: undefined") || strings.HasPrefix(line, ">>> "):
		c.lld(c.elsewhere.FindStringSubmatch(line), line)
	default:
		if hit := c.position.FindStringSubmatch(line); hit != nil {
			n, _ := strconv.Atoi(hit[2]) // digits; too many are line 0
			c.note(c.relative(hit[1]), n, hit[3])
		}
	}
}

// relative is a file as it is named in facts.
func (c *cppBuild) relative(name string) string {
	return c.places.Relative(name, filepath.Join(c.places.Dir, c.dir))
}

// lld takes in what lld and mold say of a name, and then where it is missed.
func (c *cppBuild) lld(hit []string, line string) {
	switch {
	case hit == nil:
	case hit[1] != "":
		c.symbol = hit[1]
	case c.symbol != "":
		n, _ := strconv.Atoi(hit[2] + hit[4]) // digits, or none
		c.undefined(hit[3], n, c.symbol, "undefined symbol: "+c.symbol+"; "+strings.TrimPrefix(line, ">>> "))
		c.symbol = ""
	}
}

// undefined notes a name that is declared and nowhere defined. Without debug
// information the linker knows the object only, which CMake names by its source.
func (c *cppBuild) undefined(file string, line int, symbol, message string) {
	at := c.relative(file)
	if at == "" {
		at = c.source(cmp.Or(c.object, file))
	}
	name := regexp.MustCompile(`^(?:vtable|typeinfo|typeinfo name|VTT) for `).ReplaceAllString(symbol, "")
	name, _, _ = strings.Cut(name, "(")
	name = regexp.MustCompile(`<.*>|\[abi:\w+\]`).ReplaceAllString(name, "")
	name = strings.TrimPrefix(name[strings.LastIndexAny(name, ": ")+1:], "~")
	class := gates.ClassMissingSymbol
	if name == "main" || c.places.Of(at, line) != testrun.InTest {
		class, name = gates.ClassCompile, ""
	}
	c.add(gates.Diagnostic{Class: class, Symbol: name, File: at, Line: line, Message: message})
}

// source is the file of which an object was made: "CMakeFiles/x.dir/a/b.cpp.o"
// of a/b.cpp, seen from the folder that says how to build x.
func (c *cppBuild) source(object string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.ToSlash(object), ".o"), ".obj")
	before, rest, ok := strings.Cut(name, ".dir/")
	if !ok {
		return ""
	}
	folder, _, _ := strings.Cut(before, "CMakeFiles/")
	for _, base := range []string{folder, strings.TrimPrefix(folder, c.dir+"/"), ""} {
		if found := c.places.Relative(path.Join(base, rest)); found != "" {
			return found
		}
	}
	return ""
}

// note takes in an error of a compiler.
func (c *cppBuild) note(file string, line int, text string) {
	d := gates.Diagnostic{File: file, Line: line, Message: text}
	d.Class, d.Symbol = c.class(d)
	if d.Class == gates.ClassMissingSymbol && c.places.Of(file, line) != testrun.InTest {
		d.Class, d.Symbol = gates.ClassCompile, "" // no test asked for it
	}
	c.add(d)
}

// add notes a finding once: a header is compiled with each file that includes it.
func (c *cppBuild) add(d gates.Diagnostic) {
	if len(c.out) < 1000 && !slices.Contains(c.out, d) {
		c.out = append(c.out, d)
	}
}

// class says what kind of error a text is, and which name it misses.
func (c *cppBuild) class(d gates.Diagnostic) (gates.Class, string) {
	if hit := regexp.MustCompile(`^'?([^':]+)'?(?:: No such file or directory| file not found)`).FindStringSubmatch(d.Message); hit != nil {
		return c.header(d, hit[1])
	}
	for _, re := range c.missing {
		if hit := re.FindStringSubmatch(d.Message); hit != nil {
			return gates.ClassMissingSymbol, hit[1]
		}
	}
	if c.syntax.MatchString(d.Message) {
		return gates.ClassSyntax, ""
	}
	return gates.ClassCompile, ""
}

// header is the class of a header that is not there: the project's own is
// included in quotes, or from a folder that the project has.
func (c *cppBuild) header(d gates.Diagnostic, name string) (gates.Class, string) {
	base := path.Base(name)
	folder, _, nested := strings.Cut(name, "/")
	quoted := regexp.MustCompile(`#\s*include\s*"` + regexp.QuoteMeta(name) + `"`).MatchString(c.line(d))
	library := regexp.MustCompile(`^(?:gtest|gmock|catch|catch2|doctest|boost|fmt|absl)\b`).MatchString(name)
	own := quoted && !nested && !library || nested && c.hasFolder(folder)
	if !own {
		return gates.ClassInfra, ""
	}
	return gates.ClassMissingSymbol, strings.TrimSuffix(base, path.Ext(base))
}

// line is the text of the line that an error points at.
func (c *cppBuild) line(d gates.Diagnostic) string {
	raw, _ := os.ReadFile(filepath.Join(c.places.Dir, filepath.FromSlash(d.File))) // none has no lines
	lines := strings.Split(string(raw), "\n")
	if d.Line < 1 || d.Line > len(lines) {
		return ""
	}
	return lines[d.Line-1]
}

// hasFolder reports whether the project has a folder of that name.
func (c *cppBuild) hasFolder(name string) bool {
	found := name == "." || name == ".."
	_ = fs.WalkDir(os.DirFS(c.places.Dir), ".", func(at string, d fs.DirEntry, err error) error { // what cannot be read is not there
		switch {
		case err != nil || !d.IsDir():
			return nil //nolint:nilerr // see above
		case at == c.dir, strings.HasPrefix(d.Name(), ".") && at != ".":
			return fs.SkipDir
		case d.Name() == name:
			found = true
			return fs.SkipAll
		}
		return nil
	})
	return found
}

// findings are the errors. What gcc expects on a line that uses an unknown name
// follows from that name.
func (c *cppBuild) findings() []gates.Diagnostic {
	return slices.DeleteFunc(slices.Clone(c.out), func(d gates.Diagnostic) bool {
		return d.Class == gates.ClassSyntax && slices.ContainsFunc(c.out, func(o gates.Diagnostic) bool {
			return o.Class == gates.ClassMissingSymbol && o.File == d.File && o.Line == d.Line
		})
	})
}
