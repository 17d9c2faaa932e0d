package dgraphstore

import (
	"crypto/rand"
	"crypto/tls"
	"io"
	"log/slog"
	mathrand "math/rand/v2"
	"time"

	"google.golang.org/grpc"

	"github.com/somnograph/somnograph/graph"
)

// Options tune a store. The zero value is a good store.
type Options struct {
	// FoldEvery is the longest time for which counted uses stay apart. Zero: 5 s.
	FoldEvery time.Duration
	// Uses is a directory of this process's own in which counted uses stand until they are
	// in Dgraph: then CountUses does not wait for the cluster. A kill loses none of them, a
	// power cut at most the last second's. Empty: CountUses waits.
	Uses string
	// BehindFor is how long counted uses wait there for others. Zero: 500 ms.
	BehindFor time.Duration
	// PollEvery is how often the head of a tenant that somebody waits for is asked
	// for: so late a commit of another process shows. Zero: 200 ms.
	PollEvery time.Duration
	// Near keeps an index of the vectors of every tenant in Dgraph, for Near to ask. A
	// commit is slower by far. What another process began to index is kept up to date in
	// any case.
	Near bool
	// Committed is told of each commit of this process that changed something. It must not
	// wait. Nil: nobody is told.
	Committed func(graph.Tenant)
	// Pens lets the processes that write a tenant do so one behind the other. Nil: they
	// meet at their commits.
	Pens Pens
	// Timeout bounds one request to Dgraph. Zero: 20 s.
	Timeout time.Duration
	// Patience is how long a request that fails for want of a server is tried again,
	// and how long the store looks for the outcome of a commit. Zero: 30 s.
	Patience time.Duration
	// Away is for how long no alpha may answer until the store counts as away: then what has
	// a deadline fails at once, and what has none waits for Patience. Zero: 5 s.
	Away time.Duration
	// Backoff is how long the n-th retry (from 1) waits. Nil: a random time up to
	// 2ⁿ⁻¹ ms, at most 500 ms.
	Backoff func(n int) time.Duration
	// Now is the clock of the lock around schema changes. Nil: the machine's.
	Now func() time.Time
	// Rand is where the tokens of commits come from. Nil: the machine's randomness.
	Rand io.Reader
	// TLS encrypts the connections. Nil: they are not, and belong into a network of
	// their own.
	TLS *tls.Config
	// Login is the user of a cluster with access control, who may alter the schema. Nil:
	// the cluster has none.
	Login *Login
	// Dial says how to connect, beyond that: interceptors, say.
	Dial []grpc.DialOption
	// Logger gets warnings. Nil: none.
	Logger *slog.Logger
}

// Login is who this process is for the cluster.
type Login struct{ User, Password string }

func (o Options) withDefaults() Options {
	if o.FoldEvery == 0 {
		o.FoldEvery = 5 * time.Second
	}
	if o.BehindFor == 0 {
		o.BehindFor = behindFor
	}
	if o.PollEvery == 0 {
		o.PollEvery = 200 * time.Millisecond
	}
	if o.Timeout == 0 {
		o.Timeout = 20 * time.Second
	}
	if o.Patience == 0 {
		o.Patience = 30 * time.Second
	}
	if o.Away == 0 {
		o.Away = 5 * time.Second
	}
	if o.Backoff == nil {
		o.Backoff = backoff
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// backoff is a full-jitter wait: retries of many that met spread out.
func backoff(n int) time.Duration {
	limit := 500 * time.Millisecond
	if n < 10 {
		limit = min(limit, time.Millisecond<<(n-1))
	}
	return mathrand.N(limit)
}
