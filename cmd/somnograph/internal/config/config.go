// Package config loads the settings of the server: flags take precedence over the
// environment, that over the file, that over the defaults. settings.go declares every setting.
package config

import (
	"log/slog"
	"slices"
	"strconv"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/oidc"
	"github.com/somnograph/somnograph/internal/origin"
)

// Config holds the settings in force.
type Config struct {
	Addr            string   // address to listen on, host:port
	Data            string   // data directory
	Keys            string   // directory of the ledgers of erasures; empty: the default
	AcceptKeys      bool     // take it although the data had another or a newer one
	Store           string   // badger or dgraph
	Dgraph          []string // addresses of alphas, where Store is dgraph
	Vectors         string   // memory or dgraph: where vectors are searched
	DgraphAccess    DgraphAccess
	Redis           Redis
	Rate            Rate
	MetricsAddr     string // address of the listener for /metrics; empty: none
	MetricsTo       string // where metrics are sent: otlp.FromEnvironment or a URL; empty: nowhere
	Traces          Traces
	AllowedOrigins  []string      // further origins whose pages may call the API
	Seal            bool          // seal the embedded store
	SealNew         bool          // seal it if it is new
	SimulatedClock  bool          // use a clock that can be moved
	Demo            bool          // load the demo world into an empty store
	IngestURLs      bool          // download documents that callers name by URL
	GraphiQL        bool          // serve the GraphQL IDE
	LogLevel        slog.Level    // lowest level to log
	LogFormat       string        // of log lines: text or json
	Profile         string        // name of the profile whose values apply where none is given
	MemoryLimit     int64         // soft limit of the process in bytes; 0: from the machine
	GCPercent       int           // garbage, in percent of what is alive, at which it is collected; 0: GOGC, or 100
	MemTable        int64         // bytes of a memtable of the embedded store
	Mapped          int64         // bytes of its tables that may stay mapped in memory
	VectorMemory    int64         // bytes of exact vectors that the index keeps in memory
	IndexWorkers    int           // goroutines of one large query or load of the index
	Effort          string        // of searches that name none
	DefaultConsent  string        // strict, implicit or none
	MaxContent      int64         // largest content of a memory in bytes
	MinFree         int64         // free bytes on the disk below which writes are refused; 0: the store decides
	ShutdownTimeout time.Duration // how long requests may finish at shutdown
	ShutdownDelay   time.Duration // how long the server stays open after /readyz says 503
	SessionIdle     time.Duration // idle time after which turns leave L0
	Auth            Auth
	Sleep           Sleep
	Recess          Recess
	Backup          Backup
	Embedder        Embedder
	Models          Models
	Webhooks        Webhooks
	Canary          string // auto, daily or off
	AlarmWebhook    AlarmWebhook
	Reranker        Reranker
	Chat            Chat

	profiled map[string]bool // keys whose value comes from the profile
	given    map[string]bool // keys that have a value besides the default
}

// FromProfile reports whether the value of a key comes from the profile.
func (c *Config) FromProfile(key string) bool { return c.profiled[key] }

// Origins are the web origins whose pages may call the API. A server without auth listens on
// loopback only, where whatever serves a page from this machine can call it anyway: unless
// AllowedOrigins says which, these pages may. A proxy in front of such a server needs
// AllowedOrigins in any case.
func (c *Config) Origins() []string {
	if c.Auth.On() || !Loopback(c.Addr) || len(c.AllowedOrigins) > 0 {
		return c.AllowedOrigins
	}
	return origin.Local
}

// Auth says who may call the server.
type Auth struct {
	Modes       []string      // keys, oidc; off alone: every caller may do everything
	Issuers     []oidc.Issuer // of the tokens of mode oidc
	TLS         TLS           // of the listener; CA signs the certificates of clients, Enabled is not used
	BehindProxy bool          // a proxy adds TLS and sets X-Forwarded-For
	PepperFile  string        // of the API keys; empty: access/pepper in the data directory
}

// On reports whether callers have to prove who they are.
func (a Auth) On() bool { return !slices.Equal(a.Modes, []string{"off"}) && len(a.Modes) > 0 }

// Has reports whether a mode is on.
func (a Auth) Has(mode string) bool { return slices.Contains(a.Modes, mode) }

// Redis connects the servers of one store.
type Redis struct {
	Addr     string // host:port; empty: the servers poll the store
	User     string // empty: the default user
	Password string // empty: none
	TLS      TLS
	Prefix   string // of every name
}

// Traces says where spans of OpenTelemetry go.
type Traces struct {
	To      string // otlp.FromEnvironment or a URL; empty: nowhere
	Ratio   string // share of traces, [0,1]; empty: as OTEL_TRACES_SAMPLER says, else all
	Content bool   // spans have the texts of memories and questions
}

// Share is Ratio as a number, nil if it is empty.
func (t Traces) Share() *float64 {
	if t.Ratio == "" {
		return nil
	}
	share, err := strconv.ParseFloat(t.Ratio, 64)
	if err != nil { // checked when it was set
		return nil
	}
	return &share
}

