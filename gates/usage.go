package gates

import "fmt"

// Usage is what models used, in tokens.
type Usage struct {
	In, Out   int
	Cached    int // part of In
	Estimated bool
}

// TokensText is the value of a Tdd-Tokens trailer: "5321 in, 811 out".
func (u Usage) TokensText() string {
	text := fmt.Sprintf("%d in, %d out", u.In, u.Out)
	if u.Cached > 0 {
		text += fmt.Sprintf(", %d cached", u.Cached)
	}
	if u.Estimated {
		text += " (estimated)"
	}
	return text
}
