package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

func flags(t *testing.T, args ...string) *pflag.FlagSet {
	t.Helper()
	fs := pflag.NewFlagSet("test", pflag.ContinueOnError)
	Flags(fs)
	if err := fs.Parse(args); err != nil {
		t.Fatal(err)
	}
	return fs
}

func write(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "somnograph.yaml")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func shown(t *testing.T, all []Setting, key string) Setting {
	t.Helper()
	for _, s := range all {
		if s.Key == key {
			return s
		}
	}
	t.Fatalf("no setting %q is shown", key)
	return Setting{}
}

func TestDefaults(t *testing.T) {
	c, all, err := Load(flags(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Addr != "127.0.0.1:8420" || c.Data != "./data" || c.MaxContent != 32<<10 || c.MinFree != 0 ||
		c.ShutdownTimeout != 10*time.Second || c.Embedder.Kind != "hashed" || !c.GraphiQL || c.SimulatedClock || c.MetricsAddr != "" {
		t.Errorf("defaults = %+v", c)
	}
	if len(all) != len(declared) {
		t.Errorf("%d settings are shown, want %d", len(all), len(declared))
	}
	for _, s := range all {
		if s.Origin != "default" || s.Usage == "" {
			t.Errorf("%s: origin %q, usage %q", s.Key, s.Origin, s.Usage)
		}
	}
}

// Each layer sets shutdown-timeout; the ones above it must win.
func TestFlagsBeforeEnvironmentBeforeFileBeforeDefaults(t *testing.T) {
	path := write(t, "shutdown-timeout: 1s\n")
	env := []string{"SOMNOGRAPH_SHUTDOWN_TIMEOUT=2s"}
	for _, x := range []struct {
		name   string
		args   []string
		env    []string
		want   time.Duration
		origin string
	}{
		{"default", nil, nil, 10 * time.Second, "default"},
		{"file", []string{"--config", path}, nil, time.Second, path},
		{"file by environment", nil, []string{"SOMNOGRAPH_CONFIG=" + path}, time.Second, path},
		{"environment over file", []string{"--config", path}, env, 2 * time.Second, "SOMNOGRAPH_SHUTDOWN_TIMEOUT"},
		{"flag over all", []string{"--config", path, "--shutdown-timeout", "3s"}, env, 3 * time.Second, "--shutdown-timeout"},
		{"flag set to the default", []string{"--config", path, "--shutdown-timeout", "10s"}, env, 10 * time.Second, "--shutdown-timeout"},
	} {
		t.Run(x.name, func(t *testing.T) {
			c, all, err := Load(flags(t, x.args...), x.env)
			if err != nil {
				t.Fatal(err)
			}
			if got := shown(t, all, "shutdown-timeout"); c.ShutdownTimeout != x.want || got.Origin != x.origin {
				t.Errorf("shutdown-timeout = %s from %s, want %s from %s", c.ShutdownTimeout, got.Origin, x.want, x.origin)
			}
		})
	}
}

func TestNestedKeysAndListsInAFile(t *testing.T) {
	path := write(t, `
addr: 127.0.0.1:9000
memory-limit: 1GiB
demo: true
log-level: debug
allowed-origins: [http://127.0.0.1:5173, http://localhost:5173]
embedder:
  kind: openai
  url: https://models.example/v1
  model: small
  dimension: 768
`)
	c, all, err := Load(flags(t, "--config", path), []string{"SOMNOGRAPH_EMBEDDER_TOKEN=hush", "HOME=/nowhere"})
	if err != nil {
		t.Fatal(err)
	}
	want := Embedder{Kind: "openai", URL: "https://models.example/v1", Model: "small", Token: "hush", Dimension: 768}
	if c.Embedder != want {
		t.Errorf("embedder = %+v, want %+v", c.Embedder, want)
	}
	if c.Addr != "127.0.0.1:9000" || c.MemoryLimit != 1<<30 || !c.Demo || c.LogLevel != -4 {
		t.Errorf("config = %+v", c)
	}
	if len(c.AllowedOrigins) != 2 || c.AllowedOrigins[1] != "http://localhost:5173" {
		t.Errorf("origins = %q", c.AllowedOrigins)
	}
	if s := shown(t, all, "embedder.token"); s.Value != "•••" || s.Origin != "SOMNOGRAPH_EMBEDDER_TOKEN" {
		t.Errorf("the secret is shown as %q from %s", s.Value, s.Origin)
	}
}

func TestSecretsInAddressesAreNotShown(t *testing.T) {
	for value, want := range map[string]string{
		"https://models.example/v1":                                "https://models.example/v1",
		"https://u:hush@models.example/v1":                         "https://u:•••@models.example/v1",
		"https://models.example/v1?api_key=hush&v=2":               "https://models.example/v1?api_key=•••&v=•••",
		"https://a.example:1/x,https://u:hush@b.example:2/?k=hush": "https://a.example:1/x,https://u:•••@b.example:2/?k=•••",
		"127.0.0.1:8420":                                           "127.0.0.1:8420",
		"a:hush, not URL":                                          "a:hush, not URL",
	} {
		if got := withoutSecrets(value); got != want {
			t.Errorf("%s is shown as %s, want %s", value, got, want)
		}
	}
	_, all, err := Load(flags(t), []string{"SOMNOGRAPH_EMBEDDER_KIND=openai", "SOMNOGRAPH_EMBEDDER_MODEL=m", "HOME=/nowhere",
		"SOMNOGRAPH_EMBEDDER_URL=https://models.example/v1?api_key=hush"})
	if err != nil {
		t.Fatal(err)
	}
	if s := shown(t, all, "embedder.url"); strings.Contains(s.Value, "hush") {
		t.Errorf("the address is shown as %q", s.Value)
	}
}

// Names of the release before still work as a flag, which is hidden, as a variable and in a
// file, and say what they are called now. The present name takes precedence over them.
func TestFormerNames(t *testing.T) {
	former := map[string]struct{ now, value string }{
		"drain": {"shutdown-timeout", "7s"}, "min-free": {"min-free-space", "64MiB"}, "session-idle": {"session-idle-timeout", "7m"},
		"dgraph-tls.on": {"dgraph-tls.enabled", "true"}, "redis-tls.on": {"redis-tls.enabled", "true"}, "recess.plain": {"recess.insecure", "true"},
		"embedder.models": {"embedder.models-dir", "/models"}, "chat.read": {"chat.extract", "true"},
	}
	chat := []string{"SOMNOGRAPH_CHAT_URL=http://127.0.0.1:1", "SOMNOGRAPH_CHAT_MODEL=m"} // chat.extract needs them
	for old, x := range former {
		file := write(t, old+": "+x.value+"\n")
		for name, load := range map[string]func() (*Config, []Setting, error){
			"flag":     func() (*Config, []Setting, error) { return Load(flags(t, "--"+flagOf(old)+"="+x.value), chat) },
			"variable": func() (*Config, []Setting, error) { return Load(flags(t), append(chat, variableOf(old)+"="+x.value)) },
			"file":     func() (*Config, []Setting, error) { return Load(flags(t, "--config", file), chat) },
		} {
			_, all, err := load()
			if err != nil {
				t.Errorf("%s as a %s: %v", old, name, err)
				continue
			}
			s := shown(t, all, x.now)
			now := map[string]string{"flag": "--" + flagOf(x.now), "variable": variableOf(x.now), "file": x.now}[name]
			if s.Value != x.value || s.Now != now {
				t.Errorf("%s as a %s: %+v, want %s, now called %s", old, name, s, x.value, now)
			}
		}
		if !flags(t).Lookup(flagOf(old)).Hidden {
			t.Errorf("--%s is shown in the help", flagOf(old))
		}
	}
	for _, s := range declared {
		if _, tested := former[s.former]; s.former != "" && !tested {
			t.Errorf("the former name %s is not tested", s.former)
		}
	}
	c, _, err := Load(flags(t, "--drain", "1s", "--shutdown-timeout", "2s"), nil)
	if err != nil || c.ShutdownTimeout != 2*time.Second {
		t.Errorf("with both names: %s, %v", c.ShutdownTimeout, err)
	}
}

func TestASecretIsNoFlag(t *testing.T) {
	if flags(t).Lookup("embedder-token") != nil {
		t.Error("embedder.token is a flag: other users of the machine could read it")
	}
}

// What can't be right refuses to start, and the line names the key.
// Rate limits are on with authentication, unless the configuration says something else.
func TestRatesDependOnAuth(t *testing.T) {
	for _, c := range []struct {
		auth             []string
		limit, principal int
		tenant, each     int
	}{
		{[]string{"off"}, Auto, Auto, 0, 0},
		{[]string{"keys"}, Auto, Auto, 1_200_000, 300_000},
		{[]string{"keys"}, 0, 0, 0, 0},
		{[]string{"keys"}, 500, Auto, 500, 300_000},
		{[]string{"off"}, 500, 70, 500, 70},
	} {
		conf := Config{Auth: Auth{Modes: c.auth}, Rate: Rate{Limit: c.limit, Principal: c.principal}}
		if tenant, each := conf.Rates(); tenant != c.tenant || each != c.each {
			t.Errorf("%+v gives %d and %d", c, tenant, each)
		}
	}
	var n int
	for text, want := range map[string]int{"auto": Auto, "0": 0, "12": 12} {
		if err := wholeOrAuto(&n, 100)(text); err != nil || n != want {
			t.Errorf("%q is %d, %v", text, n, err)
		}
	}
	for _, text := range []string{"-1", "101", "Auto", ""} {
		if err := wholeOrAuto(&n, 100)(text); err == nil || !strings.Contains(err.Error(), "auto") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, x := range []struct {
		name  string
		file  string
		env   []string
		args  []string
		wants []string
	}{
		{"unknown key", "adr: 127.0.0.1:1\n", nil, nil, []string{"adr", "no such setting"}},
		{"unknown nested key", "embedder: {modle: x}\n", nil, nil, []string{"embedder.modle", "no such setting"}},
		{"scalar where a group stands", "embedder: hashed\n", nil, nil, []string{"embedder", "no such setting"}},
		{"key without a value", "data:\n", nil, nil, []string{"data: has no value", "somnograph.yaml"}},
		{"nested key without a value", "backup: {to: ~}\n", nil, nil, []string{"backup.to: has no value"}},
		{"second document", "addr: 127.0.0.1:9\n---\nauth: keys\n", nil, nil, []string{"second document", "somnograph.yaml"}},
		{"file that is no YAML", "addr: [\n", nil, nil, []string{"somnograph.yaml"}},
		{"unknown variable", "", []string{"SOMNOGRAPH_ADRR=x"}, nil, []string{"SOMNOGRAPH_ADRR"}},
		{"duration without unit", "shutdown-timeout: 10\n", nil, nil, []string{"shutdown-timeout", "unit"}},
		{"size without unit", "", []string{"SOMNOGRAPH_MIN_FREE_SPACE=100"}, nil, []string{"min-free-space", "unit", "SOMNOGRAPH_MIN_FREE_SPACE"}},
		{"size below zero", "min-free-space: -1MiB\n", nil, nil, []string{"min-free-space"}},
		{"size out of range", "max-content: 101KiB\n", nil, nil, []string{"max-content"}},
		{"no bool", "demo: perhaps\n", nil, nil, []string{"demo", "true or false"}},
		{"unknown level", "", nil, []string{"--log-level", "loud"}, []string{"log-level: must be debug, info, warn or error", "--log-level"}},
		{"unknown time zone", "", nil, []string{"--sleep-zone", "Mars"}, []string{"sleep.zone: must be a time zone such as UTC"}},
		{"unknown format", "log-format: xml\n", nil, nil, []string{"log-format", "text, json"}},
		{"address without port", "", nil, []string{"--addr", "127.0.0.1"}, []string{"addr", "host:port"}},
		{"address without host", "", nil, []string{"--addr", ":8420"}, []string{"addr", "needs a host"}},
		{"port too large", "", nil, []string{"--addr", "127.0.0.1:70000"}, []string{"addr", "70000"}},
		{"empty data directory", "data: \"\"\n", nil, nil, []string{"data", "empty"}},
		{"open to the network", "", nil, []string{"--addr", "0.0.0.0:8420"}, []string{"addr", "loopback", "auth is off"}},
		{"open to the network without TLS", "", nil, []string{"--addr", "0.0.0.0:8420", "--auth", "keys"}, []string{"addr", "unencrypted", "--behind-proxy"}},
		{"off and keys", "", nil, []string{"--auth", "keys,off"}, []string{"auth", "excludes"}},
		{"an unknown way", "", nil, []string{"--auth", "passwords"}, []string{"auth", "off, keys"}},
		{"a certificate without its key", "", nil, []string{"--tls-cert", "c.pem"}, []string{"tls-cert", "tls-key"}},
		{"client certificates without TLS", "", nil, []string{"--tls-client-ca", "c.pem"}, []string{"tls-client-ca", "tls-cert"}},
		{"keys on a cluster without a common pepper", "store: dgraph\nauth: keys\n", nil, nil, []string{"pepper-file", "same file"}},
		{"a name that may be the network", "", nil, []string{"--addr", "myhost:8420"}, []string{"addr", "loopback"}},
		{"metrics open to the network", "", nil, []string{"--metrics-addr", "[::]:9420"}, []string{"metrics-addr", "loopback"}},
		{"both on one port", "", nil, []string{"--addr", "127.0.0.1:9", "--metrics-addr", "127.0.0.1:9"}, []string{"metrics-addr", "differ"}},
		{"a model for the embedder that has none", "embedder: {model: x}\n", nil, nil, []string{"embedder.kind", "hashed"}},
		{"no endpoint", "embedder: {kind: openai, model: x}\n", nil, nil, []string{"embedder.url"}},
		{"no directory", "embedder: {kind: static}\n", nil, nil, []string{"embedder.model", "directory"}},
		{"a static model on the network", "embedder: {kind: static, model: d, url: 'http://models.example'}\n", nil, nil, []string{"embedder.kind", "embedder.url"}},
		{"a model of the hub with its secret in the clear", "embedder: {kind: static, model: 'hub:o/m', url: 'http://models.example', token: hush}\n", nil, nil, []string{"embedder.token", "unencrypted"}},
		{"no model", "embedder: {kind: huggingface}\n", nil, nil, []string{"embedder.model"}},
		{"no URL", "embedder: {kind: openai, url: models.example}\n", nil, nil, []string{"embedder.url", "http"}},
		{"a reranker without an endpoint", "reranker: {model: m}\n", nil, nil, []string{"reranker.url"}},
		{"a language model without an endpoint", "chat: {model: m}\n", nil, nil, []string{"chat.url", "chat.model"}},
		{"extraction without a language model", "chat: {extract: true}\n", nil, nil, []string{"chat.url", "chat.extract"}},
		{"an endpoint without a language model", "chat: {url: 'http://127.0.0.1:1'}\n", nil, nil, []string{"chat.url", "chat.model"}},
		{"a language model with its secret in the clear", "chat: {url: 'http://models.example', model: m, token: hush}\n", nil, nil, []string{"chat.token", "unencrypted"}},
		{"an endpoint that is none", "reranker: {url: host}\n", nil, nil, []string{"reranker.url", "http"}},
		{"its secret in the clear", "reranker: {url: 'http://models.example', token: hush}\n", nil, nil, []string{"reranker.token", "unencrypted"}},
		{"secret in the clear", "embedder: {kind: openai, url: 'http://models.example', token: hush}\n", nil, nil, []string{"embedder.token", "unencrypted"}},
		{"origin with a path", "allowed-origins: [http://a.example/x]\n", nil, nil, []string{"allowed-origins", "origin"}},
		{"a list of addresses", "addr: [127.0.0.1:1, 127.0.0.1:2]\n", nil, nil, []string{"addr", "one value", "list"}},
		{"missing file", "", nil, []string{"--config", "/does/not/exist.yaml"}, []string{"/does/not/exist.yaml"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			args := x.args
			if x.file != "" {
				args = append([]string{"--config", write(t, x.file)}, args...)
			}
			_, _, err := Load(flags(t, args...), x.env)
			if err == nil {
				t.Fatal("no error")
			}
			for _, w := range x.wants {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("error %q does not say %q", err, w)
				}
			}
			if strings.Contains(err.Error(), "hush") || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q contains a secret or has several lines", err)
			}
		})
	}
}

func TestVariablesOfOthersAreLeftAlone(t *testing.T) {
	_, _, err := Load(flags(t), []string{
		"SOMNOGRAPH_BIN=/x", "SOMNOGRAPH_SOAK=1h", "SOMNOGRAPH_SERVICE_HOST=10.0.0.1", "SOMNOGRAPH_SERVICE_PORT_HTTP=80",
		"SOMNOGRAPH_PORT=tcp://10.0.0.1:80", "SOMNOGRAPH_PORT_8420_TCP_ADDR=10.0.0.1", "SOMNOGRAPH_API_SERVICE_HOST=10.0.0.1",
	})
	if err != nil {
		t.Error(err)
	}
}

func TestLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1:1": true, "127.9.9.9:1": true, "[::1]:1": true, "localhost:1": true, "localhost": true, "::1": true,
		"0.0.0.0:1": false, "[::]:1": false, "10.0.0.1:1": false, "example.org:1": false, "localhost.evil.example:1": false, "": false,
	} {
		if got := Loopback(host); got != want {
			t.Errorf("Loopback(%q) = %v, want %v", host, got, want)
		}
	}
}