// DgraphAccess holds TLS and credentials for the cluster.
type DgraphAccess struct {
	TLS            TLS
	User, Password string // of a cluster with access control
}

// TLS encrypts a connection if Enabled is set or a file is named.
type TLS struct {
	Enabled       bool
	CA, Cert, Key string // paths of PEM files
}

// Rate limits tenants and principals, in cost units of operations.
type Rate struct {
	Limit     int // of a tenant per minute; 0: unlimited; Auto
	Burst     int // of a tenant at once; 0: Limit
	Principal int // of a principal per minute; 0: unlimited; Auto
}

// Auto is the value of a limit that depends on whether callers are authenticated.
const Auto = -1

// Limits per minute with authentication where none are given. A unit is estimated to be 0.1 ms of processor
// time, so that a principal may use half a processor for long, and a tenant two.
const (
	tenantRate    = 1_200_000
	principalRate = 300_000
)

// Rates are the limits of a tenant and of a principal per minute; 0: unlimited. By default there are
// limits with authentication only.
func (c *Config) Rates() (tenant, principal int) {
	of := func(given, usual int) int {
		switch {
		case given != Auto:
			return given
		case c.Auth.On():
			return usual
		}
		return 0
	}
	return of(c.Rate.Limit, tenantRate), of(c.Rate.Principal, principalRate)
}

// Recess is the store for the sealed files of the recess.
type Recess struct {
	Endpoint string // of an S3-compatible store, host:port; empty: files in the data directory
	Bucket   string
	Prefix   string // of every name
	Region   string
	// AccessKey and SecretKey sign requests; both empty: those of the environment or the machine.
	AccessKey, SecretKey string
	Insecure             bool // HTTP without TLS
}

// Backup says where the server backs up its store.
type Backup struct {
	To        string        // a directory, or s3://bucket/prefix; empty: nowhere
	Every     time.Duration // between two segments
	FullEvery time.Duration // between two full exports
	Keep      int           // full exports that are kept with their segments; 0: all
	Endpoint  string        // of an S3-compatible store, host:port; empty: that of AWS
	Region    string
	// AccessKey and SecretKey sign requests; both empty: those of the environment or the machine.
	AccessKey, SecretKey string
	Insecure             bool // HTTP without TLS
}

// Sleep schedules automatic sleeps.
type Sleep struct {
	Mode         string // auto, on or off; auto: on unless the clock is simulated or the demo world is loaded
	Hour, Minute int    // of the nightly deep sleep
	Zone         *time.Location
	Pressure     int // number of ACTIVE memories in L1 above which one starts
}

// Automatic reports whether automatic sleeps are on.
func (c *Config) Automatic() bool {
	return c.Sleep.Mode == "on" || c.Sleep.Mode == "auto" && !c.SimulatedClock && !c.Demo
}

// Embedder is the embedding model of the store.
type Embedder struct {
	Kind      string // hashed, static, huggingface or openai
	URL       string // endpoint; empty: the default of the kind
	Model     string // static: a directory, or hub:owner/model
	Token     string // secret
	ModelsDir string // directory for models downloaded from the hub; empty: the user's cache
	Dimension int    // of the vectors; 0: that of the model
	// QueryPrefix and PassagePrefix are put before texts, for models that need them.
	QueryPrefix, PassagePrefix string
}

// Models limit what models outside this machine receive.
type Models struct {
	Allow          []string // URLs, directories and names of the hub that reembed may use
	MaxSensitivity string   // highest sensitivity of memories that are sent
	MinConsent     string   // weakest consent of memories that are sent
}

// Webhooks limit where webhooks send to.
type Webhooks struct {
	AllowPrivate bool // also to addresses that are not public, and without TLS
}

// AlarmWebhook is where alarms are sent.
type AlarmWebhook struct {
	URL    string // empty: nowhere
	Secret string // signs the messages; empty: they are not signed
}

// DailyCanary reports whether the canary runs.
func (c *Config) DailyCanary() bool {
	return c.Canary == "daily" || c.Canary == "auto" && !c.SimulatedClock && !c.Demo
}

// Reranker is the cross-encoder for the best hits of ACCURATE searches.
type Reranker struct {
	URL   string // endpoint; empty: none
	Model string // empty: the one that the endpoint serves
	Token string // secret
}

// Chat is the language model that is asked where the rules are in doubt.
type Chat struct {
	URL     string // of an OpenAI-compatible endpoint; empty: none
	Model   string
	Token   string // secret
	Extract bool   // it extracts names and relations from every new memory
}

// Setting is one setting in force.
type Setting struct {
	Key    string
	Value  string // as it would be written in a file; "•••" for a secret
	Origin string // default, the path of the file, the variable or the flag
	Now    string // present name of the flag, variable or key, where Origin used a former one
	Usage  string
}
