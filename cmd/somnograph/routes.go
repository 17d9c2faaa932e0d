package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/auth"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/clock"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/fetch"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/httpd"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/metrics"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/oidc"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/rotation"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/scene"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/upload"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
	"github.com/somnograph/somnograph/resolvers/mcp"
	"github.com/somnograph/somnograph/web"
)

// routes are the handlers of a server that is ready.
type routes struct {
	handler http.Handler
	end     func(context.Context) error // ends sockets and streams
}

// answerTime is how long a client may accept nothing of an answer.
const answerTime = 30 * time.Second

// newRoutes returns the routes of an instance. With auth off every caller is engine.Loopback.
// streams is the largest number of streams of GraphQL, and of MCP; 0: the default of each.
func newRoutes(c *config.Config, in *instance.Instance, budget resolvers.Budget, streams int64, log *slog.Logger, watch watchers) (*routes, error) {
	requests := httpd.NewMetrics(time.Now)
	count := watch.traced(requests)
	api := resolvers.Config{Verbs: in.Engine, Tracer: watch.tracer(), AllowedOrigins: c.Origins(), Development: c.GraphiQL, Budget: budget, Logger: log}
	api.Limits.Streams, api.Paced = streams, httpd.PacedRequest
	gate, err := newGuards(c, in, &api, log)
	if err != nil {
		return nil, err
	}
	var issuers []string
	if gate.tokens != nil {
		issuers = gate.tokens.Issuers()
		if err := watch.register(metrics.NewIssuers(gate.tokens)); err != nil {
			return nil, err
		}
	}
	api.Authenticate, api.Hold, api.Expired, api.Address = gate.Authenticate, gate.Hold, gate.Expired, gate.Address
	if in.Advance != nil {
		api.Advance = func(_ context.Context, by time.Duration) (time.Time, error) {
			at, err := in.Advance(by)
			if errors.Is(err, clock.ErrTooFar) {
				err = graph.FieldError(graph.CodeInvalidRequest, "seconds", "is too large: %v", err)
			}
			return at, err
		}
	}
	pictures := newPictures(in, log)
	api.Scenes = pictures
	graphql := resolvers.NewHandler(api)
	mux := http.NewServeMux()
	data := httpd.NoNavigation
	mux.Handle("/graphql", count("graphql", data(graphql)))
	agents := mcp.New(mcp.Config{
		Verbs: in.Engine, Authenticate: gate.Authenticate, Hold: gate.Hold, Expired: gate.Expired, Admit: admitTool(budget, in.Engine.NoteRequest),
		GraphQL: graphql, Schema: graphql.SDL(),
		EnterQuery: graphql.EnterQuery, EnterSubscription: graphql.EnterSubscription, BeginAnswer: graphql.BeginAnswer,
		MayRead:              func(c engine.Caller) bool { return c.May(toolScopes[mcp.Resources]) },
		AuthorizationServers: issuers, AllowedOrigins: c.Origins(), Version: versionText(), Tracer: watch.tracer(), Streams: streams, Logger: log,
	})
	agents.Routes(mux, func(h http.Handler) http.Handler { return count("mcp", h) })
	mux.Handle("/viz/graph", count("scene", data(gate.Require("vizGraph", access.MemoryRead, false, audited(in, "vizGraph", auth.AsQuery(admitPicture(budget, pictures.Draws), graphql.EnterQuery, pictures.Serve))))))
	moves := newMoves(in, c.Data, log)
	mux.Handle("/export", count("export", data(gate.Require("export", access.MemoryAdmin, true, auth.AtOnce(2, audited(in, "export", func(c engine.Caller, w http.ResponseWriter, r *http.Request) error {
		return endable(in, c, w, r, moves(c).Export)
	}))))))
	mux.Handle("/import", count("import", gate.Require("import", access.MemoryAdmin, true, auth.AtOnce(1, audited(in, "import", func(c engine.Caller, w http.ResponseWriter, r *http.Request) error {
		return moves(c).Import(c.Grant, w, r)
	})))))
	rotations := &rotation.Handler{Instance: in, Now: time.Now, Logger: log}
	mux.Handle(rotation.Path, count("keys", data(gate.Require("rotateKeys", access.ServerAdmin, true, rotations.Serve))))
	if maker := newMaker(c.Data, in, log); maker != nil {
		rounds := &backup.Handler{Maker: maker, Watch: watch.backups, Logger: log}
		mux.Handle("/backup", count("backup", data(gate.Require("backup", access.MemoryAdmin, true, auth.AtOnce(2, func(c engine.Caller, w http.ResponseWriter, r *http.Request) {
			if c.Tenant != engine.Loopback().Tenant { // it holds every tenant
				http.Error(w, "backup: only keys of the first tenant may back up the store", http.StatusForbidden)
				in.Engine.NoteRequest(r.Context(), c, "backup", graph.Errorf(graph.CodeForbidden, "only keys of the first tenant may back up the store"))
				return
			}
			begins, err := rounds.Serve(w, r)
			if begins || err != nil { // a row for each round would make the next round
				in.Engine.NoteRequest(r.Context(), c, "backup", err)
			}
			cutOff(err)
		})))))
	}
	documents := &upload.Handler{Engine: in.Engine, MaxBytes: maxDocument, Admit: admitDocument(budget), Stands: gate.Stands, Logger: log}
	if c.IngestURLs {
		documents.Fetch = fetch.New(fetch.Options{Bytes: maxDocument}).Get
	}
	mux.Handle("/documents", count("documents", gate.Require("ingest", access.MemoryWrite, false, auth.AtOnce(2, documents.Serve))))
	explorer, graphiql := web.Handler(), web.GraphiQL()
	if a := gate.authenticator; a != nil {
		explorer, graphiql = a.Pages("/", explorer), a.Pages("/graphiql", graphiql)
		signin := count("signin", http.HandlerFunc(a.SignIn))
		mux.Handle("/signin", signin)
		mux.Handle("/signin/", signin)
	}
	if c.GraphiQL {
		h := count("graphiql", graphiql)
		mux.Handle("/graphiql", h)
		mux.Handle("/graphiql/", h)
	}
	mux.Handle("/", count("explorer", explorer))
	open := map[string]func() int{"graphql": graphql.Streams, "mcp": agents.Streams}
	if err := watch.register(requests, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		metrics.NewContents(in, watch.contents(open)), newHealthGauges(in)); err != nil {
		return nil, err
	}
	return &routes{handler: httpd.ProgressDeadline(gate.bodies(mux), answerTime, time.Now), end: func(context.Context) error {
		graphql.Close()
		agents.Close()
		pictures.Close()
		gate.close()
		return nil
	}}, nil
}

