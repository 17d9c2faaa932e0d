package config

import (
	"errors"
	"strings"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/oidc"
)

// setting declares one setting.
type setting struct {
	key      string // in a file; the flag has - for ., the variable is upper case with _ for both
	former   string // earlier key: its flag is hidden, its variable and key still work for one release
	fallback string
	usage    string
	many     bool               // a file may give a list of values
	secret   bool               // never a flag: other users can see command lines
	set      func(string) error // parses and checks a value, and stores it in the Config
}

// settings returns every setting with its default, in the order in which they are shown. They
// are stored in c.
func settings(c *Config) []setting {
	return []setting{
		{key: "addr", fallback: "127.0.0.1:8420", set: text(&c.Addr, hostPort), usage: "address to listen on, host:port; without auth only loopback is allowed"},
		{key: "data", fallback: "./data", set: text(&c.Data, notEmpty), usage: "data directory; only one server can use it at a time"},
		{key: "keys", set: text(&c.Keys),
			usage: "directory of what must survive a restore of the data directory: the keys of a sealed store and the ledgers of erasures; without the keys the data can't be read; keep the directory on another disk and back it up apart from data, newest copy only; empty: somnograph/keys in the user's configuration directory, or keys in data for the demo world"},
		{key: "accept-keys", fallback: "false", set: boolean(&c.AcceptKeys),
			usage: "take the directory of keys although the data had another one, or a newer one: what only that one knows, such as erasures and revoked keys, can return from older copies. For one start, when the right one is lost"},
		{key: "seal", fallback: "on", set: sealing(c),
			usage: "seal the content in the data directory under keys in the directory of keys, so that erased text is unreadable at once, in copies too, and the data can't be read without the keys: on (a data directory of an earlier version is sealed in the background, for good), new (a new data directory only), off (none: erased bytes stay in files until these are rewritten, and in copies; a sealed one stays sealed). A Dgraph cluster is sealed only if on is given and it is empty; it has one server then, and no vectors: dgraph"},
		{key: "store", fallback: "badger", set: text(&c.Store, oneOf("badger", "dgraph")),
			usage: "where memories are stored: badger (in the data directory) or dgraph (on a cluster)"},
		{key: "dgraph", fallback: "127.0.0.1:9080", many: true, set: list(&c.Dgraph, true, hostPort),
			usage: "gRPC addresses of the Dgraph alphas, host:port, comma-separated; dgraph-tls.enabled encrypts the connection"},
		{key: "vectors", fallback: "memory", set: text(&c.Vectors, oneOf("memory", "dgraph")),
			usage: "where vectors are searched: memory (of this server) or dgraph (for data larger than memory; writes and searches are slower)"},
		{key: "redis.addr", set: text(&c.Redis.Addr, optional(hostPort)),
			usage: "Redis through which the servers of one store notify each other and share rate limits, host:port; empty: none, they poll the store"},
		{key: "dgraph-tls.enabled", former: "dgraph-tls.on", fallback: "false", set: boolean(&c.DgraphAccess.TLS.Enabled),
			usage: "use TLS to Dgraph; implied where a file is named"},
		{key: "dgraph-tls.ca", set: text(&c.DgraphAccess.TLS.CA), usage: "PEM file of the authorities that sign the alphas' certificates; empty: those of the machine"},
		{key: "dgraph-tls.cert", set: text(&c.DgraphAccess.TLS.Cert), usage: "PEM file of the client certificate for Dgraph"},
		{key: "dgraph-tls.key", set: text(&c.DgraphAccess.TLS.Key), usage: "PEM file of the key of that certificate"},
		{key: "dgraph-login.user", set: text(&c.DgraphAccess.User), usage: "user for a cluster with access control; must be allowed to alter the schema; empty: no login"},
		{key: "dgraph-login.password", secret: true, set: text(&c.DgraphAccess.Password), usage: "password of dgraph-login.user"},
		{key: "redis.user", set: text(&c.Redis.User), usage: "Redis user; empty: its default user"},
		{key: "redis.password", secret: true, set: text(&c.Redis.Password), usage: "Redis password"},
		{key: "redis-tls.enabled", former: "redis-tls.on", fallback: "false", set: boolean(&c.Redis.TLS.Enabled), usage: "use TLS to Redis; implied where a file is named"},
		{key: "redis-tls.ca", set: text(&c.Redis.TLS.CA), usage: "PEM file of the authorities that sign Redis's certificate; empty: those of the machine"},
		{key: "redis-tls.cert", set: text(&c.Redis.TLS.Cert), usage: "PEM file of the client certificate for Redis"},
		{key: "redis-tls.key", set: text(&c.Redis.TLS.Key), usage: "PEM file of the key of that certificate"},
		{key: "redis.prefix", fallback: "somnograph", set: text(&c.Redis.Prefix, notEmpty), usage: "prefix of every name in Redis; the same for all servers of one store"},
		{key: "rate.limit", fallback: "auto", set: wholeOrAuto(&c.Rate.Limit, 1_000_000_000),
			usage: "rate limit per tenant, in cost units per minute (a memory costs 5); auto: 1200000 with auth, else unlimited; 0: unlimited"},
		{key: "rate.principal", fallback: "auto", set: wholeOrAuto(&c.Rate.Principal, 1_000_000_000),
			usage: "rate limit per principal, in cost units per minute; auto: 300000 with auth, else unlimited; 0: unlimited"},
		{key: "rate.burst", fallback: "0", set: whole(&c.Rate.Burst, 0, 1_000_000_000), usage: "cost units that a tenant may spend at once; 0: as many as in a minute"},
		{key: "auth", fallback: "off", many: true, set: list(&c.Auth.Modes, true, oneOf("off", "keys", "oidc")),
			usage: "how callers prove who they are: keys (API keys), oidc (tokens of oidc.issuers), both with a comma, or off, which is allowed on loopback only"},
		{key: "oidc.issuers", set: parsed(&c.Auth.Issuers, oidc.ParseIssuers, ""),
			usage: "OpenID Connect issuers whose tokens are accepted and at which people sign in: a list in YAML or JSON, see docs/security.md"},
		{key: "tls-cert", set: text(&c.Auth.TLS.Cert), usage: "PEM file of the server's certificate; empty: no TLS"},
		{key: "tls-key", set: text(&c.Auth.TLS.Key), usage: "PEM file of the key of that certificate"},
		{key: "tls-client-ca", set: text(&c.Auth.TLS.CA), usage: "PEM file of authorities; clients must then show a certificate that one of them signed"},
		{key: "behind-proxy", fallback: "false", set: boolean(&c.Auth.BehindProxy),
			usage: "a proxy adds TLS and sets X-Forwarded-For: the server may listen on any address without TLS, and takes the client's address from the last entry of that header"},
		{key: "pepper-file", set: text(&c.Auth.PepperFile),
			usage: "file with the pepper of the API keys, at least 32 random bytes, the same for all servers of one store; empty: access/pepper in the data directory, made at the first start"},
		{key: "metrics-addr", set: text(&c.MetricsAddr, optional(hostPort)), usage: "loopback address for Prometheus metrics, such as 127.0.0.1:9420; empty: none"},
		{key: "metrics-to", set: text(&c.MetricsTo, optional(collector)),
			usage: "where metrics go each minute, besides metrics-addr: the URL of an OpenTelemetry collector that takes OTLP, or otlp, for what the variables OTEL_EXPORTER_OTLP_* say; empty: nowhere"},
		{key: "traces.to", set: text(&c.Traces.To, optional(collector)),
			usage: "where traces go: the URL of an OpenTelemetry collector that takes OTLP, such as http://127.0.0.1:4318, or otlp, for what the variables OTEL_EXPORTER_OTLP_* say; empty: nowhere"},
		{key: "traces.ratio", set: text(&c.Traces.Ratio, optional(share)),
			usage: "share of the traces that begin at this server, 0 to 1; empty: as OTEL_TRACES_SAMPLER says, else all"},
		{key: "traces.content", fallback: "false", set: boolean(&c.Traces.Content),
			usage: "put the texts of memories and questions into spans"},
		{key: "allowed-origins", many: true, set: list(&c.AllowedOrigins, false, webOrigin), usage: "web origins whose pages may call the API, such as https://app.example, or http://192.168.1.7:* for every port; none given and no auth: those that this machine serves"},
		{key: "simulated-clock", fallback: "false", set: boolean(&c.SimulatedClock), usage: "use a clock that advanceClock moves forward"},
		{key: "demo", fallback: "false", set: boolean(&c.Demo), usage: "load the demo world if the store is empty"},
		{key: "ingest-urls", fallback: "false", set: boolean(&c.IngestURLs), usage: "let callers name documents on the web, which the server downloads; never from private addresses"},
		{key: "graphiql", fallback: "true", set: boolean(&c.GraphiQL), usage: "serve GraphiQL at /graphiql"},
		{key: "log-level", fallback: "info", set: func(s string) error {
			if c.LogLevel.UnmarshalText([]byte(s)) != nil {
				return errors.New("must be debug, info, warn or error")
			}
			return nil
		},
			usage: "lowest level to log: debug, info, warn or error"},
		{key: "log-format", fallback: "text", set: text(&c.LogFormat, oneOf("text", "json")), usage: "format of log lines: text or json"},
		{key: "profile", fallback: "balanced", set: text(&c.Profile, oneOf(ProfileNames()...)),
			usage: "values of the settings of this group where none are given: balanced, fast, accurate, low-memory or large; see docs/operations.md"},
		{key: "memory-limit", fallback: "0B", set: size(&c.MemoryLimit, zeroOr(64<<20)),
			usage: "soft memory limit; 0B: GOMEMLIMIT, or 70 % of what the machine or its cgroup has"},
		{key: "gc-percent", fallback: "0", set: whole(&c.GCPercent, 0, 1000),
			usage: "garbage, in percent of what is alive, at which it is collected; less takes processor time and saves memory; 0: GOGC, or 100"},
		{key: "badger.memtable", fallback: "16MiB", set: size(&c.MemTable, between(8<<20, 256<<20)),
			usage: "size of a memtable of the embedded store, 8MiB to 256MiB; a large one makes long fills faster and takes a dozen times its size while it is written"},
		{key: "badger.mapped", fallback: "192MiB", set: size(&c.Mapped, between(16<<20, 1<<40)),
			usage: "how much of the tables of the embedded store may stay mapped in memory, on Linux; the rest stays in the page cache"},
		{key: "index.vector-memory", fallback: "256MiB", set: size(&c.VectorMemory, between(0, 1<<40)),
			usage: "how much of the exact vectors the index keeps in memory besides their file; the rounded vectors that are searched first are always in memory"},
		{key: "index.workers", fallback: "2", set: whole(&c.IndexWorkers, 1, 64),
			usage: "goroutines of one large search and of building the neighbour graph"},
		{key: "search.effort", fallback: "BALANCED", set: text(&c.Effort, oneOf("FAST", "BALANCED", "ACCURATE")),
			usage: "effort of contexts and of searches over MCP: FAST, BALANCED or ACCURATE; a GraphQL search that names none is BALANCED, as the schema says"},
		{key: "max-content", fallback: "32KiB", set: size(&c.MaxContent, between(1, 100<<10)), usage: "largest content of a memory, at most 100KiB"},
		{key: "default-consent", fallback: "strict", set: text(&c.DefaultConsent, oneOf("strict", "implicit", "none")),
			usage: "consent of a write that names none, where the namespace has no default of its own: strict (refuse it), implicit or none"},
		{key: "min-free-space", former: "min-free", fallback: "0B", set: size(&c.MinFree, zeroOr(16<<20)),
			usage: "free disk space below which writes are refused, at least nine and a half memtables and 4MiB; 0B: 256MiB, or a tenth of a small disk"},
		{key: "shutdown-timeout", former: "drain", fallback: "10s", set: duration(&c.ShutdownTimeout, 0, 10*time.Minute, "must be 0s to 10m"),
			usage: "how long requests may finish at shutdown, at most 10m"},
		{key: "shutdown-delay", fallback: "0s", set: duration(&c.ShutdownDelay, 0, 10*time.Minute, "must be 0s to 10m"),
			usage: "how long the server still accepts requests at shutdown while /readyz says 503, so that a load balancer notices, at most 10m"},
		{key: "session-idle-timeout", former: "session-idle", fallback: "30m", set: duration(&c.SessionIdle, time.Second, 24*time.Hour, "must be 1s to 24h"),
			usage: "idle time after which the turns of a conversation leave the working buffer, 1s to 24h"},
		{key: "sleep.mode", fallback: "auto", set: text(&c.Sleep.Mode, oneOf("auto", "on", "off")),
			usage: "automatic sleeps: on, off, or auto (on unless the clock is simulated or the demo world is loaded)"},
		{key: "sleep.at", fallback: "02:00", set: timeOfDay(&c.Sleep.Hour, &c.Sleep.Minute), usage: "time of day of the nightly deep sleep"},
		{key: "sleep.zone", fallback: "UTC", set: zone(&c.Sleep.Zone), usage: "time zone of sleep.at, such as Europe/Vienna"},
		{key: "sleep.pressure", fallback: "10000", set: whole(&c.Sleep.Pressure, 100, 1<<30), usage: "number of ACTIVE memories in L1 above which a deep sleep starts"},
		{key: "recess.endpoint", set: text(&c.Recess.Endpoint, optional(hostPort)),
			usage: "S3-compatible store for the sealed files of the recess, host:port; empty: they stay in the data directory"},
		{key: "recess.bucket", fallback: "somnograph", set: text(&c.Recess.Bucket, notEmpty), usage: "bucket at recess.endpoint; it must exist"},
		{key: "recess.prefix", set: text(&c.Recess.Prefix), usage: "prefix of every name in the bucket; different for every server"},
		{key: "recess.region", set: text(&c.Recess.Region), usage: "region of the bucket; empty: the server asks the endpoint"},
		{key: "recess.access-key", set: text(&c.Recess.AccessKey), usage: "access key of the bucket; empty: that of the environment or the machine"},
		{key: "recess.secret-key", secret: true, set: text(&c.Recess.SecretKey), usage: "secret key of the bucket"},
		{key: "recess.insecure", former: "recess.plain", fallback: "false", set: boolean(&c.Recess.Insecure),
			usage: "use HTTP without TLS to recess.endpoint, for a store on the same machine"},
		{key: "backup.to", set: text(&c.Backup.To), usage: "where the server backs up its store: a directory, or s3://bucket/prefix; empty: nowhere. Needs the directory of keys"},
		{key: "backup.every", fallback: "5s", set: duration(&c.Backup.Every, time.Second, time.Hour, "must be 1s to 1h"), usage: "time between two segments of the backup, 1s to 1h"},
		{key: "backup.full-every", fallback: "24h", set: duration(&c.Backup.FullEvery, time.Minute, 90*24*time.Hour, "must be 1m to 2160h"), usage: "time between two full exports of the backup, 1m to 2160h"},
		{key: "backup.keep", fallback: "0", set: whole(&c.Backup.Keep, 0, 10_000), usage: "full exports that are kept, with their segments; older ones are removed; 0: all"},
		{key: "backup.endpoint", set: text(&c.Backup.Endpoint, optional(hostPort)), usage: "S3-compatible store of backup.to, host:port; empty: that of AWS"},
		{key: "backup.region", set: text(&c.Backup.Region), usage: "region of the bucket of backup.to; empty: the server asks the endpoint"},
		{key: "backup.access-key", set: text(&c.Backup.AccessKey), usage: "access key of that bucket; empty: that of the environment or the machine"},
		{key: "backup.secret-key", secret: true, set: text(&c.Backup.SecretKey), usage: "secret key of that bucket"},
		{key: "backup.insecure", fallback: "false", set: boolean(&c.Backup.Insecure), usage: "use HTTP without TLS to backup.endpoint, for a store on the same machine"},
		{key: "embedder.kind", fallback: "hashed", set: text(&c.Embedder.Kind, oneOf("hashed", "static", "huggingface", "openai")),
			usage: "embedding model: hashed (built in, offline), static (a table of vectors, from a directory or downloaded once from the hub), huggingface or openai (any compatible endpoint)"},
		{key: "embedder.url", set: text(&c.Embedder.URL, optional(httpURL)), usage: "endpoint of the embedding model; for static a mirror of the hub"},
		{key: "embedder.model", set: text(&c.Embedder.Model),
			usage: "name of the model; for static a directory, or hub:owner/model@revision. A store is tied to its model; reembed switches"},
		{key: "embedder.token", secret: true, set: text(&c.Embedder.Token), usage: "secret for the embedding endpoint"},
		{key: "embedder.models-dir", former: "embedder.models", set: text(&c.Embedder.ModelsDir),
			usage: "directory for static models downloaded from the hub; empty: the user's cache"},
		{key: "embedder.query-prefix", set: text(&c.Embedder.QueryPrefix), usage: "text put before every query, for models that need one"},
		{key: "embedder.passage-prefix", set: text(&c.Embedder.PassagePrefix), usage: "text put before every memory, for models that need one"},
		{key: "embedder.dimension", fallback: "0", set: whole(&c.Embedder.Dimension, 0, 4096), usage: "dimension of the vectors; 0: that of the model"},
		{key: "models.allow", many: true, set: list(&c.Models.Allow, false, modelAllowed),
			usage: "models that reembed may switch to, besides the configured embedder: https URLs, http URLs of this machine, absolute directories of static models, hub:owner/model; comma-separated"},
		{key: "models.max-sensitivity", fallback: "CONFIDENTIAL", set: text(&c.Models.MaxSensitivity, oneOf("PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED")),
			usage: "highest sensitivity of memories that are sent to a model outside this machine"},
		{key: "models.min-consent", fallback: "IMPLICIT", set: text(&c.Models.MinConsent, oneOf("EXPLICIT", "IMPLICIT", "NONE")),
			usage: "weakest consent of memories that are sent to a model outside this machine"},
		{key: "webhooks.allow-private", fallback: "false", set: boolean(&c.Webhooks.AllowPrivate),
			usage: "let webhooks send to loopback, private and link-local addresses, and without TLS"},
		{key: "canary", fallback: "auto", set: text(&c.Canary, oneOf("auto", "daily", "off")),
			usage: "measure recall, drift, corrections and compression once a day in a world of its own, with the configured embedder: daily, off, or auto (daily unless the clock is simulated or the demo world is loaded)"},
		{key: "alarm-webhook", set: text(&c.AlarmWebhook.URL, optional(httpURL)),
			usage: "URL to which the changes of alarms are sent as JSON; empty: nowhere"},
		{key: "alarm-webhook-secret", secret: true, set: text(&c.AlarmWebhook.Secret), usage: "secret that signs what is sent to alarm-webhook, as Standard Webhooks say; empty: no signature"},
		{key: "reranker.url", set: text(&c.Reranker.URL, optional(httpURL)),
			usage: "cross-encoder that reranks the best hits of ACCURATE searches: a Text Embeddings Inference server, or any endpoint with a rerank call; empty: none"},
		{key: "reranker.model", set: text(&c.Reranker.Model), usage: "model of the cross-encoder, for endpoints that need one"},
		{key: "reranker.token", secret: true, set: text(&c.Reranker.Token), usage: "secret for the cross-encoder"},
		{key: "chat.url", set: text(&c.Chat.URL, optional(httpURL)),
			usage: "language model that decides where the rules are uncertain, and that shortens summaries during sleep: any OpenAI-compatible endpoint; empty: none"},
		{key: "chat.model", set: text(&c.Chat.Model), usage: "model at chat.url"},
		{key: "chat.token", secret: true, set: text(&c.Chat.Token), usage: "secret for chat.url"},
		{key: "chat.extract", former: "chat.read", fallback: "false", set: boolean(&c.Chat.Extract),
			usage: "have the language model extract names and relations that the rules missed from every new memory, after the write is answered"},
	}
}

// declared is every setting, for its names.
var declared = settings(&Config{})

// switches reports whether the setting is true or false.
func (s setting) switches() bool { return s.fallback == "true" || s.fallback == "false" }

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
