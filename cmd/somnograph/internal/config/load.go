package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"
)

// prefix begins the name of every environment variable of ours.
const prefix = "SOMNOGRAPH_"

// pathVariable names the configuration file, as the flag --config does.
const pathVariable = prefix + "CONFIG"

// foreign are variables with our prefix that others read: the commands that call a server, the
// tests and tools of the project, and Kubernetes for every service in the namespace of a pod.
var foreign = regexp.MustCompile(`^SOMNOGRAPH_(CA|PASSWORD|KEY|BIN|URL|GUARDED_URL|SOAK|(\w+_)?SERVICE_(HOST|PORT(_\w+)?)|(\w+_)?PORT(_\d+_(TCP|UDP)(_\w+)?)?)$`)

// Flags adds --config and a flag for every setting that may be one. Flags of former names are
// hidden.
func Flags(fs *pflag.FlagSet) {
	fs.String("config", "", "configuration file (YAML)")
	for _, s := range declared {
		if s.secret {
			continue
		}
		for _, key := range s.names() {
			if s.switches() {
				fs.Bool(flagOf(key), s.fallback == "true", s.usage)
			} else {
				fs.Var(&textFlag{s.fallback, kindOf(s)}, flagOf(key), s.usage)
			}
		}
		if s.former != "" {
			fs.Lookup(flagOf(s.former)).Hidden = true
		}
	}
}

// layer is one source of values, by the keys of the settings.
type layer struct {
	values map[string]any
	origin func(key string) string // where the value of a key comes from
	name   func(key string) string // what the key is called there
}

// value is the value of a setting and the key that it was given under. A former name is used only where
// the layer has no value under the present one.
func (l layer) value(s setting) (v any, key string, given bool) {
	for _, key := range s.names() {
		if v, given := l.values[key]; given {
			return v, key, true
		}
	}
	return nil, "", false
}

// Load puts the configuration together from the flags that were set, the
// environment (as os.Environ gives it), the file, the profile and the defaults. An error names
// the key at fault and where it stands.
func Load(flags *pflag.FlagSet, environ []string) (*Config, []Setting, error) {
	path := valueOf(environ, pathVariable)
	if f := flags.Lookup("config"); f != nil && f.Changed {
		path = f.Value.String()
	}
	layers := []layer{flagLayer(flags)}
	e, err := envLayer(environ)
	if err != nil {
		return nil, nil, err
	}
	layers = append(layers, e)
	if path != "" {
		f, err := fileLayer(path)
		if err != nil {
			return nil, nil, err
		}
		layers = append(layers, f)
	}
	layers = append(layers, profileLayer(layers))
	c := &Config{profiled: map[string]bool{}, given: map[string]bool{}}
	var shown []Setting
	for _, s := range settings(c) {
		value, origin, now := s.fallback, "default", ""
		for i, l := range layers {
			if v, key, given := l.value(s); given {
				value, origin = textOf(v), l.origin(key)
				if !s.many && isList(v) {
					return nil, nil, fmt.Errorf("config: %s: takes one value, not a list (in %s)", key, origin)
				}
				c.given[s.key], c.profiled[s.key] = true, i == len(layers)-1
				if key != s.key {
					now = l.name(s.key)
				}
				break
			}
		}
		err := s.set(value)
		if s.secret && value != "" {
			value = "•••"
		}
		value = withoutSecrets(value)
		if err != nil {
			return nil, nil, fmt.Errorf("config: %s: %w (it is %q, from %s)", s.key, err, value, origin)
		}
		shown = append(shown, Setting{Key: s.key, Value: value, Origin: origin, Now: now, Usage: s.usage})
	}
	return c, shown, c.pairs()
}

// withoutSecrets hides the password and the values of parameters of a URL, or of several with
// commas between them. Endpoints take keys there; what is shown may be logged or sent to somebody.
// Any other text is unchanged.
func withoutSecrets(value string) string {
	// A comma that does not begin an address belongs to the one before it.
	if next := strings.LastIndex(value, "://"); next >= 0 {
		if comma := strings.LastIndex(value[:next], ","); comma >= 0 {
			return withoutSecrets(value[:comma]) + "," + withoutSecrets(value[comma+1:])
		}
	}
	u, err := url.Parse(value)
	if err != nil || u.Host == "" || u.User == nil && u.RawQuery == "" {
		return value
	}
	if _, has := u.User.Password(); has {
		u.User = url.UserPassword(u.User.Username(), "•••")
	}
	parameters := u.Query()
	for name := range parameters {
		parameters.Set(name, "•••")
	}
	u.RawQuery = parameters.Encode()
	return strings.ReplaceAll(u.String(), url.QueryEscape("•••"), "•••")
}

