package main

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/httpd"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/limits"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/metrics"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/peers"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/tlsfiles"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/webhooks"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/provider"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/dgraphstore"
	"github.com/somnograph/somnograph/internal/counted"
	"github.com/somnograph/somnograph/resolvers"
)

func newServe(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Start a server: the API and the explorer",
		Long: "Start a server with the API and the explorer, on the embedded store or, with --store dgraph, on a cluster. A setting is a\n" +
			"flag, an environment variable (SOMNOGRAPH_…) or a key of a YAML file; somnograph config lists them. SIGINT or SIGTERM\n" +
			"shuts the server down gracefully, a second one at once.",
		Args: none,
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, settings, err := config.Load(cmd.Flags(), env.environ)
			if err != nil {
				return usageError{err}
			}
			for _, s := range settings {
				if s.Now != "" {
					c.Logger(env.err).Warn("this setting has a new name; the old one will be removed", "setting", s.Origin, "key", s.Key, "use", s.Now)
				}
			}
			return serve(cmd.Context(), env, c)
		},
	}
	config.Flags(cmd.Flags())
	groupFlags(cmd)
	return cmd
}

// closeTime is how long the store and its index have to close.
const closeTime = 60 * time.Second

// serve runs a server until ctx ends.
func serve(ctx context.Context, env environment, c *config.Config) error {
	p := &process{env: env, config: c, log: c.Logger(env.err), began: time.Now()}
	err := p.open(ctx)
	if err == nil {
		err = p.wait(ctx)
	}
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		err = nil // a signal while it was starting
	}
	return errors.Join(err, p.close())
}

// process is a server from its start to its end. Fields are nil until they are open.
type process struct {
	env    environment
	config *config.Config
	log    *slog.Logger
	began  time.Time

	descriptors limits.Descriptors

	watch    watchers
	server   *httpd.Server
	metrics  *http.Server
	routes   *routes
	embedder models.Embedder
	peers    *peers.Peers
	instance *instance.Instance
	alarms   *webhooks.Alarms              // nil: alarms are sent nowhere
	canary   func()                        // stops the canary; nil: it does not run
	backup   atomic.Pointer[backup.Runner] // nil: the server does not back up its store
	mender   atomic.Pointer[backup.Mender] // restores damaged memories; nil: there is no backup
}

// refreshHealth is the interval at which the indicators of health are read.
const refreshHealth = time.Minute

