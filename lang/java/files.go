package java

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
	"github.com/git-tdd/git-tdd/testrun/journal"
	"github.com/git-tdd/git-tdd/testrun/scan"
)

// javaFiles finds the sources of a project by the names that the machine of
// Java gives to what they hold.
type javaFiles struct {
	places *testrun.Places
	byName map[string][]string // paths, by the name of the file
	texts  map[string]string   // what was read of them
	module string              // the folder whose tests are being read: its files come first
}

// newJavaFiles lists the sources of a project.
func newJavaFiles(b *testrun.Session) *javaFiles {
	f := &javaFiles{places: b.Places(), byName: make(map[string][]string), texts: make(map[string]string)}
	source := regexp.MustCompile(`\.(java|kt|groovy|scala)$`)
	_ = fs.WalkDir(os.DirFS(b.Request.Dir), ".", func(name string, d fs.DirEntry, err error) error { // what cannot be read is no source
		switch {
		case err != nil:
			return nil //nolint:nilerr // see above
		case d.IsDir() && slices.Contains([]string{"target", "build", ".gradle", "node_modules"}, d.Name()):
			return fs.SkipDir
		case d.Type().IsRegular() && source.MatchString(name):
			f.byName[path.Base(name)] = append(f.byName[path.Base(name)], name)
		}
		return nil
	})
	return f
}

// text is what a file holds.
func (f *javaFiles) text(name string) string {
	if known, ok := f.texts[name]; ok {
		return known
	}
	raw, _ := os.ReadFile(filepath.Join(f.places.Dir, filepath.FromSlash(name))) // what is not there holds nothing
	f.texts[name] = string(raw)
	return f.texts[name]
}

// frame finds the file of a frame of a stack trace: a class and a file's name.
func (f *javaFiles) frame(class, file string) string {
	folder := ""
	if at := strings.LastIndexByte(class, '.'); at >= 0 {
		folder = strings.ReplaceAll(class[:at], ".", "/") + "/"
	}
	var found []string
	for _, name := range f.byName[file] {
		if strings.HasSuffix("/"+name, "/"+folder+file) {
			found = append(found, name)
		}
	}
	return f.nearest(found)
}

// nearest is the first of some files, those of the module before any other.
func (f *javaFiles) nearest(found []string) string {
	slices.Sort(found)
	if i := slices.IndexFunc(found, func(name string) bool { return strings.HasPrefix(name, f.module) }); i >= 0 {
		return found[i]
	}
	if len(found) > 0 {
		return found[0]
	}
	return ""
}

// class finds the file of a class, and the line of one of its methods.
func (f *javaFiles) class(class, method string) (file string, line int) {
	outer, _, _ := strings.Cut(class, "$")
	simple := outer[strings.LastIndexByte(outer, '.')+1:]
	for _, ending := range []string{".java", ".kt", ".groovy", ".scala"} {
		if file = f.frame(outer, simple+ending); file != "" {
			break
		}
	}
	if file == "" {
		file = f.declaring(simple)
	}
	name := regexp.MustCompile(`^\w+`).FindString(method)
	if file == "" || name == "" {
		return file, 0
	}
	_, masked := scan.MaskC(f.text(file))
	if at := regexp.MustCompile(`\b` + name + `\s*\(`).FindStringIndex(masked); at != nil {
		line = 1 + strings.Count(masked[:at[0]], "\n")
	}
	return file, line
}

// declaring finds the test file that declares a class of another name than its own.
func (f *javaFiles) declaring(class string) string {
	if class == "" {
		return ""
	}
	declares := regexp.MustCompile(`\b(?:class|interface|record|object)\s+` + regexp.QuoteMeta(class) + `\b`)
	var found []string
	for _, names := range f.byName {
		for _, name := range names {
			if f.places.Of(name, 0) == testrun.InTest && declares.MatchString(f.text(name)) {
				found = append(found, name)
			}
		}
	}
	return f.nearest(found)
}

// ownPackage reports whether a package would be the project's: it has that one,
// one around or within it, or one that begins with the same two names.
func (f *javaFiles) ownPackage(pkg string) bool {
	statement := regexp.MustCompile(`(?m)^\s*package\s+([\w.]+)`)
	first := strings.SplitN(pkg, ".", 3)
	for _, names := range f.byName {
		for _, name := range names {
			hit := statement.FindStringSubmatch(f.text(name))
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

// refine completes what a report says of a test.
func (f *javaFiles) refine(t *gates.Test, c testrun.JUnitCase, from string) {
	f.module = from[:max(0, strings.LastIndex(from, "target/"))]
	t.ID = iD(c.Classname, c.Name)
	t.File, t.Line = f.class(c.Classname, c.Name)
	if t.Status != gates.StatusFailed {
		return
	}
	t.Class, t.Message = gates.ClassNone, ""
	for _, r := range slices.Concat(c.Failures, c.Errors) {
		raised := f.raised(r.Type, r.Message, r.Text)
		t.Class, t.Message = gates.Worse(t.Class, raised.Class), cmp.Or(t.Message, raised.Message)
	}
}

// iD is the id of a test. What failed before or after all tests of a class
// is named by the class.
func iD(class, name string) string {
	name = strings.Replace(name, "()", "", 1)
	switch {
	case name == "" || name == class:
		return class
	case class == "":
		return name
	}
	return class + "::" + name
}

// complete adds to a journal what only the sources tell, and returns what its
// exceptions mean.
func (f *javaFiles) complete(j *journal.Journal) func(journal.Event) journal.Finding {
	found := make(map[string]journal.Finding)
	for _, id := range j.Order {
		class, name, _ := strings.Cut(id, "::")
		t := j.Tests[id]
		f.module = f.places.Relative(t.File) + "/"
		t.File, t.Line = f.class(class, name)
		if t.Status == string(gates.StatusFailed) {
			found[id] = f.raised("", t.Why.Message, t.Why.Text)
			t.Why.Text = found[id].Message
		}
	}
	f.module = ""
	return func(e journal.Event) journal.Finding { return found[e.ID] }
}