// SealsCluster reports whether a Dgraph cluster is to be sealed, which it is not by default.
func (c *Config) SealsCluster() bool { return c.Store == "dgraph" && c.Seal && c.given["seal"] }

// pairs refuses settings that are unsafe or senseless together.
func (c *Config) pairs() error {
	e := c.Embedder
	switch {
	case c.Auth.On() && slices.Contains(c.Auth.Modes, "off"):
		return errors.New("config: auth: off excludes every other value")
	case c.Auth.Has("oidc") && len(c.Auth.Issuers) == 0:
		return errors.New("config: oidc.issuers: is required with auth oidc")
	case !c.Auth.Has("oidc") && len(c.Auth.Issuers) > 0:
		return errors.New("config: oidc.issuers: requires auth oidc, such as --auth keys,oidc")
	case !Loopback(c.Addr) && !c.Auth.On():
		return fmt.Errorf("config: addr: %s is not a loopback address, and auth is off: anyone who reaches it could read every memory; set --auth keys, or use 127.0.0.1:PORT", c.Addr)
	case (c.Auth.TLS.Cert == "") != (c.Auth.TLS.Key == ""):
		return errors.New("config: tls-cert: must be set together with tls-key")
	case c.Auth.TLS.CA != "" && c.Auth.TLS.Cert == "":
		return errors.New("config: tls-client-ca: requires tls-cert and tls-key")
	case !Loopback(c.Addr) && c.Auth.TLS.Cert == "" && !c.Auth.BehindProxy:
		return fmt.Errorf("config: addr: %s is not a loopback address, and there is no TLS: keys and memories would be sent unencrypted; set --tls-cert and --tls-key, or --behind-proxy if a proxy adds TLS", c.Addr)
	case c.Auth.On() && c.Store == "dgraph" && c.Auth.PepperFile == "":
		return errors.New("config: pepper-file: is required with auth on a cluster, and must be the same file for all of its servers")
	case c.MetricsAddr != "" && !Loopback(c.MetricsAddr):
		return fmt.Errorf("config: metrics-addr: %s is not a loopback address; use 127.0.0.1:PORT", c.MetricsAddr)
	case c.Vectors == "dgraph" && c.Store != "dgraph":
		return fmt.Errorf("config: vectors: dgraph requires --store dgraph (it is %s); set --store dgraph, or leave --vectors out", c.Store)
	case c.SealsCluster() && c.Vectors == "dgraph":
		return errors.New("config: seal: on excludes vectors: dgraph, which needs vectors that Dgraph can read; leave --vectors or --seal out")
	case c.SealsCluster() && c.Redis.Addr != "":
		return errors.New("config: seal: on over Dgraph excludes redis: a sealed cluster has one server; leave --redis or --seal out")
	case c.MetricsAddr == c.Addr && !strings.HasSuffix(c.Addr, ":0"):
		return fmt.Errorf("config: metrics-addr: must differ from addr (both are %s)", c.Addr)
	case e.Kind == "hashed" && (e.URL != "" || e.Token != "" || e.Model != ""):
		return errors.New("config: embedder.kind: is hashed, which uses no embedder.url, embedder.model or embedder.token; set it to static, huggingface or openai, or leave those out")
	case e.Kind == "static" && (e.QueryPrefix != "" || e.PassagePrefix != ""):
		return errors.New("config: embedder.kind: is static, which uses no embedder.query-prefix or embedder.passage-prefix; leave them out")
	case e.Kind == "static" && e.Model == "":
		return errors.New("config: embedder.model: is required for embedder.kind static: the directory of the model, or hub:owner/model")
	case e.Kind == "static" && !strings.HasPrefix(e.Model, "hub:") && (e.URL != "" || e.Token != ""):
		return errors.New("config: embedder.kind: is static and embedder.model a directory, which uses no embedder.url or embedder.token; leave those out")
	case e.Kind == "openai" && e.URL == "":
		return errors.New("config: embedder.url: is required for embedder.kind openai")
	case e.Kind != "hashed" && e.Model == "" && e.URL == "":
		return fmt.Errorf("config: embedder.model: is required for embedder.kind %s", e.Kind)
	}
	if c.Reranker.URL == "" && (c.Reranker.Model != "" || c.Reranker.Token != "") {
		return errors.New("config: reranker.url: is required for reranker.model and reranker.token")
	}
	if (c.Chat.URL == "") != (c.Chat.Model == "") || c.Chat.URL == "" && (c.Chat.Token != "" || c.Chat.Extract) {
		return errors.New("config: chat.url: must be set together with chat.model; chat.token and chat.extract need both")
	}
	return errors.Join(encrypted("embedder", e.URL, e.Token), encrypted("reranker", c.Reranker.URL, c.Reranker.Token), encrypted("chat", c.Chat.URL, c.Chat.Token))
}

