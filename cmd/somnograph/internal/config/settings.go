package config

import (
	"fmt"
	"strings"
	"time"
)

// kind is the syntax of a value.
type kind int

const (
	text kind = iota
	list      // comma-separated
	boolean
	whole    // a whole number
	duration // with a unit: 10s, 2m
	size     // bytes with a unit: 64MiB
)

// setting declares one setting.
type setting struct {
	key      string // in a file; the flag has - for ., the variable is upper case with _ for both
	former   string // earlier key: its flag is hidden, its variable and key still work for one release
	kind     kind
	fallback string
	usage    string
	secret   bool // never a flag: other users can see command lines
	put      func(*Config, any) error
}

// settings is every setting with its default, in the order in which they are shown.
var settings = []setting{
	{key: "addr", fallback: "127.0.0.1:8420", usage: "address to listen on, host:port; without authentication only loopback is allowed",
		put: func(c *Config, v any) error { c.Addr = v.(string); return checkHostPort(c.Addr) }},
	{key: "data", fallback: "./data", usage: "data directory; only one server can use it at a time",
		put: func(c *Config, v any) error { c.Data = v.(string); return notEmpty(c.Data) }},
	{key: "store", fallback: "badger", usage: "where memories are stored: badger (in the data directory) or dgraph (on a cluster)",
		put: func(c *Config, v any) error { c.Store = v.(string); return oneOf(c.Store, "badger", "dgraph") }},
	{key: "dgraph", kind: list, fallback: "127.0.0.1:9080", usage: "gRPC addresses of the Dgraph alphas, host:port, comma-separated; dgraph-tls.enabled encrypts the connection",
		put: func(c *Config, v any) error {
			c.Dgraph = v.([]string)
			if len(c.Dgraph) == 0 {
				return fmt.Errorf("must name an alpha")
			}
			for _, a := range c.Dgraph {
				if err := checkHostPort(a); err != nil {
					return err
				}
			}
			return nil
		}},
	{key: "vectors", fallback: "memory", usage: "where vectors are searched: memory (of this server) or dgraph (for data larger than memory; writes and searches are slower)",
		put: func(c *Config, v any) error { c.Vectors = v.(string); return oneOf(c.Vectors, "memory", "dgraph") }},
	{key: "redis.addr", fallback: "", usage: "Redis through which the servers of one store notify each other and share rate limits, host:port; empty: none, they poll the store",
		put: func(c *Config, v any) error {
			if c.Redis.Addr = v.(string); c.Redis.Addr == "" {
				return nil
			}
			return checkHostPort(c.Redis.Addr)
		}},
	{key: "dgraph-tls.enabled", former: "dgraph-tls.on", kind: boolean, fallback: "false", usage: "use TLS to Dgraph; implied where a file is named",
		put: func(c *Config, v any) error { c.DgraphAccess.TLS.Enabled = v.(bool); return nil }},
	{key: "dgraph-tls.ca", fallback: "", usage: "PEM file of the authorities that sign the alphas' certificates; empty: those of the machine",
		put: func(c *Config, v any) error { c.DgraphAccess.TLS.CA = v.(string); return nil }},
	{key: "dgraph-tls.cert", fallback: "", usage: "PEM file of the client certificate for Dgraph",
		put: func(c *Config, v any) error { c.DgraphAccess.TLS.Cert = v.(string); return nil }},
	{key: "dgraph-tls.key", fallback: "", usage: "PEM file of the key of that certificate",
		put: func(c *Config, v any) error { c.DgraphAccess.TLS.Key = v.(string); return nil }},
	{key: "dgraph-login.user", fallback: "", usage: "user for a cluster with access control; must be allowed to alter the schema; empty: no login",
		put: func(c *Config, v any) error { c.DgraphAccess.User = v.(string); return nil }},
	{key: "dgraph-login.password", fallback: "", secret: true, usage: "password of dgraph-login.user",
		put: func(c *Config, v any) error { c.DgraphAccess.Password = v.(string); return nil }},
	{key: "redis.user", fallback: "", usage: "Redis user; empty: its default user",
		put: func(c *Config, v any) error { c.Redis.User = v.(string); return nil }},
	{key: "redis.password", fallback: "", secret: true, usage: "Redis password",
		put: func(c *Config, v any) error { c.Redis.Password = v.(string); return nil }},
	{key: "redis-tls.enabled", former: "redis-tls.on", kind: boolean, fallback: "false", usage: "use TLS to Redis; implied where a file is named",
		put: func(c *Config, v any) error { c.Redis.TLS.Enabled = v.(bool); return nil }},
	{key: "redis-tls.ca", fallback: "", usage: "PEM file of the authorities that sign Redis's certificate; empty: those of the machine",
		put: func(c *Config, v any) error { c.Redis.TLS.CA = v.(string); return nil }},
	{key: "redis-tls.cert", fallback: "", usage: "PEM file of the client certificate for Redis",
		put: func(c *Config, v any) error { c.Redis.TLS.Cert = v.(string); return nil }},
	{key: "redis-tls.key", fallback: "", usage: "PEM file of the key of that certificate",
		put: func(c *Config, v any) error { c.Redis.TLS.Key = v.(string); return nil }},
	{key: "redis.prefix", fallback: "somnograph", usage: "prefix of every name in Redis; the same for all servers of one store",
		put: func(c *Config, v any) error { c.Redis.Prefix = v.(string); return notEmpty(c.Redis.Prefix) }},
	{key: "rate.limit", kind: whole, fallback: "0", usage: "rate limit per tenant, in cost units per minute (a memory costs 5); 0: unlimited",
		put: func(c *Config, v any) error {
			c.Rate.Limit = v.(int)
			return between(int64(c.Rate.Limit), 0, 1_000_000_000)
		}},
	{key: "rate.burst", kind: whole, fallback: "0", usage: "cost units that a tenant may spend at once; 0: as many as in a minute",
		put: func(c *Config, v any) error {
			c.Rate.Burst = v.(int)
			return between(int64(c.Rate.Burst), 0, 1_000_000_000)
		}},
	{key: "metrics-addr", fallback: "", usage: "loopback address for Prometheus metrics, such as 127.0.0.1:9420; empty: none",
		put: func(c *Config, v any) error {
			if c.MetricsAddr = v.(string); c.MetricsAddr == "" {
				return nil
			}
			return checkHostPort(c.MetricsAddr)
		}},
	{key: "allowed-origins", kind: list, fallback: "", usage: "further web origins whose pages may call the API, such as http://127.0.0.1:5173",
		put: func(c *Config, v any) error { c.AllowedOrigins = v.([]string); return checkOrigins(c.AllowedOrigins) }},
	{key: "simulated-clock", kind: boolean, fallback: "false", usage: "use a clock that advanceClock moves forward",
		put: func(c *Config, v any) error { c.SimulatedClock = v.(bool); return nil }},
	{key: "demo", kind: boolean, fallback: "false", usage: "load the demo world if the store is empty",
		put: func(c *Config, v any) error { c.Demo = v.(bool); return nil }},
	{key: "graphiql", kind: boolean, fallback: "true", usage: "serve the GraphQL IDE at /graphiql",
		put: func(c *Config, v any) error { c.GraphiQL = v.(bool); return nil }},
	{key: "log-level", fallback: "info", usage: "lowest level to log: debug, info, warn or error",
		put: func(c *Config, v any) error { return c.LogLevel.UnmarshalText([]byte(v.(string))) }},
	{key: "log-format", fallback: "text", usage: "format of log lines: text or json",
		put: func(c *Config, v any) error {
			c.LogJSON = v.(string) == "json"
			return oneOf(v.(string), "text", "json")
		}},
	{key: "memory-limit", kind: size, fallback: "0B", usage: "soft memory limit; 0B: GOMEMLIMIT, or 70 % of what the machine or its cgroup has",
		put: func(c *Config, v any) error { c.MemoryLimit = v.(int64); return atLeast(c.MemoryLimit, 0, 64<<20) }},
	{key: "max-content", kind: size, fallback: "32KiB", usage: "largest content of a memory, at most 100KiB",
		put: func(c *Config, v any) error {
			c.MaxContent = int(v.(int64))
			return between(int64(c.MaxContent), 1, 100<<10)
		}},
	{key: "min-free-space", former: "min-free", kind: size, fallback: "0B", usage: "free disk space below which writes are refused; 0B: 256MiB, or a tenth of a small disk",
		put: func(c *Config, v any) error { c.MinFree = v.(int64); return atLeast(c.MinFree, 0, 16<<20) }},
	{key: "shutdown-timeout", former: "drain", kind: duration, fallback: "10s", usage: "how long requests may finish at shutdown, at most 10m",
		put: func(c *Config, v any) error {
			if c.ShutdownTimeout = v.(time.Duration); c.ShutdownTimeout < 0 || c.ShutdownTimeout > 10*time.Minute {
				return fmt.Errorf("must be 0s to 10m")
			}
			return nil
		}},
	{key: "session-idle-timeout", former: "session-idle", kind: duration, fallback: "30m", usage: "idle time after which the turns of a conversation leave the working buffer, 1s to 24h",
		put: func(c *Config, v any) error {
			if c.SessionIdle = v.(time.Duration); c.SessionIdle < time.Second || c.SessionIdle > 24*time.Hour {
				return fmt.Errorf("must be 1s to 24h")
			}
			return nil
		}},
	{key: "sleep.mode", fallback: "auto", usage: "automatic sleeps: on, off, or auto (on unless the clock is simulated)",
		put: func(c *Config, v any) error {
			c.Sleep.Mode = v.(string)
			return oneOf(c.Sleep.Mode, "auto", "on", "off")
		}},
	{key: "sleep.at", fallback: "02:00", usage: "time of day of the nightly deep sleep",
		put: func(c *Config, v any) error {
			at, err := time.Parse("15:04", v.(string))
			if err != nil {
				return fmt.Errorf("must be a time of day such as 02:00")
			}
			c.Sleep.Hour, c.Sleep.Minute = at.Hour(), at.Minute()
			return nil
		}},
	{key: "sleep.zone", fallback: "UTC", usage: "time zone of sleep.at, such as Europe/Vienna",
		put: func(c *Config, v any) (err error) {
			if c.Sleep.Zone, err = time.LoadLocation(v.(string)); err != nil {
				return fmt.Errorf("is no time zone")
			}
			return nil
		}},
	{key: "sleep.pressure", kind: whole, fallback: "10000", usage: "number of ACTIVE memories in L1 above which a deep sleep starts",
		put: func(c *Config, v any) error {
			c.Sleep.Pressure = v.(int)
			return between(int64(c.Sleep.Pressure), 100, 1<<30)
		}},
	{key: "recess.endpoint", fallback: "", usage: "S3-compatible store for the sealed files of the recess, host:port; empty: they stay in the data directory",
		put: func(c *Config, v any) error {
			if c.Recess.Endpoint = v.(string); c.Recess.Endpoint == "" {
				return nil
			}
			return checkHostPort(c.Recess.Endpoint)
		}},
	{key: "recess.bucket", fallback: "somnograph", usage: "bucket at recess.endpoint; it must exist",
		put: func(c *Config, v any) error { c.Recess.Bucket = v.(string); return notEmpty(c.Recess.Bucket) }},
	{key: "recess.prefix", fallback: "", usage: "prefix of every name in the bucket; different for every server",
		put: func(c *Config, v any) error { c.Recess.Prefix = v.(string); return nil }},
	{key: "recess.region", fallback: "", usage: "region of the bucket; empty: the server asks the endpoint",
		put: func(c *Config, v any) error { c.Recess.Region = v.(string); return nil }},
	{key: "recess.access-key", fallback: "", usage: "access key of the bucket; empty: that of the environment or the machine",
		put: func(c *Config, v any) error { c.Recess.AccessKey = v.(string); return nil }},
	{key: "recess.secret-key", fallback: "", secret: true, usage: "secret key of the bucket",
		put: func(c *Config, v any) error { c.Recess.SecretKey = v.(string); return nil }},
	{key: "recess.insecure", former: "recess.plain", kind: boolean, fallback: "false", usage: "use HTTP without TLS to recess.endpoint, for a store on the same machine",
		put: func(c *Config, v any) error { c.Recess.Insecure = v.(bool); return nil }},
	{key: "embedder.kind", fallback: "hashed", usage: "embedding model: hashed (built in, offline), static (a table of vectors, from a directory or downloaded once from the hub), huggingface or openai (any compatible endpoint)",
		put: func(c *Config, v any) error {
			c.Embedder.Kind = v.(string)
			return oneOf(c.Embedder.Kind, "hashed", "static", "huggingface", "openai")
		}},
	{key: "embedder.url", fallback: "", usage: "endpoint of the embedding model; for static a mirror of the hub",
		put: func(c *Config, v any) error {
			if c.Embedder.URL = v.(string); c.Embedder.URL == "" {
				return nil
			}
			return checkURL(c.Embedder.URL)
		}},
	{key: "embedder.model", fallback: "", usage: "name of the model; for static a directory, or hub:owner/model@revision. A store is tied to its model; reembed switches",
		put: func(c *Config, v any) error { c.Embedder.Model = v.(string); return nil }},
	{key: "embedder.token", fallback: "", secret: true, usage: "secret for the embedding endpoint",
		put: func(c *Config, v any) error { c.Embedder.Token = v.(string); return nil }},
	{key: "embedder.models-dir", former: "embedder.models", fallback: "", usage: "directory for static models downloaded from the hub; empty: the user's cache",
		put: func(c *Config, v any) error { c.Embedder.ModelsDir = v.(string); return nil }},
	{key: "embedder.query-prefix", fallback: "", usage: "text put before every query, for models that need one",
		put: func(c *Config, v any) error { c.Embedder.QueryPrefix = v.(string); return nil }},
	{key: "embedder.passage-prefix", fallback: "", usage: "text put before every memory, for models that need one",
		put: func(c *Config, v any) error { c.Embedder.PassagePrefix = v.(string); return nil }},
	{key: "embedder.dimension", kind: whole, fallback: "0", usage: "dimension of the vectors; 0: that of the model",
		put: func(c *Config, v any) error {
			c.Embedder.Dimension = v.(int)
			return between(int64(c.Embedder.Dimension), 0, 4096)
		}},
	{key: "reranker.url", fallback: "", usage: "cross-encoder that reranks the best hits of ACCURATE searches: a Text Embeddings Inference server, or any endpoint with a rerank call; empty: none",
		put: func(c *Config, v any) error {
			if c.Reranker.URL = v.(string); c.Reranker.URL == "" {
				return nil
			}
			return checkURL(c.Reranker.URL)
		}},
	{key: "reranker.model", fallback: "", usage: "model of the cross-encoder, for endpoints that need one",
		put: func(c *Config, v any) error { c.Reranker.Model = v.(string); return nil }},
	{key: "reranker.token", fallback: "", secret: true, usage: "secret for the cross-encoder",
		put: func(c *Config, v any) error { c.Reranker.Token = v.(string); return nil }},
	{key: "chat.url", fallback: "", usage: "language model that is asked where the rules are in doubt, and that shortens summaries during sleep: any OpenAI-compatible endpoint; empty: none",
		put: func(c *Config, v any) error {
			if c.Chat.URL = v.(string); c.Chat.URL == "" {
				return nil
			}
			return checkURL(c.Chat.URL)
		}},
	{key: "chat.model", fallback: "", usage: "model at chat.url",
		put: func(c *Config, v any) error { c.Chat.Model = v.(string); return nil }},
	{key: "chat.token", fallback: "", secret: true, usage: "secret for chat.url",
		put: func(c *Config, v any) error { c.Chat.Token = v.(string); return nil }},
	{key: "chat.extract", former: "chat.read", kind: boolean, fallback: "false", usage: "have the language model extract names and relations that the rules missed from every new memory, after the write is answered",
		put: func(c *Config, v any) error { c.Chat.Extract = v.(bool); return nil }},
}

// names are the key and the former key.
func (s setting) names() []string {
	if s.former == "" {
		return []string{s.key}
	}
	return []string{s.key, s.former}
}

// flagOf is the name of the flag of a key.
func flagOf(key string) string { return strings.ReplaceAll(key, ".", "-") }

// variableOf is the name of the environment variable of a key.
func variableOf(key string) string {
	return prefix + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(key))
}
