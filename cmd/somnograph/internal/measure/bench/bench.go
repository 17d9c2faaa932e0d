package bench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/measure/retrieval"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/telemetry"
	"github.com/somnograph/somnograph/graph"
)

// Options configure a benchmark.
type Options struct {
	Dir      string // directory for the data, which is removed afterwards
	Memories []int  // numbers of memories
	Keep     bool   // keep the data, and reuse that of an earlier run
	Searches int    // of each kind
	Writes   int    // by one writer, at least 4; four times as many by 16 writers
	Streams  []int  // numbers of open subscriptions during single writes; empty: not measured
	Beside   bool   // measure searches of a principal beside those of others
	Sleep    bool   // measure a sleep too
	Seal     bool   // seal the store
	Sizes    instance.Sizes
	Idle     func() // returns unused memory to the system, as an idle server does
	Seed     uint64
	Profiles string // a directory for profiles of each phase; empty: none
	Server
	Bare   Server       // without spans and measurements, for Compare
	Flush  func() error // exports the spans that wait, for Compare
	Paired []string     // what Compare compares
	// ServeKeys serves an instance of a data directory over HTTP for some principals, and returns a key
	// of each.
	ServeKeys func(in *instance.Instance, dir string, principals int) (url string, keys []string, end func() error, err error)
	Note      func(string) // receives the step that begins
}

// Check checks the options of a command, where there are traces or not.
func (o Options) Check(traced bool) error {
	if slices.ContainsFunc(o.Memories, func(n int) bool { return n < 1 }) {
		return errors.New("--memories must be at least 1")
	}
	if o.Searches < 1 || o.Writes < 4 {
		return errors.New("--searches must be at least 1, and --writes at least 4")
	}
	for _, of := range o.Paired {
		if of != PairTelemetry && of != PairClusters {
			return fmt.Errorf("--paired must be %s or %s", PairTelemetry, PairClusters)
		}
		if of == PairTelemetry && !traced {
			return fmt.Errorf("--paired %s needs --traces-to", of)
		}
	}
	return nil
}

// Server is what an instance is opened and served with.
type Server struct {
	Embedder models.Embedder
	Probe    *telemetry.Probe // spans and measurements; nil: none
	// Serve serves an instance over HTTP and returns its URL and a function that ends it.
	Serve func(*instance.Instance) (string, func() error, error)
}

// instance returns the options of an instance in a directory.
func (o Options) instance(dir string, s Server, now func() time.Time) instance.Options {
	return instance.Options{
		Dir: dir, Keys: filepath.Join(dir, "keys"), Seal: o.Seal, Sizes: o.Sizes, Source: now,
		Engine: engine.Options{Embedder: s.Embedder, Probe: s.Probe, Logger: slog.New(slog.DiscardHandler)},
	}
}

// Spread is a distribution of durations in milliseconds.
type Spread struct {
	N   int     `json:"n"`
	P50 float64 `json:"p50Ms"`
	P95 float64 `json:"p95Ms"`
	Max float64 `json:"maxMs"`
}

// Result holds the measurements at one size.
type Result struct {
	Memories         int               `json:"memories"`
	RememberMany     float64           `json:"rememberManyPerSecond"`
	RememberFull     float64           `json:"rememberManyLastTenthPerSecond"`
	Remember         Spread            `json:"remember"`          // one writer
	RememberParallel Spread            `json:"rememberParallel"`  // 16 writers
	ParallelRate     float64           `json:"parallelPerSecond"` // of the 16
	Forget           Spread            `json:"forget"`            // of one memory, until its receipt is complete
	Search           map[string]Spread `json:"search"`            // by route and effort
	Saturated        float64           `json:"searchPerSecond"`   // BALANCED over HTTP, by concurrent searchers
	// Processor is the processor time of the process per operation, by phase.
	Processor map[string]float64 `json:"processorMs"`
	Close     float64            `json:"closeMs"`
	Start     float64            `json:"startMs"`                // until the first search is answered
	Reopen    float64            `json:"reopenMs,omitempty"`     // of kept data: until it is open and all vectors are in the graph
	FillRSS   int64              `json:"fillRssBytes,omitempty"` // at the end of the fill
	FillPeak  int64              `json:"fillPeakRssBytes,omitempty"`
	RSS       int64              `json:"rssBytes"`    // after the searches
	Own       int64              `json:"rssOwnBytes"` // of RSS, without pages of files
	PeakRSS   int64              `json:"peakRssBytes"`
	IdleRSS   int64              `json:"idleRssBytes"`  // after the searches, once unused memory was returned
	StartRSS  int64              `json:"startRssBytes"` // after the restart, once unused memory was returned
	Disk      int64              `json:"diskBytes"`
	Streams   []Streams          `json:"streams,omitempty"`
	// Neighbours are measured with Options.Beside.
	Neighbours []Neighbours `json:"neighbours,omitempty"`
	Sleep      *Sleep       `json:"sleep,omitempty"`
}