// audited counts the requests of a route as calls of a verb in the audit, and refuses them while an alarm halts the verb.
func audited(in *instance.Instance, verb string, serve func(engine.Caller, http.ResponseWriter, *http.Request) error) func(engine.Caller, http.ResponseWriter, *http.Request) {
	return func(c engine.Caller, w http.ResponseWriter, r *http.Request) {
		ctx, end := in.Engine.Begin(r.Context(), c, verb)
		err := in.Engine.MayCall(c.Tenant, verb)
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
		} else {
			err = serve(c, w, r.WithContext(ctx))
		}
		end(&err)
		cutOff(err)
	}
}

// cutOff ends the connection of an answer that ended with http.ErrAbortHandler, so that the client sees that it lacks its end.
func cutOff(err error) {
	if errors.Is(err, http.ErrAbortHandler) {
		panic(http.ErrAbortHandler)
	}
}

// endable serves an export that an erasure ends, also if the client does not read.
func endable(in *instance.Instance, c engine.Caller, w http.ResponseWriter, r *http.Request, export func(http.ResponseWriter, *http.Request) error) error {
	ctx, end, err := in.Engine.BeginExport(r.Context(), c)
	if err != nil {
		http.Error(w, "export: the tenant can't be read now", http.StatusServiceUnavailable)
		return err
	}
	defer end()
	conn := w // below what sets deadlines of its own
	for u, ok := conn.(interface{ Unwrap() http.ResponseWriter }); ok; u, ok = conn.(interface{ Unwrap() http.ResponseWriter }) {
		conn = u.Unwrap()
	}
	stop := context.AfterFunc(ctx, func() {
		if errors.Is(context.Cause(ctx), engine.ErrErasedMeanwhile) {
			_ = http.NewResponseController(conn).SetWriteDeadline(time.Now()) // a writer without deadlines has no slow client
		}
	})
	defer stop()
	if err = export(w, r.WithContext(ctx)); err != nil && errors.Is(context.Cause(ctx), engine.ErrErasedMeanwhile) {
		err = errors.Join(err, engine.ErrErasedMeanwhile)
	}
	return err
}

