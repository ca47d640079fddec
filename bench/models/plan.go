package models

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-tdd/git-tdd/internal/wholefile"
	"github.com/git-tdd/git-tdd/katas"
)

// Plan is a matrix with everything that it names.
type Plan struct {
	Runs   []Run    // by kata, then model, then seed
	Hidden []string // the folders of hidden tests, absolute
}

// Run is one model on one kata with one seed.
type Run struct {
	Kata, Model string
	Seed        int
	Material    *Material // shared by the runs that differ by their seed only
	Inputs      string    // a digest of all that the run depends on
}

// Name is the run as people write it, and its folder below a store.
func (r Run) Name() string { return name(r.Kata, r.Model, r.Seed) }

func name(kata, model string, seed int) string {
	return fmt.Sprintf("%s/%s/seed-%d", kata, model, seed)
}

// Material is what a run is made of.
type Material struct {
	Text     []byte // of the kata
	Language string // empty: what the settings name
	Settings []byte // of a file like .tdd.yaml; nil: the defaults
	Model    string // of all roles; empty: what the settings name
	Replay   []byte // a recording; nil: a model is asked
	Hidden   []File
	Steps    int // the most role steps
}

// File is a file of a project, with a slash-separated path.
type File struct {
	Path    string
	Content []byte
}

// largest is the size of the largest file of settings that is read, in bytes.
const largest = 1 << 20

// Load reads a matrix file and all that it names. More than 0 runs take the place of what the file says.
func Load(file string, runs int) (Plan, error) {
	text, err := wholefile.ReadUpTo(file, largest)
	if err != nil {
		return Plan{}, fmt.Errorf("read the matrix: %w", err)
	}
	m, err := ParseMatrix(filepath.Base(file), text)
	if err != nil {
		return Plan{}, err
	}
	if file, err = filepath.Abs(file); err != nil {
		return Plan{}, fmt.Errorf("read the matrix: %w", err)
	}
	m.Runs = cmp.Or(runs, m.Runs)
	l := loader{Matrix: m, dir: filepath.Dir(file)}
	var p Plan
	for _, kata := range slices.Sorted(maps.Keys(m.Katas)) {
		if hidden := m.Katas[kata].Hidden; hidden != "" {
			p.Hidden = append(p.Hidden, l.path(hidden))
		}
		for _, model := range slices.Sorted(maps.Keys(m.Models)) {
			material, err := l.material(m.Katas[kata], m.Models[model])
			if err != nil {
				return Plan{}, fmt.Errorf("%s, %s on %s: %w", filepath.Base(file), model, kata, err)
			}
			for seed := m.Seed; seed < m.Seed+m.Runs; seed++ {
				p.Runs = append(p.Runs, Run{Kata: kata, Model: model, Seed: seed, Material: material, Inputs: material.digest(name(kata, model, seed))})
			}
		}
	}
	return p, nil
}

// Shard is every of-th run, from the one with that number on, counted from 1. All
// shards together are the plan.
func (p Plan) Shard(number, of int) []Run {
	var out []Run
	for i := number - 1; i < len(p.Runs); i += of {
		out = append(out, p.Runs[i])
	}
	return out
}

// loader reads what a matrix names.
type loader struct {
	Matrix
	dir string
}

// path is a path of the file.
func (l loader) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(l.dir, filepath.FromSlash(name))
}

func (l loader) material(kata Kata, model Model) (*Material, error) {
	m := &Material{Language: kata.Language, Model: model.Model, Steps: l.Steps}
	var err error
	if m.Text, err = katas.Read(kata.Kata, l.path(kata.Kata)); err != nil {
		return nil, err
	}
	if settings := cmp.Or(model.Settings, l.Settings); settings != "" {
		if m.Settings, err = wholefile.ReadUpTo(l.path(settings), largest); err != nil {
			return nil, fmt.Errorf("read the settings: %w", err)
		}
	}
	if model.Replay != "" {
		if m.Replay, err = wholefile.Read(l.path(model.Replay)); err != nil {
			return nil, fmt.Errorf("read the recording: %w", err)
		}
	}
	if kata.Hidden != "" {
		m.Hidden, err = readFolder(l.path(kata.Hidden))
	}
	return m, err
}

// readFolder reads all files of a folder. Links are refused: they would lead out of it.
func readFolder(dir string) ([]File, error) {
	const most = 8 << 20 // bytes of all files
	var out []File
	size := 0
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("read the hidden tests: %w", err)
	}
	defer func() { _ = root.Close() }()
	err = fs.WalkDir(root.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		if !entry.Type().IsRegular() {
			return fmt.Errorf("%s is no plain file", path)
		}
		content, err := wholefile.ReadIn(root, path)
		if size += len(content); size > most {
			return fmt.Errorf("there are more than %d MB in it", most>>20)
		}
		out = append(out, File{Path: path, Content: content})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the hidden tests: %w", err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("there are no hidden tests in %s", dir)
	}
	return out, nil
}

// digest is over everything that a run depends on.
func (m *Material) digest(run string) string {
	text, err := json.Marshal(struct {
		Format int
		Run    string
		*Material
	}{1, run, m})
	if err != nil {
		panic(fmt.Sprintf("models: bytes and texts do not encode: %v", err)) // no input leads here
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
