package gitx

import (
	"context"
	"fmt"
	"strings"
	"sync"
)

// hookless switches off the hooks that the configuration names. Since git 2.54
// hooks can be configured as well as kept in a folder, and git calls some of
// them whenever it writes a ref or an index. They are switched off one by one,
// because only later versions can switch off all hooks of an event.
type hookless struct {
	mu  sync.Mutex
	env []string // nil if git has not been asked yet
}

// hooksOff is the addition to the environment of a command that writes.
func (r *Repo) hooksOff(ctx context.Context) ([]string, error) {
	h := &r.hookless
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.env != nil {
		return h.env, nil
	}
	out, err := r.ask(ctx, "config", "-z", "--name-only", "--get-regexp", `^hook\..*\.event$`)
	if err != nil && exitCode(err) != 1 { // 1: there is none
		return nil, err
	}
	env := []string{}
	for key := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if name, ok := strings.CutSuffix(key, ".event"); ok {
			n := len(env) / 2
			env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s.enabled", n, name), fmt.Sprintf("GIT_CONFIG_VALUE_%d=false", n))
		}
	}
	h.env = append(env, fmt.Sprintf("GIT_CONFIG_COUNT=%d", len(env)/2))
	return h.env, nil
}