// guards are what authenticates callers.
type guards struct {
	auth.Gate
	authenticator *auth.Authenticator // nil: auth is off
	tokens        *oidc.Verifier      // nil: none are accepted
}

// bodies makes the bodies of requests end with their credentials.
func (g guards) bodies(next http.Handler) http.Handler {
	if g.authenticator == nil {
		return next
	}
	return g.authenticator.Bodies(next)
}

// close ends the background work.
func (g guards) close() {
	if g.authenticator != nil {
		g.authenticator.Close()
	}
	if g.tokens != nil {
		g.tokens.Close()
	}
}

// newGuards says who calls. It also gives the API its keys.
func newGuards(c *config.Config, in *instance.Instance, api *resolvers.Config, log *slog.Logger) (guards, error) {
	g := guards{Gate: auth.Gate{Authenticate: httpd.Accepting(func(*http.Request) (engine.Caller, error) { return engine.Loopback(), nil })}}
	// A cluster without a common pepper keeps no keys, and neither do measurements.
	if c.Data == "" || c.Store == "dgraph" && c.Auth.PepperFile == "" {
		return g, nil
	}
	keys, pepper, err := openKeys(c, in.Store, in.Engine.Now)
	if err != nil {
		return g, err
	}
	var ended auth.EndedSessions
	if in.Ledger != nil {
		again, err := keys.Record(context.Background(), in.Ledger)
		if err != nil {
			return g, fmt.Errorf("compare the API keys with the record of revocations: %w", err)
		}
		if again > 0 {
			log.Warn("revoked API keys were back, from an older copy or a backup; they are revoked again", "count", again)
		}
		ended = in.Ledger
		if err := in.DeleteAgain(log); err != nil {
			return g, fmt.Errorf("compare the tenants with the record of deletions: %w", err)
		}
	}
	api.Keys, api.Tenants = keys, in.Tenants
	if !c.Auth.On() {
		return g, nil
	}
	if c.Auth.Has("oidc") {
		if g.tokens, err = oidc.New(oidc.Options{Issuers: c.Auth.Issuers, Now: time.Now, Logger: log}); err != nil {
			return g, err
		}
	}
	g.authenticator, err = auth.New(auth.Options{
		Keys: keys, Tenants: in.Tenants, WithoutKeys: !c.Auth.Has("keys"), Tokens: g.tokens, Pepper: pepper, Ended: ended, BehindProxy: c.Auth.BehindProxy, Now: time.Now,
		Logger: log, Note: in.Engine.NoteRequest,
	})
	if err != nil {
		g.close()
		return g, err
	}
	api.Keys, api.CursorKey = revoker{keys, g.authenticator}, pepper
	g.Gate = auth.Gate{Authenticate: g.authenticator.Authenticate, Hold: g.authenticator.Hold, Expired: g.authenticator.Expired, Stands: g.authenticator.Stands, Address: g.authenticator.Address, Refused: in.Engine.NoteRequest}
	return g, nil
}

// revoker ends the sockets of a key as soon as this server has revoked it.
type revoker struct {
	*access.Keys
	authenticator *auth.Authenticator
}

func (r revoker) Revoke(ctx context.Context, id string) (*access.Key, error) {
	key, err := r.Keys.Revoke(ctx, id)
	r.authenticator.Recheck()
	return key, err
}

// headOf returns the head of a tenant's feed when everything up to it is searchable.
func headOf(in *instance.Instance, scope graph.Scope) func(context.Context) (graph.Cursor, error) {
	return func(ctx context.Context) (graph.Cursor, error) {
		cursor, err := in.Store.Head(ctx, scope)
		if err != nil {
			return 0, err
		}
		return cursor, in.Index.WaitFor(ctx, scope, cursor)
	}
}

// newPictures makes the maps. Positions are saved only for whole tenants.
func newPictures(in *instance.Instance, log *slog.Logger) *scene.Pool {
	return scene.NewPool(func(caller engine.Caller) *scene.Server {
		scope := caller.Scope()
		o := scene.Options{
			Source: in.Engine, Head: headOf(in, scope), Caller: caller, Logger: log,
			Wait: func(ctx context.Context, after graph.Cursor) error { return in.Store.Wait(ctx, scope, after) },
		}
		if caller.WholeTenant() == nil {
			o.Saved = in.Map
		}
		return scene.New(o)
	})
}

