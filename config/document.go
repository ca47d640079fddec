package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// maxFile is more than any reasonable file needs, in bytes.
const maxFile = 256 << 10

// document parses the file into the nodes of its only document; nil if it is
// empty. Nodes, unlike values, know their lines and do not expand aliases, so
// no file can blow up.
func document(file []byte) (*yaml.Node, *Problem) {
	if len(file) > maxFile {
		return nil, &Problem{
			Seen:   fmt.Sprintf("a file of %d bytes", len(file)),
			Remedy: fmt.Sprintf("keep it below %d", maxFile),
		}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(file, []byte("\xef\xbb\xbf"))))
	var first, second yaml.Node
	if err := decoder.Decode(&first); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, malformed(err)
	}
	if err := decoder.Decode(&second); err == nil {
		return nil, &Problem{Line: second.Line, Seen: "a second document", Remedy: "keep one and no line of ---"}
	} else if !errors.Is(err, io.EOF) {
		return nil, malformed(err)
	}
	return first.Content[0], nil
}

// linePattern splits an error of the parser into the line number and the rest.
var linePattern = lazyregexp.New(`^line (\d+): (.*)$`)

// malformed says what the parser could not read. The line number is in the
// error's text only.
func malformed(err error) *Problem {
	text := strings.TrimPrefix(err.Error(), "yaml: ")
	p := Problem{Seen: printable(text), Remedy: "correct the YAML"}
	if m := linePattern().FindStringSubmatch(text); m != nil {
		p.Line, _ = strconv.Atoi(m[1])
		p.Seen = printable(m[2])
	}
	if strings.Contains(text, "tab char") || strings.Contains(text, "start any token") {
		p.Remedy = "indent with spaces, no tabs, and put quotes around a text that starts with @, % or `"
	}
	return &p
}
