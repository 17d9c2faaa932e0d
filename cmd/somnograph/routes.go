package main

import (
	"context"
	"log/slog"
	"net/http"
	"path/filepath"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/httpd"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/ide"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/scene"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/transfer"
	"github.com/somnograph/somnograph/engine"
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

// newRoutes returns the routes of an instance. There is no authentication: every caller is
// engine.Loopback.
func newRoutes(c *config.Config, in *instance.Instance, budget resolvers.Budget, log *slog.Logger, registry *prometheus.Registry) (*routes, error) {
	metrics, err := httpd.NewMetrics(registry, time.Now)
	if err != nil {
		return nil, err
	}
	for _, x := range []prometheus.Collector{
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), newContents(in),
	} {
		if err := registry.Register(x); err != nil {
			return nil, err
		}
	}
	api := resolvers.Config{
		Verbs:          in.Engine,
		Authenticate:   func(*http.Request) (engine.Caller, error) { return engine.Loopback(), nil },
		AllowedOrigins: c.AllowedOrigins,
		Development:    c.GraphiQL,
		Budget:         budget,
		Logger:         log,
	}
	// A cluster without a common pepper keeps no keys, and neither do measurements.
	if c.Data != "" && (c.Store != "dgraph" || c.Auth.PepperFile != "") {
		keys, err := openKeys(c, in.Store, in.Engine.Now)
		if err != nil {
			return nil, err
		}
		api.Keys = keys
	}
	if in.Advance != nil {
		api.Advance = func(_ context.Context, by time.Duration) (time.Time, error) { return in.Advance(by) }
	}
	scope := graph.Scope{Tenant: engine.Loopback().Tenant}
	head := func(ctx context.Context) (graph.Cursor, error) {
		cursor, err := in.Store.Head(ctx, scope)
		if err != nil {
			return 0, err
		}
		return cursor, in.Index.WaitFor(ctx, scope, cursor)
	}
	wait := func(ctx context.Context, after graph.Cursor) error { return in.Store.Wait(ctx, scope, after) }
	view := scene.Options{Source: in.Engine, Head: head, Wait: wait, Caller: engine.Loopback(), Logger: log}
	if c.Data != "" {
		view.Dir = filepath.Join(c.Data, "map")
	}
	pictures := scene.New(view)
	api.Scenes = pictures
	graphql := resolvers.NewHandler(api)
	mux := http.NewServeMux()
	mux.Handle("/graphql", metrics.Count("graphql", graphql))
	agents := mcp.New(mcp.Config{
		Verbs: in.Engine, Authenticate: api.Authenticate, Admit: admitTool(budget), GraphQL: graphql, Schema: graphql.SDL(),
		AllowedOrigins: c.AllowedOrigins, Version: versionText(), Logger: log,
	})
	agents.Routes(mux, func(h http.Handler) http.Handler { return metrics.Count("mcp", h) })
	mux.Handle("/viz/graph", metrics.Count("scene", pictures))
	moves := &transfer.Handler{Store: in.Store, Scope: scope, Head: head, Now: in.Engine.Now, Logger: log}
	if in.Ledger != nil {
		moves.Erasures = in.Ledger
		moves.Replay = func(ctx context.Context) error { return in.Engine.ReplayErasures(ctx, engine.Loopback()) }
	}
	mux.Handle("/export", metrics.Count("export", http.HandlerFunc(moves.Export)))
	mux.Handle("/import", metrics.Count("import", http.HandlerFunc(moves.Import)))
	if c.GraphiQL {
		h := metrics.Count("graphiql", ide.Handler())
		mux.Handle("/graphiql", h)
		mux.Handle("/graphiql/", h)
	}
	mux.Handle("/", metrics.Count("explorer", web.Handler()))
	return &routes{handler: mux, end: func(context.Context) error { graphql.Close(); agents.Close(); pictures.Close(); return nil }}, nil
}

// admitTool charges calls of MCP tools to the budget of their tenant; nil: there is none. The
// graphql tool is charged by the operation that it runs.
func admitTool(budget resolvers.Budget) func(context.Context, engine.Caller, string) error {
	if budget == nil {
		return nil
	}
	return func(ctx context.Context, c engine.Caller, tool string) error {
		if tool == "graphql" {
			return nil
		}
		spent, err := budget.Spend(ctx, c.Tenant, toolCost, false)
		switch {
		case err != nil:
			return err
		case !spent.Granted:
			return graph.Errorf(graph.CodeRateLimited, "the rate limit is used up; retry in %d s", max(1, int(spent.RetryAfter.Seconds()+1)))
		}
		return nil
	}
}

// toolCost is the cost of one call of an MCP tool, about that of a search with ten hits.
const toolCost = 10

// contents collects the sizes of the index.
type contents struct {
	in                                                *instance.Instance
	memories, entities, relations, pending, unindexed *prometheus.Desc
}

func newContents(in *instance.Instance) *contents {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("somnograph_"+name, help, append([]string{"tenant"}, labels...), nil)
	}
	return &contents{
		in:        in,
		memories:  desc("memories", "Memories by status.", "status"),
		entities:  desc("entities", "Entities."),
		relations: desc("relations", "Relations between entities."),
		pending:   desc("pending_embeddings", "Memories without an embedding yet."),
		unindexed: desc("vectors_unindexed", "Vectors that are scanned because they are not in the nearest-neighbour graph yet."),
	}
}

// Describe implements prometheus.Collector.
func (c *contents) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{c.memories, c.entities, c.relations, c.pending, c.unindexed} {
		ch <- d
	}
}

// Collect implements prometheus.Collector.
func (c *contents) Collect(ch chan<- prometheus.Metric) {
	all, err := c.in.Stats(context.Background())
	if err != nil {
		ch <- prometheus.NewInvalidMetric(c.memories, err)
		return
	}
	for tenant, s := range all {
		gauge := func(d *prometheus.Desc, n int, labels ...string) {
			ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, float64(n), append([]string{string(tenant)}, labels...)...)
		}
		for _, status := range graph.Statuses {
			gauge(c.memories, s.ByStatus[status], string(status))
		}
		gauge(c.entities, s.Entities)
		gauge(c.relations, s.Relations)
		gauge(c.pending, s.Pending)
		gauge(c.unindexed, s.GraphTail)
	}
}
