package config

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/git-tdd/git-tdd/gates"
)

// read reads one value of the field's kind.
func (f field) read(n *yaml.Node) (any, *fault) {
	return map[kind]func(field, *yaml.Node) (any, *fault){
		text: field.text, whole: field.whole, number: field.number, span: field.span, list: field.list,
	}[f.kind](f, n)
}

func (f field) text(n *yaml.Node) (any, *fault) {
	if n.Kind != yaml.ScalarNode {
		return nil, f.fault(n, "write one text")
	}
	if n.ShortTag() != "!!str" {
		return nil, f.fault(n, "put quotes around it")
	}
	if remedy := f.each(n.Value); remedy != "" {
		return nil, f.fault(n, remedy)
	}
	return n.Value, nil
}

// whole reads decimal digits only: YAML would read 010 as eight.
func (f field) whole(n *yaml.Node) (any, *fault) {
	digits := strings.ReplaceAll(n.Value, "_", "")
	v, err := strconv.Atoi(digits)
	if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" || err != nil || strconv.Itoa(v) != digits {
		return nil, f.fault(n, "write a whole number, without quotes")
	}
	if !f.within(float64(v)) {
		return nil, f.fault(n, fmt.Sprintf("write a whole number from %.0f to %.0f", f.low, f.high))
	}
	return v, nil
}

func (f field) number(n *yaml.Node) (any, *fault) {
	if n.Kind == yaml.ScalarNode && n.Value == "none" {
		return nil, nil
	}
	tag := n.ShortTag()
	v, err := strconv.ParseFloat(n.Value, 64)
	if n.Kind != yaml.ScalarNode || (tag != "!!int" && tag != "!!float") || err != nil || !f.within(v) {
		return nil, f.fault(n, fmt.Sprintf("write a number from %g to %.0f, or none for sending none", f.low, f.high))
	}
	return v, nil
}

func (f field) span(n *yaml.Node) (any, *fault) {
	v, err := time.ParseDuration(n.Value)
	switch {
	case n.Kind != yaml.ScalarNode || err != nil:
		return nil, f.fault(n, "write a number and a unit, such as 90s, 5m or 1h30m")
	case v < 0:
		return nil, f.fault(n, "write a duration that is not negative")
	case !f.within(float64(v)):
		return nil, f.fault(n, fmt.Sprintf("write at least %v", time.Duration(f.low)))
	}
	return v, nil
}

func (f field) list(n *yaml.Node) (any, *fault) {
	if n.Kind != yaml.SequenceNode {
		words := n.Value
		if f.secret {
			words = "NAME=value"
		}
		return nil, f.fault(n, "write a list: "+listed(words))
	}
	out := make([]string, len(n.Content))
	for i, item := range n.Content {
		if wrong := strange(item); wrong != nil {
			return nil, wrong
		}
		v, wrong := f.text(item)
		if wrong != nil {
			return nil, &fault{seen: fmt.Sprintf("item %d is %s", i+1, wrong.seen), remedy: wrong.remedy}
		}
		out[i], _ = v.(string)
	}
	if f.all != nil {
		if remedy := f.all(out); remedy != "" {
			return nil, f.fault(n, remedy)
		}
	}
	return out, nil
}

// within is false for NaN.
func (f field) within(v float64) bool { return v >= f.low && v <= f.high }

func (f field) fault(n *yaml.Node, remedy string) *fault {
	if f.secret || strings.Contains(n.Value, "://") && strings.ContainsAny(n.Value, "@?") {
		return &fault{seen: "a value that is not shown", remedy: remedy}
	}
	return &fault{seen: describe(n), remedy: remedy}
}

// describe is a node as a person sees it.
func describe(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "a group of keys"
	case n.Kind == yaml.SequenceNode:
		return "a list of " + gates.Count(len(n.Content), "item")
	case n.ShortTag() == "!!str":
		return "the text " + strconv.Quote(short(n.Value))
	}
	return "the value " + printable(n.Value)
}

// listed is a text as the list of words it was probably meant to be.
func listed(s string) string {
	words := strings.Fields(s)
	if len(words) == 0 || len(s) > 200 {
		words = []string{"cargo", "test"}
	}
	quoted := gates.Each(words, func(w string) string { return strconv.Quote(strings.TrimSuffix(w, ",")) })
	return "[" + strings.Join(quoted, ", ") + "]"
}
