package resolvers

import (
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/places"
	"github.com/somnograph/somnograph/resolvers/internal/hint"
	"github.com/somnograph/somnograph/resolvers/internal/limit"
	"github.com/somnograph/somnograph/resolvers/internal/plain"
	"github.com/somnograph/somnograph/resolvers/internal/sending"
	"github.com/somnograph/somnograph/resolvers/internal/wire"
)

// Handler serves the endpoint /graphql. It is safe for concurrent use.
type Handler struct {
	config   Config
	server   *handler.Server
	errors   *errorPresenter
	seats    *seats
	shares   *shares
	stopping context.Context
	stop     context.CancelFunc
}

// NewHandler makes a Handler.
func NewHandler(c Config) *Handler {
	c = c.withDefaults()
	if c.Rand == nil {
		c.Rand = rand.Reader
	}
	h := &Handler{config: c, seats: newSeats(int(c.Limits.Streams)), errors: &errorPresenter{log: c.Logger, retryAfter: c.Times.Wait, random: c.Rand}}
	h.stopping, h.stop = context.WithCancel(context.Background())
	times := newTimings(time.Now)
	schema := executableSchema(&resolverRoot{verbs: c.Verbs, scenes: c.Scenes, keys: c.Keys, tenants: c.Tenants, advance: c.Advance, timings: times, cursors: eventCursors{c.CursorKey}})
	h.errors.schema, h.errors.names = schema.Schema(), c.Development
	h.server = handler.New(schema)
	h.server.SetErrorPresenter(h.errors.present)
	h.server.SetRecoverFunc(h.errors.recoverPanic)
	h.server.SetParserTokenLimit(c.Limits.Tokens)
	documents := limit.NewDocumentCache()
	h.server.SetQueryCache(documents)
	h.server.SetDisableSuggestion(!c.Development)
	h.server.SetValidationRulesFn(func() *rules.Rules { return hint.Rules(c.Development) })
	if c.Development {
		h.server.Use(extension.Introspection{})
	}
	h.server.Use(&limit.Guard{Limits: c.Limits.Limits, Introspection: c.Development, Documents: documents})
	h.shares = newShares(c.Limits, c.Times.Wait, h.errors.present)
	h.server.Use(h.shares) // before admission: a query that waits for its own principal delays no other
	h.server.Use(newAdmission(c.Times.Wait, time.Now))
	if c.Budget != nil {
		h.server.Use(&meter{budget: c.Budget, now: time.Now})
	}
	h.server.Use(deadline{c.Times.Request, h.stopping})
	h.server.Use(newAnswers(c.Limits, c.Times.Wait, h.errors.present))
	h.server.Use(errorCap(c.Limits.Errors))
	h.server.Use(times)
	h.server.Use(permitter{c.Verbs})
	h.server.Use(plain.Answers{})
	if c.Tracer != nil {
		h.server.Use(spans{c.Tracer})
	}
	for _, t := range h.transports() {
		h.server.AddTransport(t)
	}
	return h
}

// transports returns the transports in the order in which they are tried.
func (h *Handler) transports() []graphql.Transport {
	l, t := h.config.Limits, h.config.Times
	plain := wire.HTTP{
		Sizes: wire.Sizes{Ordinary: l.Body, Bulk: l.Bulk, Batch: l.IsBatch},
		Paced: h.config.Paced, Large: h.mayBeLarge,
	}
	// Two tenants together leave room for a third one, and a principal for another one of its tenant.
	large := places.New(places.Limits{All: 3 * l.Bulk, Tenant: 2 * l.Bulk, Principal: l.Bulk, Spare: l.Bulk})
	plain.Enter = func(ctx context.Context, bytes int64) (func(), error) {
		leave, err := large.Enter(ctx, places.Of(caller(ctx)), bytes)
		if err != nil {
			err = &graph.Error{Code: graph.CodeUnavailable, Message: "too many concurrent large requests", Cause: err}
		}
		return leave, err
	}
	return []graphql.Transport{
		wire.Sockets{
			Init: h.acceptSocket, InitTimeout: t.Init, Ping: t.Ping, Write: t.Write, Linger: t.Linger,
			Operations: l.Operations, Message: l.Body,
		},
		wire.Events{HTTP: plain, KeepAlive: t.KeepAlive, Write: t.Write},
		plain,
	}
}

// mayBeLarge refuses large bodies of callers that may call none of the operations that take them.
func (h *Handler) mayBeLarge(ctx context.Context) *graph.Error {
	if caller(ctx).May(access.MemoryWrite) {
		return nil
	}
	return graph.Errorf(graph.CodeLimitExceeded, "a request without the scope MEMORY_WRITE may have at most %d bytes", h.config.Limits.Body)
}

