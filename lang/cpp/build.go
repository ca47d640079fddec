package cpp

import (
	"cmp"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/output"
)

var (
	positionPattern = lazyregexp.New(`^(.+?):(\d+)(?::\d+)?: (?:fatal )?error: (.*)$`)

	// How linkers say what is missing. GNU ld and gold name the object first and
	// then each reference; lld and mold name the symbol first.
	objectPattern    = lazyregexp.New(`^(?:\S*ld\S*: )?(\S+\.o(?:bj)?)(?:: in function |:\(\.)`)
	referencePattern = lazyregexp.New("^(?:\\S*ld\\S*: )?(?:([^\\s(]\\S*?):(?:(\\d+):)?\\s?)?(?:\\([^)]*\\): )?undefined reference to [`'‘](.*)['’]$")
	lldPattern       = lazyregexp.New(`^(?:(?:\S*ld\S*|mold): error: undefined (?:symbol|reference): (.*)|>>> referenced by (?:\S+:(\d+) \()?([^\s()]+?)(?::(\d+))?\)?)$`)
	tablePattern     = lazyregexp.New(`^(?:vtable|typeinfo|typeinfo name|VTT) for `)
	argumentsPattern = lazyregexp.New(`<.*>|\[abi:\w+\]`)

	// How gcc and clang say it.
	missingNamePattern = lazyregexp.New(`^(?:use of undeclared identifier|unknown type name|unknown class name) '(?:.*::)?([^']+)'` +
		`|^no (?:member|type|template|struct|class) named '([^']+)' in` +
		`|^[‘'](?:.*::)?~?([\w$]+)(?:\(.*\))?[’'] (?:was not declared|is not a member of|has not been declared|undeclared|does not name a type|` +
		`in (?:namespace|class|struct) .* does not name a|is not a namespace-name|is not a class|is not a type)` +
		`|has no member named [‘']([^’']+)[’']` +
		`|^implicit declaration of function [‘']([^’']+)[’']` +
		`|^call to undeclared function '([^']+)'` +
		`|^no declaration matches [‘'].*?(\w+)\(` +
		`|^[‘'].*?(\w+)(?:\([^)]*\))?(?: const)?[’'] is (?:private|protected) within this context` +
		`|^'(\w+)' is a (?:private|protected) member of`)
	missingHeaderPattern = lazyregexp.New(`^'?([^':]+)'?(?:: No such file or directory| file not found)`)
	libraryPattern       = lazyregexp.New(`^(?:gtest|gmock|catch|catch2|doctest|boost|fmt|absl)\b`)

	// What is said of a class whose base is unknown names the brace behind it.
	basesPattern = lazyregexp.New(`^expected class[- ]name`)
	basePattern  = lazyregexp.New(`[:,]\s*(?:(?:public|protected|private|virtual)\s+)+(?:\w+::)*(\w+)`)

	syntaxPattern = lazyregexp.New(`^expected |^stray |^missing terminating|^unterminated |^extraneous |^extra [‘'].*|^unexpected |^(?:un)?matched |` +
		`^invalid preprocessing|^#\w+ without|^empty character|^unable to find numeric literal|^a function-definition is not allowed|^[‘']else[’'] without`)
)

// buildLog reads what compilers and linkers of C and C++ print: gcc and clang,
// GNU ld, gold, lld and mold.
type buildLog struct {
	places *testrun.Places
	dir    string // of the build, relative to the project
	found  []gates.Diagnostic
	object string // the file of which the linker speaks
	symbol string // what lld misses, while it says where
}

// read takes in a line.
func (b *buildLog) read(raw []byte) {
	line := strings.TrimRight(string(raw), "\r")
	if hit := objectPattern().FindStringSubmatch(line); hit != nil {
		b.object = hit[1]
	}
	switch {
	case strings.Contains(line, "undefined reference to"):
		if hit := referencePattern().FindStringSubmatch(line); hit != nil {
			b.undefined(hit[1], output.Atoi(hit[2]), hit[3], line)
		}
	case strings.Contains(line, "error: undefined") || strings.HasPrefix(line, ">>> "):
		b.lld(lldPattern().FindStringSubmatch(line), line)
	default:
		if hit := positionPattern().FindStringSubmatch(line); hit != nil {
			d := gates.Diagnostic{File: b.relative(hit[1]), Line: output.Atoi(hit[2]), Message: hit[3]}
			d.Class, d.Symbol = b.class(d)
			b.add(d)
		}
	}
}

// relative is a file as it is named in facts.
func (b *buildLog) relative(name string) string {
	return b.places.Relative(name, filepath.Join(b.places.Dir, b.dir))
}

