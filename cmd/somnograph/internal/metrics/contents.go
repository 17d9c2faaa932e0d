package metrics

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Sources are what Contents reads besides an instance.
type Sources struct {
	Embedder models.Embedder              // whose cache is counted; nil: none
	Streams  map[string]func() int        // open WebSockets, event streams and subscriptions by API
	Spans    func() (sent, failed uint64) // nil: there is no exporter
	Version  string                       // of the server
	Now      func() time.Time             // the machine's clock
}

// readEvery is how old figures may be that are read from the store.
const readEvery = 15 * time.Second

// readTime is how long reading them may take.
const readTime = 5 * time.Second

// Contents collects the sizes of what a server holds, summed over its tenants.
type Contents struct {
	in *instance.Instance
	s  Sources

	mu      sync.Mutex
	letters map[engine.Work]int // as of read
	read    time.Time

	build, tenants, memories, tiers, entities, relations, pending, unindexed, lag  *prometheus.Desc
	letter, uses, checksums, ready, streams, events, hits, misses, spans, spanLost *prometheus.Desc
	breaker                                                                        *prometheus.Desc
}

// NewContents makes a collector.
func NewContents(in *instance.Instance, s Sources) *Contents {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("somnograph_"+name, help, labels, nil)
	}
	return &Contents{
		in: in, s: s,
		build:     desc("build_info", "1, with the version of the server.", "version"),
		tenants:   desc("tenants", "Tenants with any data."),
		memories:  desc("memories", "Memories by status.", "status"),
		tiers:     desc("tier_memories", "Memories by tier; L0 is the working buffer.", "tier"),
		entities:  desc("entities", "Entities."),
		relations: desc("relations", "Relations between entities."),
		pending:   desc("pending_embeddings", "Memories without an embedding yet."),
		unindexed: desc("vectors_unindexed", "Vectors that are scanned because they are not in the nearest-neighbour graph yet."),
		lag:       desc("index_lag_changes", "Changes of the store that are not searchable yet."),
		letter:    desc("dead_letters", "Memories with abandoned work, at most 15 s ago.", "work"),
		uses:      desc("uses_waiting", "Counted uses that are durable and not yet added to their memories."),
		checksums: desc("checksum_failures", "Engrams that were found damaged since the start."),
		ready:     desc("store_ready", "Whether the store takes reads and writes, 0 or 1."),
		streams:   desc("streams", "Open WebSockets, event streams and subscriptions by API.", "api"),
		events:    desc("event_subscriptions", "Subscriptions to the changes of memories."),
		hits:      desc("cache_hits_total", "Look-ups that a cache answered.", "cache"),
		misses:    desc("cache_misses_total", "Look-ups that a cache did not answer.", "cache"),
		breaker:   desc("breaker_state", "Whether a circuit breaker is in a state, 0 or 1.", "breaker", "state"),
		spans:     desc("traces_spans_sent_total", "Spans that the collector took."),
		spanLost:  desc("traces_spans_failed_total", "Spans that the collector did not take."),
	}
}

// Describe implements prometheus.Collector.
func (c *Contents) Describe(ch chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		c.build, c.tenants, c.memories, c.tiers, c.entities, c.relations, c.pending, c.unindexed, c.lag, c.letter, c.uses, c.checksums, c.ready,
		c.streams, c.events, c.hits, c.misses, c.spans, c.spanLost, c.breaker,
	} {
		ch <- d
	}
}

// Collect implements prometheus.Collector.
func (c *Contents) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), readTime)
	defer cancel()
	gauge := func(d *prometheus.Desc, n float64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, n, labels...)
	}
	total := func(d *prometheus.Desc, n uint64, labels ...string) {
		ch <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, float64(n), labels...)
	}
	gauge(c.build, 1, c.s.Version)
	ready := 1.0
	if c.in.Store.Ready(ctx) != nil {
		ready = 0
	}
	gauge(c.ready, ready)
	if all, err := c.in.Stats(ctx); err != nil {
		ch <- prometheus.NewInvalidMetric(c.memories, err)
	} else {
		c.collectStats(gauge, all)
	}
	letters, err := c.deadLetters(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(c.letter, err)
	} else {
		for _, work := range engine.Works {
			gauge(c.letter, float64(letters[work]), string(work))
		}
	}
	for _, b := range c.in.Engine.Breakers() {
		for _, state := range []engine.BreakerState{engine.BreakerClosed, engine.BreakerHalfOpen, engine.BreakerOpen} {
			in := 0.0
			if b.State == state {
				in = 1
			}
			gauge(c.breaker, in, b.Name, string(state))
		}
	}
	figures := c.in.Engine.Figures()
	gauge(c.checksums, float64(figures.Damaged))
	gauge(c.events, float64(figures.EventStreams))
	if w, ok := c.in.Store.(graph.UsesWaiter); ok {
		gauge(c.uses, float64(w.UsesWaiting()))
	}
	for api, count := range c.s.Streams {
		gauge(c.streams, float64(count()), api)
	}
	for name, cache := range figures.Caches {
		total(c.hits, cache.Hits, name)
		total(c.misses, cache.Misses, name)
	}
	if cached := cacheOf(c.s.Embedder); cached != nil {
		hits, misses := cached.Stats()
		total(c.hits, hits, "embeddings")
		total(c.misses, misses, "embeddings")
	}
	if c.s.Spans != nil {
		sent, failed := c.s.Spans()
		total(c.spans, sent)
		total(c.spanLost, failed)
	}
}

func (c *Contents) collectStats(gauge func(*prometheus.Desc, float64, ...string), all map[graph.Tenant]index.Stats) {
	var sum index.Stats
	status, tier := map[graph.Status]int{}, map[graph.Tier]int{}
	for _, s := range all {
		for k, n := range s.ByStatus {
			status[k] += n
		}
		for k, n := range s.ByTier {
			tier[k] += n
		}
		sum.Entities, sum.Relations, sum.Pending = sum.Entities+s.Entities, sum.Relations+s.Relations, sum.Pending+s.Pending
		sum.GraphTail, sum.Lag = sum.GraphTail+s.GraphTail, sum.Lag+s.Lag
	}
	gauge(c.tenants, float64(len(all)))
	for _, s := range graph.Statuses {
		gauge(c.memories, float64(status[s]), string(s))
	}
	for _, t := range graph.Tiers {
		gauge(c.tiers, float64(tier[t]), string(t))
	}
	gauge(c.entities, float64(sum.Entities))
	gauge(c.relations, float64(sum.Relations))
	gauge(c.pending, float64(sum.Pending))
	gauge(c.unindexed, float64(sum.GraphTail))
	gauge(c.lag, float64(sum.Lag))
}

// deadLetters counts the dead letters of all tenants, at most every 15 s.
func (c *Contents) deadLetters(ctx context.Context) (map[engine.Work]int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.s.Now()
	if c.letters != nil && now.Sub(c.read) < readEvery {
		return c.letters, nil
	}
	letters, err := c.in.Engine.CountDeadLetters(ctx)
	if err == nil {
		c.letters, c.read = letters, now
	}
	return letters, err
}

// cacheOf is the cache among the wrappers of a model; nil: there is none.
func cacheOf(e models.Embedder) *models.Cached {
	for e != nil {
		if c, ok := e.(*models.Cached); ok {
			return c
		}
		w, ok := e.(interface{ Unwrap() models.Embedder })
		if !ok {
			return nil
		}
		e = w.Unwrap()
	}
	return nil
}