// ServeHTTP serves a request, or a WebSocket or event stream until it ends.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !h.admit(w, r) {
		h.refuse(w, r, http.StatusForbidden, graph.Errorf(graph.CodeForbidden, "this origin is not allowed"))
		return
	}
	if r.Method == http.MethodOptions {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	if wire.Streams(r) {
		ctx, cancel := context.WithCancelCause(r.Context())
		defer cancel(nil)
		defer context.AfterFunc(h.stopping, func() { cancel(nil) })()
		taken, err := h.seatFor(r, cancel)
		if err != nil {
			w.Header().Set("Retry-After", "10")
			h.refuse(w, r, statusOf(err), err)
			return
		}
		defer taken.leave()
		r = r.WithContext(context.WithValue(ctx, seatKey{}, taken))
	}
	if !wire.Upgrades(r) { // a WebSocket authenticates with connection_init
		c, err := h.config.Authenticate(r)
		if err != nil {
			err = unauthenticated(err)
			h.refuse(w, r, statusOf(err), err)
			return
		}
		c = within(r.Context(), c)
		ctx, sent := sending.Begin(withCaller(r.Context(), c))
		defer sent()
		if wire.Streams(r) {
			if err := h.connect(r.Context(), r, c); err != nil {
				w.Header().Set("Retry-After", "10")
				h.refuse(w, r, statusOf(err), err)
				return
			}
			ctx = h.hold(ctx, c)
		}
		r = r.WithContext(ctx)
	}
	h.server.ServeHTTP(w, r)
}

// part is the part of memory that an operation reaches. An empty field limits nothing.
type part struct{ namespace, user, agent string }

type partKey struct{}

// ServePart serves an operation that reaches only a part of what its credentials grant: of one namespace what belongs to a user, to nobody,
// and to an agent about the user. Empty: no limit; an agent counts only with a user. The credentials must grant the namespace and the user,
// and the part gives no right that they do not give.
func (h *Handler) ServePart(w http.ResponseWriter, r *http.Request, namespace, user, agent string) {
	h.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), partKey{}, part{namespace, user, agent})))
}

// within returns a caller within the part of a context.
func within(ctx context.Context, c engine.Caller) engine.Caller {
	p, _ := ctx.Value(partKey{}).(part)
	if p.user != "" && c.User == "" {
		c.User, c.Agent, c.Narrowed = p.user, p.agent, true
	}
	if p.namespace != "" {
		c.Namespaces = []string{p.namespace}
	}
	return c
}

// Close ends all WebSockets and event streams, and requests that wait for a sleep; the clients
// are told to reconnect. Other requests continue. New streams end at once.
func (h *Handler) Close() { h.stop() }

// Streams is the number of open WebSockets and event streams.
func (h *Handler) Streams() int { return h.seats.open() }

// BeginAnswer returns a context for EnterQuery and for requests that are parts of another one, whose answer was sent when sent is called.
func (h *Handler) BeginAnswer(ctx context.Context) (_ context.Context, sent func()) {
	return sending.Begin(ctx)
}

// EnterQuery waits until the caller runs fewer queries than its limit, and counts one until leave is
// called with the size of its answer. The error is RATE_LIMITED. It is for other endpoints of the same principals.
func (h *Handler) EnterQuery(ctx context.Context, c engine.Caller) (leave func(answer int), err error) {
	return h.shares.query(ctx, c)
}

// EnterSubscription counts a subscription of the caller until ctx ends. The error is RATE_LIMITED. It is
// for other endpoints of the same principals.
func (h *Handler) EnterSubscription(ctx context.Context, c engine.Caller) error {
	_, err := h.shares.subscription(ctx, c)
	return err
}

// acceptSocket authenticates a WebSocket by its connection_init, or else by its request.
func (h *Handler) acceptSocket(ctx context.Context, r *http.Request, payload map[string]any) (context.Context, error) {
	for key, value := range payload {
		if text, ok := value.(string); ok && strings.EqualFold(key, "Authorization") {
			r = r.Clone(ctx)
			r.Header.Set("Authorization", text)
		}
	}
	c, err := h.config.Authenticate(r)
	if errors.Is(context.Cause(r.Context()), errSeats) { // what it asked for the credential may have ended with it
		return nil, errSeats
	}
	if err != nil {
		return nil, err
	}
	if err := h.connect(ctx, r, c); err != nil {
		return nil, err
	}
	return h.hold(withCaller(ctx, c), c), nil
}

// hold returns a context that also ends with the caller's credential. Its cause is then
// wire.ErrUnauthorized.
func (h *Handler) hold(ctx context.Context, c engine.Caller) context.Context {
	if h.config.Hold == nil {
		return ctx
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := h.config.Hold(c, func() { cancel(wire.ErrUnauthorized) })
	context.AfterFunc(ctx, stop)
	if h.config.Expired == nil {
		return ctx
	}
	return wire.Until(ctx, func() bool {
		expired := h.config.Expired(c)
		if expired {
			cancel(wire.ErrUnauthorized)
		}
		return expired
	})
}

// statusOf is the status of a request whose caller was refused.
func statusOf(err error) int {
	switch graph.CodeOf(err) {
	case graph.CodeForbidden:
		return http.StatusForbidden
	case graph.CodeRateLimited:
		return http.StatusTooManyRequests
	case graph.CodeUnavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusUnauthorized
}

// refuse writes an error response for a request without an operation.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, status int, err error) {
	if status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", wire.Challenge)
	}
	wire.Refuse(w, r, status, h.errors.present(r.Context(), err))
}

// unauthenticated gives an error of Authenticate the code UNAUTHENTICATED if it has none.
func unauthenticated(err error) error {
	if graph.CodeOf(err) != graph.CodeInternal {
		return err
	}
	return &graph.Error{Code: graph.CodeUnauthenticated, Message: "the credentials are missing or not accepted", Cause: err}
}