// open starts everything. The listener comes first: a port in use fails at once, and the
// health routes answer while the store opens.
func (p *process) open(ctx context.Context) error {
	c := p.config
	files, err := limits.CheckFiles(p.log)
	if err != nil {
		return err
	}
	if c.Backup.To != "" {
		if _, err := parseBackupTarget(c); err != nil {
			return err
		}
	}
	p.descriptors = limits.ShareDescriptors(files)
	limits.ProtectFiles(c.Data, p.log)
	for key, where := range map[string]string{"keys": c.Keys, "backup.to": c.Backup.To} {
		if where != "" && !strings.Contains(where, "://") && within(c.Data, where) {
			p.log.Warn("this directory lies in the data directory, and is lost or copied with it: choose another place, best on another disk", "setting", key, "directory", where, "data", c.Data)
		}
	}
	limit := limits.SetMemory(c, p.env.environ)
	startReturningMemory(ctx)
	secure, err := serverTLS(c)
	if err != nil {
		return err
	}
	listener, err := httpd.Listen(ctx, c.Addr)
	if err != nil {
		return err
	}
	gate := httpd.NewGate(versionText(), time.Now)
	p.server = httpd.Start(listener, httpd.Options{
		Gate: gate, AllowedOrigins: c.Origins(), AnyHost: c.Auth.On(), TLS: secure,
		MaxConnections: p.descriptors.Connections, Logger: p.log, Now: time.Now,
	})
	p.watch, err = openWatchers(ctx, watchOptions{store: c.Store, metrics: c.MetricsAddr != "", to: c.MetricsTo, traces: c.Traces, environ: p.env.environ, log: p.log})
	if err != nil {
		return err
	}
	if c.MetricsAddr != "" {
		if p.metrics, err = metrics.Serve(ctx, c.MetricsAddr, p.watch.registry, p.log); err != nil {
			return err
		}
	}
	if p.embedder, err = openEmbedder(ctx, c.Embedder, instance.KnownModel(c.Data), p.env.err, p.watch); err != nil {
		return err
	}
	p.watch.embedder = p.embedder
	if c.Redis.Addr != "" {
		files := tlsfiles.Files{CA: c.Redis.TLS.CA, Cert: c.Redis.TLS.Cert, Key: c.Redis.TLS.Key}
		secure, err := files.Config(c.Redis.TLS.Enabled)
		if err != nil {
			return fmt.Errorf("redis-tls: %w", err)
		}
		p.peers = peers.Open(peers.Options{
			Addr: c.Redis.Addr, User: c.Redis.User, Password: c.Redis.Password, TLS: secure, Prefix: c.Redis.Prefix, Logger: p.log, Now: time.Now,
		})
	}
	if u := c.AlarmWebhook.URL; u != "" {
		if p.alarms, err = webhooks.NewAlarms(u, c.AlarmWebhook.Secret, time.Now, p.log); err != nil {
			return fmt.Errorf("alarm-webhook: %w", err)
		}
	}
	p.watchBackups()
	if p.instance, err = p.openInstance(ctx); err != nil {
		return err
	}
	if err := p.startBackup(ctx); err != nil {
		return err
	}
	if c.DailyCanary() {
		p.canary = p.startCanary()
	}
	if p.routes, err = newRoutes(c, p.instance, p.budget(), p.descriptors.Streams, p.log, p.watch); err != nil {
		return err
	}
	gate.Open(p.routes.handler, p.instance.Engine.Ready, p.instance.Engine.WritesHalted)
	took := time.Since(p.began)
	level := slog.LevelInfo
	if f, is := p.env.out.(*os.File); is && terminal(f) {
		level = slog.LevelDebug // announce says the same to the person at the terminal
	}
	p.log.Log(ctx, level, "ready", "addr", p.server.Addr().String(), "data", c.Data, "store", c.Store, "embedder", p.embedder.Name(), "memory_limit", limit,
		"duration", took.Round(time.Millisecond), "clock_ahead", p.instance.Ahead.Round(time.Second), "version", versionText())
	p.tellAddress()
	return p.announce(ctx, took)
}

// within reports whether a path is a directory or below it.
func within(dir, path string) bool {
	d, err := filepath.Abs(dir)
	if err != nil {
		return false
	}
	p, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	below, err := filepath.Rel(d, p)
	return err == nil && filepath.IsLocal(below)
}

// addressFile is the file in the data directory that says where the server with the directory
// open listens.
const addressFile = "address"

// tellAddress writes the address file. Without it only commands that look for the server of the
// directory fail.
func (p *process) tellAddress() {
	if err := os.WriteFile(filepath.Join(p.config.Data, addressFile), []byte(p.server.Addr().String()+"\n"), 0o600); err != nil {
		p.log.Warn("can't write the address file", "error", err)
	}
}

// serverTLS is the TLS configuration of the listener; nil: no TLS.
func serverTLS(c *config.Config) (*tls.Config, error) {
	t := c.Auth.TLS
	if t.Cert == "" {
		return nil, nil
	}
	return tlsfiles.Files{CA: t.CA, Cert: t.Cert, Key: t.Key}.Server()
}

// defaultConsent converts the setting of the same name; empty: strict.
func defaultConsent(setting string) graph.Consent {
	if setting == "strict" {
		return ""
	}
	return graph.Consent(strings.ToUpper(setting))
}