// encrypted refuses a secret that would travel in the clear.
func encrypted(group, address, secret string) error {
	if u, err := url.Parse(address); err == nil && secret != "" && u.Scheme == "http" && !Loopback(u.Host) {
		return fmt.Errorf("config: %s.token: would be sent unencrypted to %s; use https", group, u.Host)
	}
	return nil
}

func flagLayer(flags *pflag.FlagSet) layer {
	values := map[string]any{}
	for key := range keys(func(key string) string { return key }) {
		if f := flags.Lookup(flagOf(key)); f != nil && f.Changed {
			values[key] = f.Value.String()
		}
	}
	name := func(key string) string { return "--" + flagOf(key) }
	return layer{values, name, name}
}

// keys maps what name makes of every key, former ones included, to the key.
func keys(name func(key string) string) map[string]string {
	all := map[string]string{}
	for _, s := range declared {
		for _, key := range s.names() {
			all[name(key)] = key
		}
	}
	return all
}

func envLayer(environ []string) (layer, error) {
	known := keys(variableOf)
	values := map[string]any{}
	var unknown []string
	for _, e := range environ {
		name, value, _ := strings.Cut(e, "=")
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		if key := known[name]; key != "" {
			values[key] = value
		} else if name != pathVariable && !foreign.MatchString(name) {
			unknown = append(unknown, name)
		}
	}
	if len(unknown) > 0 {
		return layer{}, fmt.Errorf("config: %s: no setting has this variable; see somnograph config", slices.Min(unknown))
	}
	return layer{values, variableOf, variableOf}, nil
}

func fileLayer(path string) (layer, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return layer{}, fmt.Errorf("config: %w", err)
	}
	var groups map[string]any
	documents := yaml.NewDecoder(bytes.NewReader(raw))
	if err := documents.Decode(&groups); err != nil && !errors.Is(err, io.EOF) {
		return layer{}, fmt.Errorf("config: %s: %w", path, err)
	}
	if err := documents.Decode(new(any)); !errors.Is(err, io.EOF) {
		return layer{}, fmt.Errorf("config: %s: has a second document, after ---, which would be ignored; put all settings into one", path)
	}
	values := map[string]any{}
	flatten(values, "", groups)
	known := keys(func(key string) string { return key })
	for _, key := range slices.Sorted(maps.Keys(values)) {
		switch {
		case values[key] == nil && isGroup(known, key):
			delete(values, key) // all of its settings are comments
		case known[key] == "":
			return layer{}, fmt.Errorf("config: %s: no such setting (in %s)", key, path)
		case values[key] == nil:
			return layer{}, fmt.Errorf("config: %s: has no value (in %s); give it one, or remove it for the default", key, path)
		}
	}
	return layer{values, func(string) string { return path }, func(key string) string { return key }}, nil
}

// isGroup reports the name of a group of settings, such as embedder.
func isGroup(known map[string]string, name string) bool {
	for key := range known {
		if strings.HasPrefix(key, name+".") {
			return true
		}
	}
	return false
}

// flatten adds the values of nested groups under keys such as embedder.kind. An empty group
// is a value.
func flatten(into map[string]any, before string, group map[string]any) {
	for key, v := range group {
		inner, _ := v.(map[string]any)
		if mixed, ok := v.(map[any]any); ok { // some key is no string
			inner = map[string]any{}
			for k, v := range mixed {
				inner[fmt.Sprint(k)] = v
			}
		}
		if len(inner) > 0 {
			flatten(into, before+key+".", inner)
		} else {
			into[before+key] = v
		}
	}
}

// isList reports a list of values that are no groups.
func isList(v any) bool {
	items, list := v.([]any)
	return list && !slices.ContainsFunc(items, func(item any) bool { _, group := item.(map[string]any); return group })
}

// textOf is a value of a layer as it would be written in a flag.
func textOf(v any) string {
	items, ok := v.([]any)
	if !ok {
		return fmt.Sprint(v)
	}
	if slices.ContainsFunc(items, func(item any) bool { _, group := item.(map[string]any); return group }) {
		if raw, err := json.Marshal(items); err == nil { // YAML has values that JSON has not
			return string(raw)
		}
	}
	parts := make([]string, len(items))
	for i, item := range items {
		parts[i] = fmt.Sprint(item)
	}
	return strings.Join(parts, ",")
}

func valueOf(environ []string, name string) string {
	for _, e := range environ {
		if value, found := strings.CutPrefix(e, name+"="); found {
			return value
		}
	}
	return ""
}