func TestSizes(t *testing.T) {
	for s, want := range map[string]int64{"0B": 0, "64MiB": 64 << 20, "1.5GiB": 3 << 29, "2 KiB": 2048, "1MB": 1e6} {
		got, err := parseSize(s)
		if err != nil || got != want {
			t.Errorf("parseSize(%q) = %d, %v, want %d", s, got, err, want)
		}
	}
	for _, s := range []string{"", "B", "12", "x MiB", "-1B", "NaNB", "1e30TiB"} {
		if got, err := parseSize(s); err == nil {
			t.Errorf("parseSize(%q) = %d, want an error", s, got)
		}
	}
	for n, want := range map[int64]string{0: "", 64 << 20: "", 1: "must be 0B or at least 64MiB"} {
		if err := zeroOr(64 << 20)(n); err == nil && want != "" || err != nil && err.Error() != want {
			t.Errorf("zeroOr(64MiB)(%d) = %v, want %q", n, err, want)
		}
	}
}

func TestVectorsInDgraphNeedDgraph(t *testing.T) {
	for _, x := range []struct {
		args, env []string
		want      string
	}{
		{nil, nil, ""},
		{[]string{"--store", "dgraph", "--vectors", "dgraph"}, nil, ""},
		{[]string{"--store", "dgraph"}, []string{"SOMNOGRAPH_VECTORS=memory"}, ""},
		{[]string{"--config", write(t, "store: dgraph\nvectors: dgraph\n")}, nil, ""},
		{[]string{"--vectors", "dgraph"}, nil, "--vectors"},
		{nil, []string{"SOMNOGRAPH_VECTORS=dgraph"}, "vectors: dgraph requires"},
		{[]string{"--vectors", "redis"}, nil, "vectors: "},
	} {
		_, _, err := Load(flags(t, x.args...), x.env)
		if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v %v: %v, want %q", x.args, x.env, err, x.want)
		}
	}
}

