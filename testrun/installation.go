package testrun

import "slices"

// Installation is what is known of how the tools and packages of a language are
// installed on a machine. Facts are kept by it.
type Installation struct {
	Inherits []string // variables of the user's environment that commands may inherit for its sake
	Sets     []string // NAME=value that its tools need to say the same everywhere
	Prefixes []string // how further variables begin by which its tools choose what they are
	Decides  []string // variables whose values change what tests show
	Aliases  []string // under which names the real program of a tool may lie
	Records  []string // patterns of what installers leave in the folder of dependencies that they fill
	// Settings are NAME=value in the place of what the tools would read in files of
	// the user's, which a test could write; value is a variable as commands see it.
	Settings func(value func(name string) string) []string
	// Caches are the folders in which its tools keep what they built or fetched; value
	// is a variable as commands see it.
	Caches func(value func(name string) string) []string
	// Below are patterns, from the folder of an installation, of the folders that
	// hold packages; Packages are their names there. Both are empty for a language
	// whose packages lie with the project, or in its tree.
	Below, Packages []string
	// Identify adds what determines which version a tool reports, if the language
	// knows it; path is the program without symbolic links. Nil knows none.
	Identify func(f Fingerprint, tool, path string) (known bool)
}

// Fingerprint collects everything that determines which version a tool reports,
// without running it.
type Fingerprint interface {
	Add(parts ...string)
	File(name string)         // what the file system records of a file, or that there is none
	Content(name string)      // what a small file says
	Value(name string) string // a variable as commands see it
	Chosen() []string         // the texts of the project's files that choose a version
	Incomplete()              // something that matters cannot be seen
}

// Inherits lists the variables that commands may inherit for the sake of any of the
// languages: a project may need the tools of several.
func (all Languages) Inherits() []string {
	return all.gather(func(i Installation) []string { return i.Inherits })
}

// Sets lists NAME=value of what commands get for the sake of any of the languages.
func (all Languages) Sets() []string {
	return all.gather(func(i Installation) []string { return i.Sets })
}

// settings lists what stands in the place of the user's own files, for tools of any
// of the languages.
func (all Languages) settings(value func(name string) string) []string {
	return all.gather(func(i Installation) []string {
		if i.Settings == nil {
			return nil
		}
		return i.Settings(value)
	})
}

// Decides lists the variables whose values change what tests of any of the
// languages show.
func (all Languages) Decides() []string {
	return all.gather(func(i Installation) []string { return i.Decides })
}

// Records lists what the installers of all languages leave behind.
func (all Languages) Records() []string {
	return all.gather(func(i Installation) []string { return i.Records })
}

func (all Languages) gather(of func(Installation) []string) []string {
	var out []string
	for _, l := range all {
		out = append(out, of(l.Installation)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
