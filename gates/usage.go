package gates

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/git-tdd/git-tdd/internal/lazyregexp"
)

// Usage is what models used, in tokens.
type Usage struct {
	In        int  `json:"in"`
	Out       int  `json:"out"`
	Cached    int  `json:"cached,omitempty"` // part of In
	Estimated bool `json:"estimated,omitempty"`
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

// Plus is the sum of two usages.
func (u Usage) Plus(v Usage) Usage {
	return Usage{
		In: u.In + v.In, Out: u.Out + v.Out, Cached: u.Cached + v.Cached,
		Estimated: u.Estimated || v.Estimated,
	}
}

// tokensPattern finds one count of a Tdd-Tokens value: "811 out".
var tokensPattern = lazyregexp.New(`\b(\d{1,9}) (in|out|cached)\b`)

// Usage is what the trailers of a step claim that its role used.
func (s Step) Usage() Usage { return usageOf(s.Tokens) }

// usageOf reads the value of a trailer.
func usageOf(tokens string) Usage {
	u := Usage{Estimated: strings.Contains(tokens, "(estimated)")}
	counts := map[string]*int{"in": &u.In, "out": &u.Out, "cached": &u.Cached}
	for _, m := range tokensPattern().FindAllStringSubmatch(tokens, -1) {
		*counts[m[2]], _ = strconv.Atoi(m[1])
	}
	return u
}