const (
	batch     = 500
	writers   = 16
	erasures  = 50
	searchers = 8 // concurrent, to measure the highest rate
)

// Run measures each size.
func Run(ctx context.Context, o Options) ([]Result, error) {
	var results []Result
	for _, n := range o.Memories {
		dir, clear, err := o.dataDir(n)
		if err != nil {
			return results, fmt.Errorf("bench: %w", err)
		}
		r, err := run(ctx, o, dir, n)
		if err = errors.Join(err, clear()); err != nil {
			return results, fmt.Errorf("bench: at %d memories: %w", n, err)
		}
		results = append(results, *r)
	}
	return results, nil
}

// dataDir returns the directory for the data of a size and a function that removes it, unless
// it is kept.
func (o Options) dataDir(n int) (dir string, clear func() error, err error) {
	if o.Keep {
		return filepath.Join(o.Dir, fmt.Sprint(n)), func() error { return nil }, nil
	}
	dir, err = os.MkdirTemp(o.Dir, "somnograph-bench-")
	return dir, func() error { return os.RemoveAll(dir) }, err
}

func run(ctx context.Context, o Options, dir string, n int) (_ *Result, err error) {
	ahead := time.Duration(0)
	io := o.instance(dir, o.Server, func() time.Time { return time.Now().Add(ahead) })
	opening := time.Now()
	in, err := instance.Open(ctx, io)
	if err != nil {
		return nil, err
	}
	defer func() {
		if in != nil {
			err = errors.Join(err, in.Close(context.WithoutCancel(ctx)))
		}
	}()
	c := newCorpus(o.Seed)
	r := &Result{Memories: n, Search: map[string]Spread{}, Processor: map[string]float64{}}
	existing := in.Index.Stats(graph.Scope{Tenant: engine.Loopback().Tenant}).Memories
	if existing >= n {
		o.Note(fmt.Sprintf("%d memories: the store already holds %d", n, existing))
		if err := waitForGraph(ctx, in); err != nil {
			return nil, err
		}
		r.Reopen = retrieval.Millis(time.Since(opening))
		for i := range existing { // skip the texts that were written before
			c.input(i, in.Engine.Now())
		}
	} else {
		o.Note(fmt.Sprintf("%d memories: writing", n))
		if err := r.fill(ctx, o, in, c, n); err != nil {
			return nil, err
		}
		r.FillRSS, _, r.FillPeak = resident(os.ReadFile)
	}
	o.Note(fmt.Sprintf("%d memories: single writes", n))
	if err := r.single(ctx, o, in, c); err != nil {
		return nil, err
	}
	if len(o.Streams) > 0 {
		o.Note(fmt.Sprintf("%d memories: writes with open subscriptions", n))
		if err := r.streams(ctx, o, in, c); err != nil {
			return nil, err
		}
	}
	o.Note(fmt.Sprintf("%d memories: searches", n))
	if err := r.searches(ctx, o, in, c); err != nil {
		return nil, err
	}
	if o.Beside {
		o.Note(fmt.Sprintf("%d memories: searches beside others", n))
		if err := r.phase(o, "beside", 1, func() error { return r.neighbours(ctx, o, in, dir, c) }); err != nil {
			return nil, err
		}
	}
	o.Note(fmt.Sprintf("%d memories: erasures", n))
	if err := r.erasures(ctx, o, in); err != nil {
		return nil, err
	}
	r.RSS, r.Own, r.PeakRSS = resident(os.ReadFile)
	r.IdleRSS = o.idle()
	o.Note(fmt.Sprintf("%d memories: restart", n))
	began := time.Now()
	closing := in
	in = nil
	if err := closing.Close(ctx); err != nil {
		return nil, err
	}
	r.Close = retrieval.Millis(time.Since(began))
	if r.Disk, err = size(dir); err != nil {
		return nil, err
	}
	began = time.Now()
	err = r.phase(o, "start", 1, func() (err error) {
		if in, err = instance.Open(ctx, io); err != nil {
			return err
		}
		_, err = in.Engine.Search(ctx, engine.Loopback(), engine.SearchInput{Query: c.question()})
		return err
	})
	if err != nil {
		return nil, err
	}
	r.Start = retrieval.Millis(time.Since(began))
	r.StartRSS = o.idle()
	if !o.Sleep {
		return r, nil
	}
	o.Note(fmt.Sprintf("%d memories: sleep", n))
	closing = in
	in = nil
	if err := closing.Close(ctx); err != nil {
		return nil, err
	}
	ahead = age
	if in, err = instance.Open(ctx, io); err != nil {
		return nil, err
	}
	r.Sleep, err = measureSleep(ctx, o, in, c)
	return r, err
}

