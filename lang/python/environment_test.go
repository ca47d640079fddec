package python

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/git-tdd/git-tdd/testrun/projecttest"
)

func TestActivate(t *testing.T) {
	t.Parallel()
	home, project := t.TempDir(), t.TempDir()
	environment := func(dir, version string) string {
		projecttest.Write(t, dir, "-- pyvenv.cfg --\nversion = "+version+"\n-- bin/python --\n#!/bin/sh\n-- lib/python3/site-packages/pytest/__init__.py --\n")
		return dir
	}
	value := map[string]string{"HOME": home, "PATH": "/bin"}
	expect := func(what, dir string) {
		t.Helper()
		var want []string
		if dir != "" {
			want = []string{"VIRTUAL_ENV=" + dir, "PATH=" + filepath.Join(dir, "bin") + ":/bin"}
		}
		if got := activate(project, func(name string) string { return value[name] }); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	expect("nothing", "")
	other := environment(filepath.Join(home, ".local/share/hatch/env/virtual/x/1/x"), "3.14.0")
	expect("another project's", "")
	projecttest.Write(t, other, "-- lib/python3/site-packages/x.pth --\n"+project+"-2/src\n")
	expect("that of one whose path begins alike", "")
	projecttest.Write(t, other, "-- lib/python3/site-packages/x.pth --\n"+project+"/src\n")
	expect("hatch's", other)
	old := environment(filepath.Join(project, ".tox/py39"), "3.9.1")
	expect("the one that it is installed in", other)
	if err := os.RemoveAll(filepath.Join(other, "lib/python3/site-packages/pytest")); err != nil {
		t.Fatal(err)
	}
	expect("the one with pytest", old)
	named := environment(filepath.Join(home, ".local/share/virtualenvs/x-1"), "3.12.0")
	projecttest.Write(t, named, "-- .project --\n"+project+"\n")
	expect("pipenv's", named)
	projecttest.Write(t, environment(filepath.Join(project, ".tox/py315"), "3.15.0"), "-- lib/python3/site-packages/x-1.dist-info/direct_url.json --\n"+
		`{"archive_info": {}, "url": "file://`+project+"/.tox/.pkg/dist/x-1.tar.gz\"}\n")
	expect("a copy, and others without the project", "")
	value["VIRTUAL_ENV"] = "/elsewhere"
	expect("an active one", "")
	delete(value, "VIRTUAL_ENV")
	environment(filepath.Join(project, ".venv"), "3.8.0")
	expect("the project's own", "")
}