// storeOptions are the options of an instance that say where the store is.
func storeOptions(c *config.Config, log *slog.Logger) (instance.Options, error) {
	o := instance.Options{Dir: c.Data, AcceptKeys: c.AcceptKeys, MinFree: c.MinFree, Sizes: sizes(c), Engine: engine.Options{Logger: log}}
	if c.Store != "dgraph" {
		dir, err := keysDir(c)
		o.Keys, o.Seal, o.SealNew = dir, c.Seal, c.SealNew
		return o, err
	}
	var err error
	if o.Keys, err = keysDir(c); err != nil {
		return o, err
	}
	o.Seal, o.SealNew = c.SealsCluster(), c.SealsCluster()
	o.Dgraph, o.Cluster.IndexVectors = c.Dgraph, c.Vectors == "dgraph"
	if c.DgraphAccess.User != "" {
		o.Cluster.Login = &dgraphstore.Login{User: c.DgraphAccess.User, Password: c.DgraphAccess.Password}
	}
	files := tlsfiles.Files{CA: c.DgraphAccess.TLS.CA, Cert: c.DgraphAccess.TLS.Cert, Key: c.DgraphAccess.TLS.Key}
	secure, err := files.Config(c.DgraphAccess.TLS.Enabled)
	if err != nil {
		return o, fmt.Errorf("dgraph-tls: %w", err)
	}
	o.Cluster.TLS = secure
	return o, nil
}

// sizes are the sizes of store and index. The index takes a negative size for no memory.
func sizes(c *config.Config) instance.Sizes {
	s := instance.Sizes{MemTable: c.MemTable, Mapped: c.Mapped, VectorMemory: c.VectorMemory, Workers: c.IndexWorkers}
	if s.VectorMemory == 0 {
		s.VectorMemory = -1
	}
	return s
}

// keysDir is the directory of keys: the configured one, or somnograph/keys in the user's
// configuration directory. The demo world is nobody's memory, and its keys lie in its data
// directory.
func keysDir(c *config.Config) (string, error) {
	switch {
	case c.Keys != "":
		return c.Keys, nil
	case c.Demo || instance.IsDemo(c.Data):
		return filepath.Join(c.Data, "keys"), nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("there is no configuration directory for the keys (%w): choose one with --keys", err)
	}
	return filepath.Join(dir, "somnograph", "keys"), nil
}

func (p *process) openInstance(ctx context.Context) (*instance.Instance, error) {
	c := p.config
	reranker, err := openReranker(c.Reranker, p.watch)
	if err != nil {
		return nil, err
	}
	chat, err := openChat(c.Chat, p.watch)
	if err != nil {
		return nil, err
	}
	o, err := storeOptions(c, p.log)
	if err != nil {
		return nil, err
	}
	o.SimulatedClock, o.Source, o.Peers = c.SimulatedClock, time.Now, p.peers
	o.Engine = engine.Options{
		Embedder: p.embedder, Reranker: reranker, Effort: engine.Effort(c.Effort), Chat: chat, OpenModel: openOther(c, p.watch),
		Ceilings: ceilings(c), CeilingOf: func(s engine.ModelSpec) *engine.Ceiling { return ceilingOf(c, s.Kind, s.URL) },
		MaxContent: int(c.MaxContent), DefaultConsent: defaultConsent(c.DefaultConsent), SessionIdle: c.SessionIdle, Logger: p.log, Probe: p.watch.probe,
		Webhooks: webhooks.New(c.Webhooks.AllowPrivate, net.DefaultResolver), HealthDetails: p.healthDetails,
		Monitor: engine.MonitorOptions{Interval: refreshHealth, Sources: []engine.MonitorSource{p.backupAge}, Restorer: p, Kept: filepath.Join(c.Data, "alarms.json")},
	}
	if p.alarms != nil {
		o.Engine.Monitor.Notify = p.alarms.Notify
	}
	if c.Chat.Extract {
		o.Engine.Reader = chat
	}
	if o.Blob, err = c.Recess.Blob(ctx); err != nil {
		return nil, err
	}
	if c.Automatic() {
		o.Engine.Automatic = &engine.Automatic{Hour: c.Sleep.Hour, Minute: c.Sleep.Minute, Zone: c.Sleep.Zone, Pressure: c.Sleep.Pressure}
	}
	if !c.Demo {
		return instance.Open(ctx, o)
	}
	var bar *progress
	o.Demo = func(done, total int) {
		if bar == nil {
			bar = newProgress(p.env.err, "loading the demo world", int64(total), time.Now)
		}
		bar.at(int64(done), fmt.Sprintf("%d of %s", done, counted.Of(total, "step")))
	}
	in, err := instance.Open(ctx, o)
	if bar != nil {
		bar.end()
	}
	return in, err
}

