package config

import (
	"fmt"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Warnings lists what is allowed but probably not intended, one sentence each.
func (s Settings) Warnings() []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(s.Roles)) {
		prefix, _, found := strings.Cut(s.Roles[name].Model, ":")
		if _, configured := s.LLM.Providers[prefix]; found && !configured && vendor(prefix) {
			out = append(out, fmt.Sprintf(
				"roles.%s.model: %q is taken as the name of a model at %s; to reach a provider of that name, write it under llm.providers",
				name, s.Roles[name].Model, s.LLM.BaseURL))
		}
	}
	for _, c := range []struct {
		key string
		cmd []string
	}{{"ci.test_cmd", s.CI.TestCmd}, {"ci.check_cmd", s.CI.CheckCmd}, {"ci.fmt_cmd", s.CI.FmtCmd}, {"workbench.setup_cmd", s.Workbench.SetupCmd}} {
		if len(c.cmd) == 1 && strings.Contains(c.cmd[0], " ") {
			out = append(out, fmt.Sprintf("%s: %q is taken as one word; for several, write %s", c.key, c.cmd[0], listed(c.cmd[0])))
		}
	}
	return append(out, s.inTheClear()...)
}

// inTheClear names the keys that would be sent unencrypted to another machine.
func (s Settings) inTheClear() []string {
	var out []string
	for _, grant := range s.Grants() {
		key, address, found := strings.Cut(grant, " ")
		u, err := url.Parse(address)
		if found && err == nil && u.Scheme == "http" && !loopback(u.Hostname()) {
			out = append(out, fmt.Sprintf("the key in %s travels unencrypted to %s; write https", key, address))
		}
	}
	return out
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || (err == nil && ip.IsLoopback())
}

// vendor reports whether people know the name as a provider's.
func vendor(name string) bool {
	return slices.Contains([]string{
		"anthropic", "azure", "deepseek", "gemini", "glm", "google", "groq", "llamacpp", "lmstudio",
		"mistral", "moonshot", "ollama", "openai", "openrouter", "together", "vllm", "xai", "zhipu",
	}, strings.ToLower(name))
}
