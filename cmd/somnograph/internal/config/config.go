// Package config says how the server is set up: flags before environment before
// file before defaults. Every setting is declared once, in settings.go.
package config

import (
	"log/slog"
	"time"
)

// Config is what is in force.
type Config struct {
	Addr           string   // where the server listens, host:port
	Data           string   // data directory
	Store          string   // badger or dgraph
	Dgraph         []string // addresses of alphas, where Store is dgraph
	Vectors        string   // memory or dgraph: where vectors live that are searched
	DgraphAccess   DgraphAccess
	Redis          Redis
	Rate           Rate
	MetricsAddr    string        // where /metrics listens; empty: nowhere
	AllowedOrigins []string      // further origins whose pages may call the API
	SimulatedClock bool          // serve with a clock that can be moved
	Demo           bool          // load the demo world into an empty store
	GraphiQL       bool          // serve the GraphQL IDE
	LogLevel       slog.Level    // least level that is logged
	LogJSON        bool          // log lines as JSON
	MemoryLimit    int64         // soft limit of the process in bytes; 0: by the machine
	MaxContent     int           // largest content of a memory in bytes
	MinFree        int64         // free bytes on the disk below which writes are refused; 0: the store decides
	Drain          time.Duration // how long requests in flight may take at shutdown
	SessionIdle    time.Duration // how long a turn waits in L0 when nothing follows it
	Sleep          Sleep
	Recess         Recess
	Embedder       Embedder
	Reranker       Reranker
	Chat           Chat
}

// Redis says how servers of one store reach each other.
type Redis struct {
	Addr     string // host:port; empty: only through the store
	User     string // empty: the default one
	Password string // empty: none is asked for
	TLS      TLS
	Prefix   string // before every name
}

// DgraphAccess says how the cluster is reached.
type DgraphAccess struct {
	TLS            TLS
	User, Password string // of a cluster with access control
}

// TLS says how a connection is encrypted. It is where On is set or a file is named.
type TLS struct {
	On            bool
	CA, Cert, Key string // paths of PEM files
}

// Rate says what a tenant may spend, in the units of an operation's cost.
type Rate struct {
	Limit int // a minute; 0: as much as it likes
	Burst int // at once; 0: a minute's worth
}

// Recess says where the sealed files of the recess are kept.
type Recess struct {
	Endpoint string // of an S3-compatible store, host:port; empty: files in the data directory
	Bucket   string
	Prefix   string // before every name
	Region   string
	// AccessKey and SecretKey sign requests; both empty: those of the environment or the machine.
	AccessKey, SecretKey string
	Plain                bool // HTTP without TLS
}

// Sleep says when the memory sleeps of itself.
type Sleep struct {
	Mode         string // auto, on or off; auto: on unless the clock is simulated
	Hour, Minute int    // of the nightly deep sleep
	Zone         *time.Location
	Pressure     int // ACTIVE memories in L1 that start one
}

// Automatic reports whether the memory sleeps of itself.
func (c *Config) Automatic() bool {
	return c.Sleep.Mode == "on" || c.Sleep.Mode == "auto" && !c.SimulatedClock
}

// Embedder says which embedding model the store is searched with.
type Embedder struct {
	Kind      string // hashed, static, huggingface or openai
	URL       string // endpoint; empty: that of the kind
	Model     string // static: a directory, or hub:owner/model
	Token     string // secret
	Models    string // where models of the hub are kept; empty: the user's cache
	Dimension int    // of the vectors; 0: that of the model
	// Some models want a word in front that says what a text is.
	QueryPrefix, PassagePrefix string
}

// Reranker says which cross-encoder reads the best hits of ACCURATE searches.
type Reranker struct {
	URL   string // endpoint; empty: none
	Model string // empty: the one that the endpoint serves
	Token string // secret
}

// Chat says which language model is asked where the rules are in doubt.
type Chat struct {
	URL   string // of an OpenAI-compatible endpoint; empty: none
	Model string
	Token string // secret
	Read  bool   // it reads every new memory for names and relations
}

// Setting is one setting as it came out.
type Setting struct {
	Key    string
	Value  string // as it would be written in a file; "•••" where it is secret
	Origin string // default, the file's path, the variable or the flag
	Usage  string
}
