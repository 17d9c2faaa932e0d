package resolvers

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"go.opentelemetry.io/otel/trace"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/resolvers/internal/limit"
)

// Config configures the GraphQL endpoint. Verbs and Authenticate are required; other zero
// fields get the default in their comment.
type Config struct {
	Verbs Verbs
	// Scenes draws the map. Nil: vizGraph and vizChanges return UNAVAILABLE.
	Scenes Scenes
	// Keys makes, lists and revokes API keys. Nil: apiKeys, createApiKey and revokeApiKey return
	// UNAVAILABLE.
	Keys Keys
	// Tenants makes, lists, limits and deletes tenants. Nil, or without Keys: tenants, createTenant,
	// setTenantQuotas and deleteTenant return UNAVAILABLE.
	Tenants Tenants
	// Authenticate returns the caller of a request from its headers. For a WebSocket the
	// Authorization of connection_init replaces the header. An error becomes UNAUTHENTICATED
	// unless it has another code. If the credential ends later, reads of the body may return UNAUTHENTICATED, which is the answer then.
	Authenticate func(*http.Request) (engine.Caller, error)
	// Hold calls end once, within a second after the credential of the caller was revoked or has
	// expired, unless stop was called. WebSockets and event streams end with it. Nil: credentials do
	// not end.
	Hold func(c engine.Caller, end func()) (stop func())
	// Expired reports whether the credential of a caller has ended by its own time. WebSockets and event streams
	// then deliver nothing, before Hold ends them. Nil, or without Hold: they go on until then.
	Expired func(c engine.Caller) bool
	// Address returns the address of the client of a request, for the limit of WebSockets before connection_init. Nil: that of
	// the connection.
	Address func(*http.Request) string
	// Paced makes reads of a large body fail with os.ErrDeadlineExceeded if it comes so slowly that it keeps the room of others. Nil: it
	// may come as slowly as the server allows.
	Paced func(w http.ResponseWriter, body io.Reader) io.Reader
	// Advance moves a simulated clock forward and returns the new time. Nil: the clock is real,
	// and advanceClock is not in the schema.
	Advance func(ctx context.Context, by time.Duration) (time.Time, error)
	// AllowedOrigins are the foreign origins, such as https://app.example, whose pages may send
	// requests. Pages of the server itself and requests without an Origin are always allowed.
	AllowedOrigins []string
	// Budget limits the cost of the operations of a tenant. Nil: no limit.
	Budget Budget
	// Development enables introspection and suggestions in validation errors.
	Development bool
	// CursorKey seals the positions in the change feed that clients get, at least 16 secret bytes
	// that all servers of a store share. Nil: they are not sealed.
	CursorKey []byte
	// Tracer makes a span for each operation and for its resolvers. Nil: there are no traces.
	Tracer trace.Tracer
	Logger *slog.Logger // default: no logging
	Rand   io.Reader    // source of error ids; default: crypto/rand
	Limits Limits
	Times  Times
}

// Limits are the limits of one request, see package limit; zero means the default.
type Limits struct {
	limit.Limits
	// Body is the maximum size of an ordinary request in bytes, before escapes are decoded; 384
	// KiB.
	Body int64
	// Bulk is the maximum size of a batch request in bytes; 40 MiB.
	Bulk int64
	// Operations is the maximum number of concurrent operations on one WebSocket; 32.
	Operations int
	// Streams is the maximum number of concurrent WebSockets and event streams; 1,024.
	Streams int64
	// PrincipalQueries and PrincipalStreams are the maximum number of concurrent queries and of
	// concurrent subscriptions of one principal; 8 and 64. PrincipalStreams is also that of its
	// mutations, and of its WebSockets and event streams. Without authentication they do not hold.
	PrincipalQueries, PrincipalStreams int
	// PrincipalAnswers is the number of bytes of answers to one principal that are not sent yet, beyond which a query or a mutation is
	// running until its answer was sent; 16 MiB.
	PrincipalAnswers int64
	// Answer is the maximum size of the answer to a query in bytes, 32 MiB. That to a mutation may have Bulk more, because it may return what a batch
	// brought, but no more than the share of a principal in Answers.
	Answer int64
	// Event is the maximum size of an event of a subscription in bytes, 2 MiB. A part of the map has up to 1.4 MB.
	Event int64
	// Answers is the number of bytes of answers above 1 MiB that are made or not sent at once: half of them of one tenant and a quarter of one
	// principal, but at least Answer of a principal, half as much again of a tenant, and twice as much of all. A sixteenth of the memory limit of
	// the process, at least 64 MiB; 288 MiB if there is none.
	Answers int64
	// Errors is the maximum number of errors in one response; 32.
	Errors int
}

// Times are time limits; zero means the default.
type Times struct {
	Request   time.Duration // maximum duration of a query or mutation, except long-running ones such as sleep; 30 s
	Wait      time.Duration // maximum wait of an operation for earlier ones; beyond it, it is refused; Request/12
	Init      time.Duration // maximum wait for connection_init; 10 s
	Ping      time.Duration // interval of pings on a WebSocket; 20 s
	KeepAlive time.Duration // interval of comments on an event stream; 15 s
	Write     time.Duration // maximum time for a client to accept one message; 10 s
	Linger    time.Duration // maximum wait for the client's close frame; 1 s
}

// withDefaults replaces zero values with the defaults.
func (c Config) withDefaults() Config {
	setDefault(&c.Limits.Limits, limit.Default())
	setDefault(&c.Limits.Body, 6*int64(c.Limits.Ordinary))
	setDefault(&c.Limits.Bulk, int64(c.Limits.Limits.Bulk))
	setDefault(&c.Limits.Operations, 32)
	setDefault(&c.Limits.Streams, 1024)
	setDefault(&c.Limits.PrincipalQueries, 8)
	setDefault(&c.Limits.PrincipalStreams, 64)
	setDefault(&c.Limits.PrincipalAnswers, 16<<20)
	setDefault(&c.Limits.Answer, 32<<20)
	setDefault(&c.Limits.Event, 2<<20)
	setDefault(&c.Limits.Answers, largeAnswers(debug.SetMemoryLimit(-1)))
	setDefault(&c.Limits.Errors, 32)
	setDefault(&c.Times.Request, 30*time.Second)
	setDefault(&c.Times.Wait, c.Times.Request/12)
	setDefault(&c.Times.Init, 10*time.Second)
	setDefault(&c.Times.Ping, 20*time.Second)
	setDefault(&c.Times.KeepAlive, 15*time.Second)
	setDefault(&c.Times.Write, 10*time.Second)
	setDefault(&c.Times.Linger, time.Second)
	if c.Address == nil {
		c.Address = func(r *http.Request) string {
			host, _, _ := net.SplitHostPort(r.RemoteAddr)
			return host
		}
	}
	if c.Paced == nil {
		c.Paced = func(_ http.ResponseWriter, body io.Reader) io.Reader { return body }
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

// setDefault replaces a zero value.
func setDefault[T comparable](p *T, otherwise T) {
	var zero T
	if *p == zero {
		*p = otherwise
	}
}
