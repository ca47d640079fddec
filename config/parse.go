package config

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-viper/mapstructure/v2"
	"github.com/knadh/koanf/v2"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/testrun"
)

// Parse reads the file (nil if there is none) and the GIT_TDD_ variables in
// environ (entries of the form NAME=value) on top of the defaults. Everything
// that is wrong with them is returned as one *Error; the settings are then
// zero.
func Parse(file []byte, environ []string, known testrun.Languages) (Settings, error) {
	r := &reader{fields: schema(), retirements: retirements(), places: map[string]place{}, wrong: map[string]bool{}, troubled: map[string]bool{}}
	layers := koanf.New(".")
	err := errors.Join(layers.Load(layer(toValues(Default())), nil), layers.Load(layer(r.file(file)), nil))
	if vars := variables(environ); len(vars) > 0 {
		r.retireVariables(vars)
		over := r.environment(vars, layers.MapKeys)
		for _, path := range r.replaced {
			layers.Delete(path)
		}
		err = errors.Join(err, layers.Load(layer(over), nil))
	}
	if err != nil {
		return Settings{}, fmt.Errorf("merge the settings: %w", err)
	}
	s, err := decode(layers)
	if err != nil {
		return Settings{}, err
	}
	r.crossCheck(s, known.Names())
	if r.problems != nil {
		slices.SortStableFunc(r.problems, func(a, b Problem) int { // those without a line last
			return cmp.Or(cmp.Compare(cmp.Or(a.Line, math.MaxInt), cmp.Or(b.Line, math.MaxInt)), cmp.Compare(a.Key, b.Key))
		})
		return Settings{}, &Error{File: FileName, Problems: r.problems}
	}
	s.Retired = r.retired
	slices.SortFunc(s.Retired, func(a, b Retired) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Key, b.Key)) })
	return s, nil
}

// layer gives values to koanf. Its own provider for maps copies them first,
// which took a third of the time of Parse.
type layer map[string]any

// ReadBytes is not supported: a layer holds values already.
func (layer) ReadBytes() ([]byte, error) { return nil, errors.ErrUnsupported }

// Read returns the values.
func (l layer) Read() (map[string]any, error) { return l, nil }

// decode turns the merged layers into settings. Their values already have the
// right types: nothing is converted here, and nothing may be left over.
func decode(layers *koanf.Koanf) (Settings, error) {
	var s Settings
	strict := koanf.UnmarshalConf{DecoderConfig: &mapstructure.DecoderConfig{ErrorUnused: true}}
	if err := layers.UnmarshalWithConf("", &s, strict); err != nil {
		return Settings{}, fmt.Errorf("decode the settings: %w", err)
	}
	return s, nil
}

// toValues turns settings into nested maps, using the same tags that decode
// them and the types that a reader produces. A nil list or table is left
// out: it means "not given".
func toValues(s Settings) map[string]any {
	m, _ := plain(reflect.ValueOf(s)).(map[string]any)
	return m
}

func plain(v reflect.Value) any {
	switch v.Kind() { //nolint:exhaustive // every other kind is a value as it is
	case reflect.Struct:
		m := make(map[string]any, v.NumField())
		for i := range v.NumField() {
			key := v.Type().Field(i).Tag.Get("koanf")
			if f := v.Field(i); key != "-" && (f.Kind() != reflect.Slice && f.Kind() != reflect.Map || !f.IsNil()) {
				m[key] = plain(f)
			}
		}
		return m
	case reflect.Map:
		m := make(map[string]any, v.Len())
		for it := v.MapRange(); it.Next(); {
			m[it.Key().String()] = plain(it.Value())
		}
		return m
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return plain(v.Elem())
	case reflect.Slice:
		l := make([]string, v.Len())
		for i := range l {
			l[i] = v.Index(i).String()
		}
		return l
	case reflect.String:
		return v.String()
	default:
		return v.Interface()
	}
}

// Error is everything that is wrong with the settings of a project.
type Error struct {
	// File is the file the problems are in: FileName, unless the caller sets it to
	// AltFileName.
	File     string
	Problems []Problem // by line; those of the environment last
}

// Problem is one thing that is wrong.
type Problem struct {
	Key    string // the setting's path, or the variable; empty for the file as a whole
	Line   int    // 1-based; 0 if the problem is not in the file
	Seen   string // what was found there, safe to show: never a key or a password
	Remedy string // what to write instead
}

// Error lists the problems, one per line.
func (e *Error) Error() string {
	const most = 20
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s", e.File, gates.Count(len(e.Problems), "problem"))
	for _, p := range e.Problems[:min(len(e.Problems), most)] {
		b.WriteString("\n  " + p.String())
	}
	if more := len(e.Problems) - most; more > 0 {
		fmt.Fprintf(&b, "\n  and %d more", more)
	}
	return b.String()
}

// String is the problem on one line: place, key, what was seen, the remedy.
func (p Problem) String() string {
	var parts []string
	if p.Line > 0 {
		parts = append(parts, fmt.Sprintf("line %d", p.Line))
	}
	if p.Key != "" {
		parts = append(parts, printable(p.Key))
	}
	return strings.Join(append(parts, p.Seen+"; "+p.Remedy), ": ")
}

// printable is s, quoted unless a terminal can show it as it is, and cut if it
// is long.
func printable(s string) string {
	s = short(s)
	if q := strconv.Quote(s); q != `"`+s+`"` {
		return q
	}
	return s
}

// short cuts what is too long for one line of a problem.
func short(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + "…"
}
