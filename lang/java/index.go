package java

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun"
)

// sourceIndex finds the sources of a project by the names that stack traces and
// reports give to the classes in them.
type sourceIndex struct {
	places *testrun.Places
	byName map[string][]string       // paths, by the name of the file
	texts  map[string]string         // what was read of them
	calls  map[string]map[string]int // by file: the line on which a method is first declared or called
	tests  map[string][]string       // the test files that declare a class, by its name; nil until asked for
	module string                    // the folder whose tests are being read: its files come first
}

var (
	sourcePattern  = lazyregexp.New(`\.(java|kt|groovy|scala)$`)
	wordPattern    = lazyregexp.New(`^\w+`)
	callPattern    = lazyregexp.New("(`[^`\n]+`|\\b\\w+)\\s*\\(")
	classPattern   = lazyregexp.New(`\b(?:class|interface|record|object)\s+([\w$]+)`)
	packagePattern = lazyregexp.New(`(?m)^\s*package\s+([\w.]+)`)
)

// newSourceIndex lists the sources of a project.
func newSourceIndex(s *testrun.Session) *sourceIndex {
	x := &sourceIndex{places: s.Places(), byName: make(map[string][]string), texts: make(map[string]string), calls: make(map[string]map[string]int)}
	for name := range x.places.Files("target", "build", ".gradle", "node_modules") {
		if sourcePattern.MatchString(name) {
			x.byName[path.Base(name)] = append(x.byName[path.Base(name)], name)
		}
	}
	return x
}

// text is what a file holds.
func (x *sourceIndex) text(name string) string {
	if _, known := x.texts[name]; !known {
		x.texts[name] = x.places.Text(name)
	}
	return x.texts[name]
}

// frameFile finds the file of a frame in a stack trace, which names a class and the
// last part of the file's path.
func (x *sourceIndex) frameFile(class, file string) string {
	folder := strings.ReplaceAll(class[:strings.LastIndexByte(class, '.')+1], ".", "/")
	return x.nearest(slices.DeleteFunc(slices.Clone(x.byName[file]), func(name string) bool {
		return !strings.HasSuffix("/"+name, "/"+folder+file)
	}))
}

// nearest is the first of some files, those of the module before any other.
func (x *sourceIndex) nearest(found []string) string {
	if len(found) == 0 {
		return ""
	}
	slices.Sort(found)
	return found[max(0, slices.IndexFunc(found, func(name string) bool { return strings.HasPrefix(name, x.module) }))]
}

// find finds the file of a class, and the line of one of its methods.
func (x *sourceIndex) find(class, method string) (file string, line int) {
	outer, _, _ := strings.Cut(class, "$")
	simple := outer[strings.LastIndexByte(outer, '.')+1:]
	for _, ending := range []string{".java", ".kt", ".groovy", ".scala"} {
		if file = x.frameFile(outer, simple+ending); file != "" {
			break
		}
	}
	if file == "" {
		file = x.declaring(simple)
	}
	name, _, _ := strings.Cut(method, "(") // of Kotlin, a text in backticks
	if file == "" || name == "" {
		return file, 0
	}
	methods := x.methods(file)
	return file, cmp.Or(methods[name], methods[wordPattern().FindString(name)])
}

// methods are the lines on which the methods of a file are first declared or called.
// A suite has thousands of tests in a file, so each file is gone through once.
func (x *sourceIndex) methods(file string) map[string]int {
	if known, ok := x.calls[file]; ok {
		return known
	}
	out := make(map[string]int)
	_, masked := page().Mask(x.text(file))
	if path.Ext(file) == ".kt" {
		_, masked = kotlinPage().Mask(x.text(file))
	}
	line, counted := 1, 0
	for _, at := range callPattern().FindAllStringSubmatchIndex(masked, -1) {
		line += strings.Count(masked[counted:at[2]], "\n")
		counted = at[2]
		if name := strings.Trim(masked[at[2]:at[3]], "`"); out[name] == 0 {
			out[name] = line
		}
	}
	x.calls[file] = out
	return out
}

// declaring finds the test file that declares a class of another name than the file's.
func (x *sourceIndex) declaring(class string) string {
	if x.tests == nil {
		x.tests = make(map[string][]string)
		for _, name := range slices.Concat(slices.Collect(maps.Values(x.byName))...) {
			if x.places.Of(name, 0) != testrun.InTest {
				continue
			}
			for _, hit := range classPattern().FindAllStringSubmatch(x.text(name), -1) {
				x.tests[hit[1]] = append(x.tests[hit[1]], name)
			}
		}
	}
	return x.nearest(x.tests[class])
}

// libraryTops are the first names that packages of libraries have, beside those of
// the internet's domains.
const libraryTops = `com org net edu gov info biz dev app java javax jakarta javafx sun jdk kotlin kotlinx scala groovy spock lombok junit
	mockit reactor feign retrofit2 okhttp3 okio rx play akka arrow cucumber freemarker`

// ownPackage reports whether a package would be the project's: the project has that
// package, one around or within it, or one that begins with the same two names. Where
// classes stand in no package, one that no library would have is the project's, too.
func (x *sourceIndex) ownPackage(pkg string) bool {
	first := strings.SplitN(pkg, ".", 3)
	for _, names := range x.byName {
		for _, name := range names {
			hit := packagePattern().FindStringSubmatch(x.text(name))
			if hit == nil && len(first[0]) > 2 && !slices.Contains(strings.Fields(libraryTops), first[0]) {
				return true
			}
			if hit == nil {
				continue
			}
			has := strings.SplitN(hit[1], ".", 3)
			if hit[1] == pkg || strings.HasPrefix(hit[1], pkg+".") || strings.HasPrefix(pkg, hit[1]+".") ||
				len(first) > 1 && len(has) > 1 && slices.Equal(first[:2], has[:2]) {
				return true
			}
		}
	}
	return false
}