// newMoves makes the handlers that export and import the tenant of a caller, one for each tenant.
// The bodies of imports are kept in dir until they are checked.
func newMoves(in *instance.Instance, dir string, log *slog.Logger) func(engine.Caller) *transfer.Handler {
	var mu sync.Mutex
	handlers := map[graph.Tenant]*transfer.Handler{}
	return func(c engine.Caller) *transfer.Handler {
		mu.Lock()
		defer mu.Unlock()
		h := handlers[c.Tenant]
		if h == nil {
			h = &transfer.Handler{Store: in.Store, Scope: c.Scope().Whole(), Head: headOf(in, c.Scope().Whole()), Now: in.Engine.Now, Dir: dir, Model: in.Engine.Model(), Logger: log}
			owner := engine.Loopback()
			owner.Tenant = c.Tenant
			h.Admit = func(ctx context.Context, memories, bytes int64) error {
				return in.Engine.AdmitImport(ctx, c.Tenant, memories, bytes)
			}
			h.Reload = func(ctx context.Context) error {
				return errors.Join(in.Engine.ReloadClusters(ctx, owner), in.Engine.Recount(ctx, c.Tenant))
			}
			if in.Ledger != nil {
				h.Erasures = in.Ledger
				h.Replay = func(ctx context.Context, erased int) error { return in.Engine.ReplayErasures(ctx, owner, erased) }
			}
			handlers[c.Tenant] = h
		}
		return h
	}
}

// toolScopes are the scopes that MCP tools require; the operation of the graphql tool is checked
// by itself. A tool without an entry is refused.
var toolScopes = map[string]access.Scope{
	"recall": access.MemoryRead, "context": access.MemoryRead, "history": access.MemoryRead, "graphql": "",
	mcp.Resources: access.MemoryRead, "remember": access.MemoryWrite, "correct": access.MemoryWrite, "forget": access.MemoryWrite, "session": access.MemoryWrite,
}

// admitTool checks the scope of a call of an MCP tool, with a row in the audit if it is refused, and charges it to the budget,
// if there is one. The graphql tool is checked and charged by the operation that it runs.
func admitTool(budget resolvers.Budget, refused auth.Note) func(context.Context, engine.Caller, mcp.Call) error {
	return func(ctx context.Context, c engine.Caller, call mcp.Call) error {
		scope, known := toolScopes[call.Tool]
		if !known {
			return graph.Errorf(graph.CodeForbidden, "%s is not granted to anybody", call.Tool)
		}
		if call.Tool == "graphql" {
			return nil
		}
		if err := c.Require(scope, "", call.Tool); err != nil {
			refused(ctx, c, call.Tool, err)
			return err
		}
		return resolvers.Charge(ctx, budget, c, toolCost, call.Question, call.Bytes)
	}
}

// admitDocument charges a document of so many bytes to the budget, if there is one.
func admitDocument(budget resolvers.Budget) func(context.Context, engine.Caller, int) error {
	return func(ctx context.Context, c engine.Caller, bytes int) error {
		return resolvers.Charge(ctx, budget, c, toolCost, 0, bytes)
	}
}

// Costs of a picture of the explorer: one for each memory that is drawn anew, between these. A tile of it costs toolCost.
const pictureCost, mostPictureCost = 100, 10_000

// admitPicture charges a picture of the explorer to the budget, if there is one. draws is how many memories a request draws anew.
func admitPicture(budget resolvers.Budget, draws func(context.Context, engine.Caller) int) func(context.Context, engine.Caller, *http.Request) error {
	return func(ctx context.Context, c engine.Caller, r *http.Request) error {
		n, q := draws(ctx, c), r.URL.Query()
		cost := min(max(pictureCost, n), mostPictureCost)
		if n == 0 && !q.Has("format") && (q.Has("tile") || q.Has("memory")) {
			cost = toolCost
		}
		return resolvers.Charge(ctx, budget, c, cost, 0, 0)
	}
}

// maxDocument is the size of the largest document in bytes.
const maxDocument = 64 << 20

// toolCost is what one call of an MCP tool, or one uploaded document, costs beside its bytes: about a search with ten hits.
const toolCost = 10
