package config

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// InTheClear names the keys that would be sent unencrypted to another machine, one sentence each.
func (s Settings) InTheClear() []string {
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
