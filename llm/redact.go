package llm

import (
	"slices"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

const redacted = "«redacted»"

// shortestSecret keeps common words, such as the key "ollama" of local servers, from being replaced.
const shortestSecret = 8

// Texts with the form of well-known kinds of keys.
var (
	keyPattern = lazyregexp.New(`\b(?:` + strings.Join([]string{
		`sk-[A-Za-z0-9_*-]{16,}`,
		`gh[opsur]_[A-Za-z0-9]{20,}`,
		`github_pat_[A-Za-z0-9_]{20,}`,
		`glpat-[A-Za-z0-9_-]{20,}`,
		`(?:AKIA|ASIA)[A-Z0-9]{16}`,
		`AIza[A-Za-z0-9_-]{35}`,
		`xox[abeoprs]-[A-Za-z0-9-]{10,}`,
	}, `|`) + `)`)
	bearerPattern = lazyregexp.New(`(?i)\b(bearer\s+)[A-Za-z0-9._~+/=-]{16,}`)
	// A private key that was cut off counts up to the end of the text.
	privateKeyPattern = lazyregexp.New(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\z)`)
)

// Redactor replaces values of at least 8 bytes, and what looks like a well-known key, by «redacted».
func Redactor(secrets []string) func(string) string {
	known := knownSecrets(secrets)
	return func(text string) string {
		text = known.Replace(text)
		text = privateKeyPattern().ReplaceAllLiteralString(text, redacted)
		text = bearerPattern().ReplaceAllString(text, "${1}"+redacted)
		return keyPattern().ReplaceAllLiteralString(text, redacted)
	}
}

// knownSecrets replaces longer values first: one may begin with another.
func knownSecrets(secrets []string) *strings.Replacer {
	var pairs []string
	byLength := slices.SortedFunc(slices.Values(secrets), func(a, b string) int { return len(b) - len(a) })
	for _, secret := range byLength {
		if len(secret) >= shortestSecret {
			pairs = append(pairs, secret, redacted)
		}
	}
	return strings.NewReplacer(pairs...)
}
