package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/httpd"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/limits"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/measure/bench"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
)

func newBench(env environment) *cobra.Command {
	var o bench.Options
	var to string
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "Benchmark writes, searches, start and memory use",
		Long:  "Benchmark this binary on made-up data in a temporary directory, and print the results as JSON.",
		Args:  none,
	}
	cmd.Flags().IntSliceVar(&o.Memories, "memories", []int{10_000}, "numbers of memories, comma-separated")
	cmd.Flags().IntVar(&o.Searches, "searches", 500, "number of searches of each kind")
	cmd.Flags().IntVar(&o.Writes, "writes", 200, "number of writes by one writer; four times as many by 16 writers")
	cmd.Flags().IntSliceVar(&o.Streams, "streams", nil, "measure writes with these numbers of open subscriptions too, comma-separated")
	cmd.Flags().BoolVar(&o.Beside, "beside", false, "measure the searches of a principal beside expensive ones of others too")
	cmd.Flags().BoolVar(&o.Sleep, "sleep", false, "measure a deep sleep over all memories too")
	cmd.Flags().BoolVar(&o.Seal, "seal", true, "seal the store, as a new data directory is")
	cmd.Flags().Uint64Var(&o.Seed, "seed", 1, "seed of the data")
	cmd.Flags().StringVar(&o.Dir, "dir", os.TempDir(), "parent of the temporary directory")
	cmd.Flags().BoolVar(&o.Keep, "keep", false, "keep the data in --dir, one directory per size, and reuse existing data")
	cmd.Flags().String("profile", "balanced", "profile of serve: "+strings.Join(config.ProfileNames(), ", "))
	cmd.Flags().StringVar(&o.Profiles, "profiles", "", "write profiles of processor time and memory of each phase to this directory")
	cmd.Flags().StringSliceVar(&o.Paired, "paired", nil, "compare searches in pairs, --searches of each kind, with and without: telemetry (needs --traces-to), clusters; nothing else is measured")
	cmd.Flags().StringVar(&to, "traces-to", "", "measure and trace everything as serve does with --metrics-addr and this --traces-to; empty: nothing")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := o.Check(to != ""); err != nil {
			return usageError{err}
		}
		c, _, err := config.Load(cmd.Flags(), nil)
		if err != nil {
			return usageError{err}
		}
		limits.SetMemory(c, env.environ)
		o.Sizes, o.Idle, o.Note = sizes(c), debug.FreeOSMemory, func(s string) { _, _ = printf(env.err, "%s\n", s) }
		watch, err := openWatchers(cmd.Context(), watchOptions{store: "badger", metrics: to != "", traces: config.Traces{To: to}, environ: env.environ, log: slog.New(slog.DiscardHandler)})
		if err != nil {
			return err
		}
		if o.Server, err = benchServer(cmd.Context(), watch); err == nil {
			o.Bare, err = benchServer(cmd.Context(), watchers{})
		}
		if err != nil {
			return err
		}
		o.ServeKeys = func(in *instance.Instance, dir string, n int) (string, []string, func() error, error) {
			return serveForPrincipals(cmd.Context(), in, dir, n, watch)
		}
		if watch.exporter != nil {
			defer func() { _ = watch.exporter.Close() }() // it logs what it does not send
			o.Flush = func() error { return watch.exporter.Flush(cmd.Context()) }
		}
		results, err := bench.Measure(cmd.Context(), o)
		if err != nil {
			return err
		}
		return printJSON(env.out, map[string]any{
			"version": versionText(), "go": runtime.Version(), "cpus": runtime.NumCPU(), "embedder": o.Embedder.Name(),
			"seed": o.Seed, "results": results,
		})
	}
	return cmd
}

// benchServer is a server that is measured and traced as watch says.
func benchServer(ctx context.Context, watch watchers) (bench.Server, error) {
	embedder, err := openEmbedder(ctx, config.Embedder{Kind: "hashed"}, "", io.Discard, watch)
	return bench.Server{Embedder: embedder, Probe: watch.probe, Serve: func(in *instance.Instance) (string, func() error, error) {
		return serveForBench(in, &config.Config{}, watch)
	}}, err
}

// serveForPrincipals serves an instance for some principals, and returns a key of each.
func serveForPrincipals(ctx context.Context, in *instance.Instance, dir string, n int, watch watchers) (string, []string, func() error, error) {
	c := &config.Config{Data: dir, Store: "badger", Auth: config.Auth{Modes: []string{"keys"}}}
	keys, _, err := openKeys(c, in.Store, in.Engine.Now)
	if err != nil {
		return "", nil, nil, err
	}
	texts := make([]string, n)
	for i := range texts {
		_, texts[i], err = keys.Create(ctx, access.Input{
			Tenant: engine.Loopback().Tenant, Owner: fmt.Sprintf("owner %d", i), Scopes: []access.Scope{access.MemoryRead}, TTL: 24 * time.Hour,
		})
		if err != nil {
			return "", nil, nil, err
		}
	}
	url, end, err := serveForBench(in, c, watch)
	return url, texts, end, err
}

// serveForBench serves an instance as serve does, on a free port.
func serveForBench(in *instance.Instance, c *config.Config, watch watchers) (string, func() error, error) {
	log := slog.New(slog.DiscardHandler)
	l, err := httpd.Listen(context.Background(), "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	if watch.registry != nil { // each size has metrics of its own
		watch.registry = prometheus.NewRegistry()
	}
	r, err := newRoutes(c, in, nil, 0, log, watch)
	if err != nil {
		return "", nil, err
	}
	gate := httpd.NewGate(versionText(), time.Now)
	gate.Open(r.handler, in.Engine.Ready, in.Engine.WritesHalted)
	s := httpd.Start(l, httpd.Options{Gate: gate, Logger: log, Now: time.Now})
	return "http://" + s.Addr().String(), func() error { return s.Shutdown(context.Background(), r.end) }, nil
}