// budget limits the rate of tenants, by their quotas or the setting of the server, and of principals.
// Servers with a Redis share it.
func (p *process) budget() resolvers.Budget {
	tenant, principal := p.config.Rates()
	usual := peers.Rate{Name: "rate.limit", Minute: tenant, Burst: cmp.Or(p.config.Rate.Burst, tenant)}
	each := peers.Rate{Name: "rate.principal", Minute: principal, Burst: principal}
	rates := func(ctx context.Context, name graph.Tenant) (peers.Rate, peers.Rate) {
		if n := p.instance.Tenants.QuotasOf(ctx, name).CostPerMinute; n > 0 {
			return peers.Rate{Name: "quota.costPerMinute", Minute: n, Burst: n}, each
		}
		return usual, each
	}
	if p.peers != nil {
		return p.peers.Budget(rates, time.Now)
	}
	return peers.NewBucket(rates, time.Now)
}

// announce prints the addresses of the server.
func (p *process) announce(ctx context.Context, took time.Duration) error {
	stats, err := p.instance.Stats(ctx)
	if err != nil {
		return err
	}
	memories := 0
	for _, s := range stats {
		memories += s.Memories
	}
	clock := "real"
	if p.config.SimulatedClock {
		clock = "simulated, " + p.instance.Engine.Now().Format(time.RFC3339)
	}
	where := p.config.Data
	if p.config.Store == "dgraph" {
		where = "Dgraph at " + strings.Join(p.config.Dgraph, ", ")
	}
	url := "http://" + p.server.Addr().String()
	if p.config.Auth.TLS.Cert != "" {
		url = "https://" + p.server.Addr().String()
	}
	_, err = printf(p.env.out, "somnograph %s\n  explorer  %s/\n  graphql   %s/graphql\n  data      %s, %s\n  clock     %s\nready in %.2f s\n",
		versionText(), url, url, where, counted.Of(memories, "memory"), clock, took.Seconds())
	return err
}

// wait returns when ctx is cancelled, or with the error of a listener.
func (p *process) wait(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return nil
	case err := <-p.server.Failed():
		return err
	}
}

// close shuts the server down: it becomes unready, waits for load balancers, then ends sockets and streams, then
// requests in flight, then the store.
func (p *process) close() error {
	if p.server != nil {
		p.server.Drain()
		if d := p.config.ShutdownDelay; d > 0 && p.routes != nil {
			p.log.Info("not ready any more; requests are still accepted", "delay", d)
			time.Sleep(d)
		}
		ctx, cancel := context.WithTimeout(context.Background(), p.config.ShutdownTimeout)
		defer cancel()
		var streams []func(context.Context) error
		if p.routes != nil {
			streams = append(streams, p.routes.end)
		}
		if err := p.server.Shutdown(ctx, streams...); err != nil {
			// A request that was cut off was not acknowledged, so nothing is lost.
			p.log.Warn("requests were cut off at shutdown", "error", err)
		}
	}
	var errs []error
	if p.metrics != nil {
		errs = append(errs, p.metrics.Close())
	}
	if p.watch.pusher != nil { // before the store, of which it tells
		errs = append(errs, p.watch.pusher.Close())
	}
	if p.canary != nil {
		p.canary()
	}
	if p.alarms != nil {
		p.alarms.Close()
	}
	if p.instance != nil {
		if err := os.Remove(filepath.Join(p.config.Data, addressFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			p.log.Warn("can't remove the address file", "error", err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), closeTime)
		defer cancel()
		if err := p.instance.Close(ctx); err != nil {
			errs = append(errs, fmt.Errorf("the store did not close cleanly: %w", err))
		} else {
			p.log.Info("closed")
		}
	}
	if p.peers != nil {
		errs = append(errs, p.peers.Close())
	}
	if p.embedder != nil {
		errs = append(errs, provider.Close(p.embedder))
	}
	if p.watch.exporter != nil {
		errs = append(errs, p.watch.exporter.Close())
	}
	return errors.Join(errs...)
}