// lld takes in what lld and mold say: first the name, then where it is missed.
func (b *buildLog) lld(hit []string, line string) {
	switch {
	case hit == nil:
	case hit[1] != "":
		b.symbol = hit[1]
	case b.symbol != "":
		b.undefined(hit[3], output.Atoi(hit[2]+hit[4]), b.symbol, "undefined symbol: "+b.symbol+"; "+strings.TrimPrefix(line, ">>> "))
		b.symbol = ""
	}
}

// undefined notes a name that is declared and nowhere defined. Without debug
// information the linker only knows the object, which CMake names after its source.
func (b *buildLog) undefined(file string, line int, symbol, message string) {
	at := b.relative(file)
	if at == "" {
		at = b.source(cmp.Or(b.object, file))
	}
	name := tablePattern().ReplaceAllString(symbol, "")
	name, _, _ = strings.Cut(name, "(")
	name = argumentsPattern().ReplaceAllString(name, "")
	name = strings.TrimPrefix(name[strings.LastIndexAny(name, ": ")+1:], "~")
	d := gates.Diagnostic{Class: gates.ClassMissingSymbol, Symbol: name, File: at, Line: line, Message: message}
	if name == "main" {
		d.Class, d.Symbol = gates.ClassCompile, ""
	}
	b.add(d)
}

// source is the file that an object was made of: a/b.cpp for
// "CMakeFiles/x.dir/a/b.cpp.o", seen from the folder that says how to build x.
func (b *buildLog) source(object string) string {
	name := strings.TrimSuffix(strings.TrimSuffix(filepath.ToSlash(object), ".o"), ".obj")
	before, rest, ok := strings.Cut(name, ".dir/")
	if !ok {
		return ""
	}
	folder, _, _ := strings.Cut(before, "CMakeFiles/")
	for _, base := range []string{folder, strings.TrimPrefix(folder, b.dir+"/"), ""} {
		if found := b.places.Relative(path.Join(base, rest)); found != "" {
			return found
		}
	}
	return ""
}

// add notes a finding once: a header is compiled with each file that includes it.
func (b *buildLog) add(d gates.Diagnostic) {
	d = b.places.Asked(d)
	if len(b.found) < 1000 && !slices.Contains(b.found, d) {
		b.found = append(b.found, d)
	}
}

// class says what kind of error a text is, and which name it misses.
func (b *buildLog) class(d gates.Diagnostic) (gates.Class, string) {
	if hit := missingHeaderPattern().FindStringSubmatch(d.Message); hit != nil {
		return b.header(d, hit[1])
	}
	if hit := missingNamePattern().FindStringSubmatch(d.Message); hit != nil {
		return gates.ClassMissingSymbol, cmp.Or(hit[1:]...)
	}
	if bases := basePattern().FindAllStringSubmatch(b.places.Line(d.File, d.Line), -1); len(bases) > 0 && basesPattern.MatchString(d.Message) {
		return gates.ClassMissingSymbol, bases[len(bases)-1][1]
	}
	if syntaxPattern.MatchString(d.Message) {
		return gates.ClassSyntax, ""
	}
	return gates.ClassCompile, ""
}

// header is the class of a header that is not there: the project's own is
// included in quotes, or from a folder that the project has.
func (b *buildLog) header(d gates.Diagnostic, name string) (gates.Class, string) {
	base := path.Base(name)
	folder, _, nested := strings.Cut(name, "/")
	quoted := regexp.MustCompile(`#\s*include\s*"` + regexp.QuoteMeta(name) + `"`).MatchString(b.places.Line(d.File, d.Line))
	library := libraryPattern.MatchString(name)
	own := quoted && !nested && !library || nested && b.hasFolder(folder)
	if !own {
		return gates.ClassInfra, ""
	}
	return gates.ClassMissingSymbol, strings.TrimSuffix(base, path.Ext(base))
}

// hasFolder reports whether the project has a folder of that name.
func (b *buildLog) hasFolder(name string) bool {
	for file := range b.places.Files(b.dir, ".*") {
		if strings.Contains("/"+file, "/"+name+"/") {
			return true
		}
	}
	return name == "." || name == ".."
}

// findings are the errors. What gcc says it expected on a line that uses an unknown
// name only follows from that name.
func (b *buildLog) findings() []gates.Diagnostic {
	return slices.DeleteFunc(slices.Clone(b.found), func(d gates.Diagnostic) bool {
		return d.Class == gates.ClassSyntax && slices.ContainsFunc(b.found, func(o gates.Diagnostic) bool {
			return o.Class == gates.ClassMissingSymbol && o.File == d.File && o.Line == d.Line
		})
	})
}
