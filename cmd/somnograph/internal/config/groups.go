package config

import (
	"regexp"
	"strings"
	"time"
)

// Group is a group of settings for help texts.
type Group struct {
	Title string
	Flags []string // names of flags, in the order of declaration
}

// groups are the titles of groups with the beginnings of their keys. A key belongs to the first
// group with a beginning of it, any other to the first group.
var groups = []struct {
	title  string
	starts []string
}{
	{"Basics", nil},
	{"Access", []string{"auth", "oidc.", "tls-", "behind-proxy", "pepper-file", "allowed-origins"}},
	{"Profile", []string{"profile", "memory-limit", "gc-percent", "badger.", "index.", "search."}},
	{"Limits", []string{"rate.", "max-content", "min-free-space", "shutdown-timeout", "shutdown-delay", "session-idle-timeout"}},
	{"Logs, metrics and alarms", []string{"log-", "metrics-", "traces.", "canary", "alarm-"}},
	{"Sleep", []string{"sleep."}},
	{"Models", []string{"embedder.", "models.", "reranker.", "chat."}},
	{"Recess", []string{"recess."}},
	{"Backup", []string{"backup."}},
	{"Cluster", []string{"store", "dgraph", "vectors", "redis"}},
}

// Groups returns the flags by group.
func Groups() []Group {
	out := make([]Group, len(groups))
	for i, g := range groups {
		out[i].Title = g.title
	}
	out[0].Flags = []string{"config"}
	for _, s := range declared {
		if s.secret {
			continue
		}
		at := 0
		for i, g := range groups {
			for _, start := range g.starts {
				if at == 0 && strings.HasPrefix(s.key, start) {
					at = i
				}
			}
		}
		out[at].Flags = append(out[at].Flags, flagOf(s.key))
	}
	return out
}

// textFlag is the flag of a setting. Its value is checked when the configuration is put together.
type textFlag struct{ value, kind string }

// Set implements pflag.Value.
func (f *textFlag) Set(s string) error { f.value = s; return nil }

// String implements pflag.Value.
func (f *textFlag) String() string { return f.value }

// Type implements pflag.Value. Help texts show it.
func (f *textFlag) Type() string { return f.kind }

var (
	sizeText   = regexp.MustCompile(`^\d+([KMG]i)?B$`)
	clockText  = regexp.MustCompile(`^\d\d:\d\d$`)
	numberText = regexp.MustCompile(`^\d+(\.\d+)?$`)
)

// endings are the kinds of settings without a telling default, by the end of their key.
var endings = []struct{ end, kind string }{
	{"addr", "host:port"}, {"endpoint", "host:port"}, {"url", "url"}, {"webhook", "url"}, {"-file", "path"}, {"data", "path"}, {"keys", "path"}, {"-dir", "path"},
	{"tls-cert", "path"}, {"tls-key", "path"}, {"-ca", "path"}, {".ca", "path"}, {".cert", "path"}, {"tls.key", "path"},
}

// kindOf says what the value of a setting is, by its default, else by its key.
func kindOf(s setting) string {
	if _, err := time.ParseDuration(s.fallback); err == nil && !numberText.MatchString(s.fallback) {
		return "duration"
	}
	switch {
	case sizeText.MatchString(s.fallback):
		return "size"
	case clockText.MatchString(s.fallback):
		return "time"
	case numberText.MatchString(s.fallback):
		return "number"
	}
	for _, e := range endings {
		if strings.HasSuffix(s.key, e.end) {
			return e.kind
		}
	}
	return "text"
}
