package testrun

import (
	"fmt"

	"github.com/git-tdd/git-tdd/gates"
	"github.com/git-tdd/git-tdd/internal/lazyregexp"
	"github.com/git-tdd/git-tdd/testrun/box"
)

// offlinePattern matches what programs say where nobody knows a host's address, or no
// way leads there.
var offlinePattern = lazyregexp.New(`(?i)(temporary failure in name resolution|name or service not known|no address associated with hostname|` +
	`(?:could not|couldn't|failed to) resolve host[^\n]{0,80}|unknown ?host(?:exception)?[: ][^\n]{0,80}|getaddrinfo (?:EAI_AGAIN|ENOTFOUND)[^\n]{0,80}|` +
	`dial (?:tcp|udp):? lookup [^\n]{0,80}|network is unreachable|ENETUNREACH)`)

// offline says of a run within walls that it wanted to reach somebody; empty where it
// did not, or may.
func (s *Session) offline(v Verdict, runs []Run) string {
	if s.Request.Walls == nil || s.Request.Walls.Network == box.Host || s.Request.Altered {
		return ""
	}
	var said []string
	for _, t := range v.Tests {
		if t.Status == gates.StatusFailed {
			said = append(said, t.Message)
		}
	}
	for _, d := range v.Diagnostics {
		said = append(said, d.Message)
	}
	if v.Detail != gates.DetailTest || v.Outcome != gates.Failed {
		for _, run := range runs {
			said = append(said, run.Output)
		}
	}
	for _, text := range said {
		if hit := offlinePattern.FindString(text); hit != "" {
			return fmt.Sprintf("it needs the network, which contained commands do not reach (“%s”): write `workbench.network: host` in .tdd.yaml and approve it with `git tdd trust`, "+
				"or have `workbench.setup_cmd` fetch what is missing", hit)
		}
	}
	return ""
}
