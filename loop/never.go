package loop

import (
	"path"
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/gitx"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// neverShown reports whether an entry is no plain file, or its name says that a tool wrote it, or
// that it holds secrets.
func neverShown(e gitx.Entry) bool {
	base := strings.ToLower(path.Base(e.Path))
	return e.Mode != gitx.ModeFile && e.Mode != gitx.ModeExecutable || toolsPattern.MatchString(base) || secretPattern.MatchString(base)
}

var (
	toolsPattern  = lazyregexp.New(`\.lock$|^go\.sum$|-lock\.(json|ya?ml)$|^npm-shrinkwrap\.json$|[.-]min\.(js|css|mjs)$|\.map$|\.pb\.[a-z]+$|_pb2(_grpc)?\.pyi?$|\.g\.dart$|\.designer\.cs$`)
	secretPattern = lazyregexp.New(`^\.env(\.|$)|^\.(npmrc|netrc|pypirc|pgpass|htpasswd)$|^id_(rsa|dsa|ecdsa|ed25519)|\.(pem|key|p12|pfx|jks|keystore|kdbx|asc)$|^(credentials|secrets?)(\.(json|ya?ml|toml|ini|txt|env|properties|xml)|$)`)
)

// madeByTool reports whether a text says near its beginning that a tool wrote it,
// or is packed into lines that nobody writes.
func madeByTool(text string) bool {
	const widest = 5000 // bytes of a line
	return generatedPattern.MatchString(text[:min(len(text), 2000)]) ||
		slices.ContainsFunc(strings.SplitAfter(text, "\n"), func(line string) bool { return len(line) > widest })
}

var generatedPattern = lazyregexp.New(`(?im)^\W*(code generated .*do not edit|@generated\b|this file (is|was) (auto-?|automatically )?generated|auto-?generated (by|file))`)