// idle returns unused memory and then the resident memory in bytes.
func (o Options) idle() int64 {
	o.Idle()
	rss, _, _ := resident(os.ReadFile)
	return rss
}

// erasures measures erasures of one memory each.
func (r *Result) erasures(ctx context.Context, o Options, in *instance.Instance) error {
	var ids []graph.ID
	err := in.Store.View(ctx, graph.Scope{Tenant: engine.Loopback().Tenant}, func(reader graph.Reader) error {
		ids = nil
		for m, err := range graph.AllMemories(reader, graph.MemoryQuery{Statuses: []graph.Status{graph.Active}}) {
			if err != nil || len(ids) == erasures {
				return err
			}
			ids = append(ids, m.ID)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return r.phase(o, "forget", len(ids), func() error {
		times, err := timed(len(ids), func(i int) error {
			receipt, err := in.Engine.Forget(ctx, engine.Loopback(), engine.ForgetInput{IDs: ids[i : i+1]})
			if err == nil && receipt.Status != graph.DeletionComplete {
				err = fmt.Errorf("the receipt is %s", receipt.Status)
			}
			return err
		})
		r.Forget = spread(times)
		return err
	})
}

// waitForGraph waits until every vector is in the nearest-neighbour graph.
func waitForGraph(ctx context.Context, in *instance.Instance) error {
	for {
		if in.Index.Stats(graph.Scope{Tenant: engine.Loopback().Tenant}).GraphTail == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// fill writes the memories in batches. Writes become slower as the store grows, so the last
// tenth is measured separately.
func (r *Result) fill(ctx context.Context, o Options, in *instance.Instance, c *corpus, n int) error {
	first := n * 9 / 10 / batch * batch
	var before, last time.Duration
	err := r.phase(o, "fill", first, func() (err error) { before, err = write(ctx, in, c, 0, first); return err })
	if err != nil {
		return err
	}
	err = r.phase(o, "rememberMany", n-first, func() (err error) { last, err = write(ctx, in, c, first, n); return err })
	r.RememberMany, r.RememberFull = float64(n)/(before+last).Seconds(), float64(n-first)/last.Seconds()
	return err
}

// write writes the memories with the numbers [from, to) in batches and returns the time spent
// in RememberMany.
func write(ctx context.Context, in *instance.Instance, c *corpus, from, to int) (time.Duration, error) {
	now, spent := in.Engine.Now(), time.Duration(0)
	for at := from; at < to; at += batch {
		inputs := make([]engine.RememberInput, min(batch, to-at))
		for i := range inputs {
			inputs[i] = c.input(at+i, now)
		}
		began := time.Now()
		results, err := in.Engine.RememberMany(ctx, engine.Loopback(), inputs)
		spent += time.Since(began)
		if err != nil {
			return spent, err
		}
		for _, r := range results {
			if r.Error != nil {
				return spent, r.Error
			}
		}
	}
	return spent, nil
}

// single measures writes of one memory, by one writer and by many.
func (r *Result) single(ctx context.Context, o Options, in *instance.Instance, c *corpus) error {
	now := in.Engine.Now()
	err := r.phase(o, "remember", o.Writes, func() error {
		times, err := timed(o.Writes, func(i int) error {
			_, err := in.Engine.Remember(ctx, engine.Loopback(), c.input(i, now))
			return err
		})
		r.Remember = spread(times)
		return err
	})
	if err != nil {
		return err
	}
	perWriter := o.Writes / 4
	inputs := make([]engine.RememberInput, writers*perWriter)
	for i := range inputs {
		inputs[i] = c.input(i, now)
	}
	return r.phase(o, "rememberParallel", len(inputs), func() error {
		all, rate, err := concurrently(writers, perWriter, func(w, i int) error {
			_, err := in.Engine.Remember(ctx, engine.Loopback(), inputs[w*perWriter+i])
			return err
		})
		r.RememberParallel, r.ParallelRate = spread(all), rate
		return err
	})
}

// searches measures each effort through the engine and over HTTP, and the highest rate of
// searches.
func (r *Result) searches(ctx context.Context, o Options, in *instance.Instance, c *corpus) error {
	questions := make([]string, o.Searches)
	for i := range questions {
		questions[i] = c.question()
	}
	efforts := []engine.Effort{engine.EffortFast, engine.EffortBalanced}
	measure := func(name string, ask func(i int) error) error {
		return r.phase(o, strings.ReplaceAll(name, " ", "-"), len(questions), func() error {
			times, err := timed(len(questions), ask)
			r.Search[name] = spread(times)
			return err
		})
	}
	for _, effort := range efforts {
		err := measure("engine "+string(effort), func(i int) error {
			_, err := in.Engine.Search(ctx, engine.Loopback(), engine.SearchInput{Query: questions[i], Effort: effort})
			return err
		})
		if err != nil {
			return err
		}
	}
	url, end, err := o.Serve(in)
	if err != nil {
		return err
	}
	searcher, err := client.New(url, client.Options{})
	if err != nil {
		return errors.Join(err, end())
	}
	for _, effort := range efforts {
		err = errors.Join(err, measure("http "+string(effort), func(i int) error {
			_, err := searcher.Search(ctx, client.Search{Query: questions[i], TopK: 10, Effort: string(effort)})
			return err
		}))
	}
	_, rate, failed := concurrently(searchers, len(questions)/searchers, func(w, i int) error {
		_, err := searcher.Search(ctx, client.Search{Query: questions[w*(len(questions)/searchers)+i], TopK: 10})
		return err
	})
	r.Saturated = rate
	searcher.Close()
	return errors.Join(err, failed, end())
}

// concurrently calls fn n times from each of some goroutines. It returns the durations of the
// calls and their rate per second.
func concurrently(goroutines, n int, fn func(g, i int) error) (all []time.Duration, rate float64, err error) {
	var mu sync.Mutex
	var group errgroup.Group
	began := time.Now()
	for g := range goroutines {
		group.Go(func() error {
			times, err := timed(n, func(i int) error { return fn(g, i) })
			mu.Lock()
			defer mu.Unlock()
			all = append(all, times...)
			return err
		})
	}
	err = group.Wait()
	return all, float64(len(all)) / time.Since(began).Seconds(), err
}

// timed calls fn n times and returns the duration of each call.
func timed(n int, fn func(int) error) ([]time.Duration, error) {
	times := make([]time.Duration, 0, n)
	for i := range n {
		began := time.Now()
		if err := fn(i); err != nil {
			return times, err
		}
		times = append(times, time.Since(began))
	}
	return times, nil
}

func spread(times []time.Duration) Spread {
	return Spread{
		N: len(times), P50: retrieval.Millis(retrieval.Percentile(times, 0.5)), P95: retrieval.Millis(retrieval.Percentile(times, 0.95)),
		Max: retrieval.Millis(retrieval.Percentile(times, 1)),
	}
}

// size is the number of bytes that the files in a directory take on the disk.
func size(dir string) (int64, error) {
	var total int64
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		total += onDisk(info)
		return nil
	})
	return total, err
}