// Automatic sleeps are on by default, but not with a simulated clock or the demo world, unless the
// mode says so.
func TestAutomaticSleeps(t *testing.T) {
	for _, c := range []struct {
		mode            string
		demo, simulated bool
		want            bool
	}{
		{"auto", false, false, true},
		{"auto", true, false, false},
		{"auto", false, true, false},
		{"on", true, false, true},
		{"on", false, true, true},
		{"off", false, false, false},
	} {
		var config Config
		config.Sleep.Mode, config.Demo, config.SimulatedClock = c.mode, c.demo, c.simulated
		if got := config.Automatic(); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// Issuers are a list in a file, and one text in a flag or a variable.
func TestIssuersInEveryLayer(t *testing.T) {
	path := write(t, "auth: keys,oidc\noidc:\n  issuers:\n    - issuer: https://id.example\n      audience: [a, b]\n      tenant: acme\n      grants:\n        staff: [memory:read]\n")
	one := "{issuer: https://id.example, audience: [a, b], tenant: acme, grants: {staff: [memory:read]}}"
	for name, environ := range map[string][]string{
		"file": {"SOMNOGRAPH_CONFIG=" + path}, "variable": {"SOMNOGRAPH_AUTH=keys,oidc", "SOMNOGRAPH_OIDC_ISSUERS=" + one},
	} {
		c, _, err := Load(flags(t), environ)
		if err != nil || len(c.Auth.Issuers) != 1 || len(c.Auth.Issuers[0].Audience) != 2 || c.Auth.Issuers[0].Grants["staff"][0] != "memory:read" || !c.Auth.Has("oidc") {
			t.Errorf("%s: %+v, %v", name, c, err)
		}
	}
	for want, environ := range map[string][]string{
		"oidc.issuers: is required": {"SOMNOGRAPH_AUTH=oidc"},
		"oidc.issuers: requires":    {"SOMNOGRAPH_AUTH=keys", "SOMNOGRAPH_OIDC_ISSUERS=" + one},
		"oidc.issuers: audience":    {"SOMNOGRAPH_AUTH=oidc", "SOMNOGRAPH_OIDC_ISSUERS={issuer: https://id.example, tenant: acme}"},
		"auth: off excludes":        {"SOMNOGRAPH_AUTH=off,oidc", "SOMNOGRAPH_OIDC_ISSUERS=" + one},
	} {
		if _, _, err := Load(flags(t), environ); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", environ, err, want)
		}
	}
}

// A profile gives the values that nothing else gives: a flag, a variable and a file win over it.
func TestProfileGivesWhatNothingElseGives(t *testing.T) {
	path := write(t, "profile: low-memory\nbadger:\n  mapped: 100MiB\n")
	c, all, err := Load(flags(t, "--config", path, "--gc-percent", "80"), []string{"SOMNOGRAPH_MEMORY_LIMIT=700MiB"})
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"profile": path, "gc-percent": "--gc-percent", "memory-limit": "SOMNOGRAPH_MEMORY_LIMIT", "badger.mapped": path,
		"index.vector-memory": "profile low-memory", "index.workers": "profile low-memory", "search.effort": "default",
	} {
		if s := shown(t, all, key); s.Origin != want || c.FromProfile(key) != strings.HasPrefix(want, "profile ") {
			t.Errorf("%s is %s from %s, want it from %s (FromProfile %v)", key, s.Value, s.Origin, want, c.FromProfile(key))
		}
	}
	if c.GCPercent != 80 || c.MemoryLimit != 700<<20 || c.Mapped != 100<<20 || c.VectorMemory != 0 || c.IndexWorkers != 1 || c.MemTable != 8<<20 {
		t.Errorf("config = %+v", c)
	}
}

