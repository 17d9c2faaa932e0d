package dgraphstore

import (
	"cmp"
	"crypto/rand"
	"crypto/tls"
	"io"
	"log/slog"
	mathrand "math/rand/v2"
	"time"

	"google.golang.org/grpc"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
)

// Options configure a store. The zero value uses the defaults.
type Options struct {
	// FoldEvery is the interval of folding counted uses into memories. Zero: 5 s.
	FoldEvery time.Duration
	// UsageJournal is a directory of this process's own that holds counted uses until they are in Dgraph: CountUses then does not wait for the
	// cluster. A kill loses none of them, a power cut at most the last second's. Empty: CountUses waits.
	UsageJournal string
	// UsageFlushEvery is the interval of writing the journal to Dgraph. Zero: 500 ms.
	UsageFlushEvery time.Duration
	// PollEvery is how often the head of a tenant is read while a reader waits for its feed:
	// the largest delay of another process's commits. Zero: 200 ms.
	PollEvery time.Duration
	// IndexVectors keeps an index of the vectors of every tenant in Dgraph, for Near. It makes
	// commits much slower. An index that another process began is kept up to date in any case.
	IndexVectors bool
	// Seal seals an empty cluster under keys outside of it. One that was sealed stays so. One with data that
	// is not sealed is refused with ErrPlain. A sealed cluster has one server, and no vector index.
	Seal bool
	// SealNew is Seal that leaves a cluster with data as it is.
	SealNew bool
	// OpenKeys opens the keys of a sealed cluster, which Close closes. Without existing it may make them. They must be this process's alone.
	OpenKeys func(existing bool) (*keyring.Keyring, error)
	// KeepRetired is how long the keys of deleted rows are kept if nothing is erased meanwhile. Zero: a week.
	KeepRetired time.Duration
	// OnCommit is called after each commit of this process that changed something. It must not block. Nil: not called.
	OnCommit func(graph.Tenant)
	// WriteLeases serialises the processes that write a tenant. Nil: they conflict at their commits.
	WriteLeases WriteLeases
	// Timeout limits one request to Dgraph. Zero: 20 s.
	Timeout time.Duration
	// RetryFor is how long a failed request is retried while no server can serve it, and how
	// long the store looks for the outcome of a commit. Zero: 30 s.
	RetryFor time.Duration
	// UnavailableAfter is how long no alpha may answer before the store counts as unavailable: a call with a deadline then fails at once, one
	// without waits for RetryFor. Zero: 5 s.
	UnavailableAfter time.Duration
	// Backoff is how long the n-th retry (from 1) waits. Nil: a random time up to 2ⁿ⁻¹ ms, at most 500 ms.
	Backoff func(n int) time.Duration
	// Now is the clock of the lock around schema changes. Nil: the machine's.
	Now func() time.Time
	// Rand is the source of commit tokens. Nil: the machine's randomness.
	Rand io.Reader
	// TLS encrypts the connections. Nil: they are not encrypted; use a network of their own.
	TLS *tls.Config
	// Login is the user on a cluster with access control; it must be allowed to alter the schema. Nil: the cluster has none.
	Login *Login
	// Dial is further options of the connections, such as interceptors.
	Dial []grpc.DialOption
	// Observer watches the store. Nil: nobody does.
	Observer graph.Observer
	// Logger gets warnings. Nil: none.
	Logger *slog.Logger
}

// Login is a user of the cluster.
type Login struct{ User, Password string }

func (o Options) withDefaults() Options {
	o.FoldEvery = cmp.Or(o.FoldEvery, 5*time.Second)
	o.UsageFlushEvery = cmp.Or(o.UsageFlushEvery, usageFlushEvery)
	o.PollEvery = cmp.Or(o.PollEvery, 200*time.Millisecond)
	o.KeepRetired = cmp.Or(o.KeepRetired, 7*24*time.Hour)
	o.Timeout = cmp.Or(o.Timeout, 20*time.Second)
	o.RetryFor = cmp.Or(o.RetryFor, 30*time.Second)
	o.UnavailableAfter = cmp.Or(o.UnavailableAfter, 5*time.Second)
	if o.Backoff == nil {
		o.Backoff = backoff
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	o.Rand = cmp.Or(o.Rand, rand.Reader)
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	return o
}

// backoff is a wait with full jitter: the retries of competing callers spread out.
func backoff(n int) time.Duration {
	limit := 500 * time.Millisecond
	if n < 10 {
		limit = min(limit, time.Millisecond<<(n-1))
	}
	return mathrand.N(limit)
}
