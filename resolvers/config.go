package resolvers

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/resolvers/internal/limit"
)

// Config is what the GraphQL surface is made of. Verbs and Authenticate are required;
// what else is zero takes the value that its comment names.
type Config struct {
	Verbs Verbs
	// Scenes draws the map. Nil: vizGraph and vizChanges answer UNAVAILABLE.
	Scenes Scenes
	// Authenticate says who asks, by the headers of the request. For a WebSocket the
	// Authorization of connection_init stands in for the header. An error is answered as
	// UNAUTHENTICATED unless it carries another code.
	Authenticate func(*http.Request) (engine.Caller, error)
	// Advance moves a simulated clock forward and answers the new now. Nil: the clock is
	// real, and advanceClock is not in the schema.
	Advance func(ctx context.Context, by time.Duration) (time.Time, error)
	// AllowedOrigins are the foreign origins, such as https://app.example, whose pages
	// may call; a server's own pages always may, and so may what sends no Origin.
	AllowedOrigins []string
	// Budget makes operations pay by their cost. Nil: they are free.
	Budget Budget
	// Development turns on introspection and suggestions in validation errors.
	Development bool
	Logger      *slog.Logger // nothing is logged
	Rand        io.Reader    // for the ids of errors; crypto/rand
	Limits      Limits
	Times       Times
}

// Limits bound one request, see package limit; zero is the default of each.
type Limits struct {
	limit.Limits
	// Body is the most bytes of an ordinary request as it comes in, before escapes are
	// undone; 384 KiB.
	Body int64
	// Bulk is the most bytes of a request that carries a batch; 40 MiB.
	Bulk int64
	// Operations is the most that one WebSocket may have going at once; 32.
	Operations int
	// Streams is the most WebSockets and event streams at once; 1,024.
	Streams int64
	// Errors is the most errors in one answer; 32.
	Errors int
}

// Times bound how long things may take; zero is the default of each.
type Times struct {
	Request   time.Duration // a query or mutation, but sleep and its kind; 30 s
	Wait      time.Duration // the wait of an operation for those before it, beyond which it is refused; a twelfth of Request
	Init      time.Duration // the wait for connection_init; 10 s
	Ping      time.Duration // the pause between pings of a WebSocket; 20 s
	KeepAlive time.Duration // the pause between comments of an event stream; 15 s
	Write     time.Duration // a client's time to take one message; 10 s
	Linger    time.Duration // the wait for the answer to a close frame; 1 s
}

// withDefaults fills in what is zero.
func (c Config) withDefaults() Config {
	setDefault(&c.Limits.Limits, limit.Default())
	setDefault(&c.Limits.Body, 6*int64(c.Limits.Ordinary))
	setDefault(&c.Limits.Bulk, int64(c.Limits.Limits.Bulk))
	setDefault(&c.Limits.Operations, 32)
	setDefault(&c.Limits.Streams, 1024)
	setDefault(&c.Limits.Errors, 32)
	setDefault(&c.Times.Request, 30*time.Second)
	setDefault(&c.Times.Wait, c.Times.Request/12)
	setDefault(&c.Times.Init, 10*time.Second)
	setDefault(&c.Times.Ping, 20*time.Second)
	setDefault(&c.Times.KeepAlive, 15*time.Second)
	setDefault(&c.Times.Write, 10*time.Second)
	setDefault(&c.Times.Linger, time.Second)
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

// setDefault sets what is zero.
func setDefault[T comparable](p *T, otherwise T) {
	var zero T
	if *p == zero {
		*p = otherwise
	}
}