// Every profile names settings that exist, with values that they accept.
func TestEveryProfileIsValid(t *testing.T) {
	known := keys(func(key string) string { return key })
	for name, values := range profiles {
		for key := range values {
			if known[key] == "" {
				t.Errorf("profile %s sets %s, which does not exist", name, key)
			}
		}
		if _, _, err := Load(flags(t, "--profile", name), nil); err != nil {
			t.Errorf("profile %s: %v", name, err)
		}
	}
	_, _, err := Load(flags(t, "--profile", "tiny"), nil)
	if err == nil || !strings.Contains(err.Error(), "must be one of accurate, balanced, fast, large, low-memory") {
		t.Errorf("an unknown profile: %v", err)
	}
}

// A help text says path only where a file or directory is meant.
func TestKindsOfFlags(t *testing.T) {
	fs := pflag.NewFlagSet("serve", pflag.ContinueOnError)
	Flags(fs)
	for name, want := range map[string]string{
		"profile": "text", "pepper-file": "path", "data": "path", "keys": "path", "tls-key": "path", "dgraph-tls-ca": "path", "embedder-models-dir": "path", "addr": "host:port",
	} {
		if got := fs.Lookup(name).Value.Type(); got != want {
			t.Errorf("--%s takes a %s, want %s", name, got, want)
		}
	}
}

// A group whose settings are all comments has the defaults.
func TestAGroupOfCommentsIsEmpty(t *testing.T) {
	path := write(t, "addr: 127.0.0.1:9\nsleep:\n  # mode: off\n")
	c, _, err := Load(flags(t, "--config", path), nil)
	if err != nil || c.Addr != "127.0.0.1:9" {
		t.Errorf("%+v, %v", c, err)
	}
}
