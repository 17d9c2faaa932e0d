package bench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/evidence"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/models"
)

// Options say what to measure.
type Options struct {
	Dir      string // for the data, which is removed afterwards
	Memories []int  // sizes of the store
	Searches int    // of each kind
	Sleep    bool   // measure a sleep too
	Seed     uint64
	Embedder models.Embedder
	// Serve serves an instance over HTTP and answers its URL and how to end it.
	Serve func(*instance.Instance) (string, func() error, error)
	Note  func(string) // told what is under way
}

// Spread is a distribution of durations in milliseconds.
type Spread struct {
	N   int     `json:"n"`
	P50 float64 `json:"p50Ms"`
	P95 float64 `json:"p95Ms"`
	Max float64 `json:"maxMs"`
}

// Result is what was measured at one size.
type Result struct {
	Memories         int               `json:"memories"`
	RememberMany     float64           `json:"rememberManyPerSecond"`
	Remember         Spread            `json:"remember"`          // one writer
	RememberParallel Spread            `json:"rememberParallel"`  // 16 writers
	ParallelRate     float64           `json:"parallelPerSecond"` // of the 16
	Search           map[string]Spread `json:"search"`            // by effort and way
	Close            float64           `json:"closeMs"`
	Start            float64           `json:"startMs"` // until the first search is answered
	RSS              int64             `json:"rssBytes"`
	PeakRSS          int64             `json:"peakRssBytes"`
	Disk             int64             `json:"diskBytes"`
	Night            *Night            `json:"sleep,omitempty"`
}

const (
	batch   = 500
	singles = 200
	writers = 16
	each    = 50 // memories of each parallel writer
)

// Run measures at each size.
func Run(ctx context.Context, o Options) ([]Result, error) {
	var results []Result
	for _, n := range o.Memories {
		dir, err := os.MkdirTemp(o.Dir, "somnograph-bench-")
		if err != nil {
			return results, fmt.Errorf("bench: %w", err)
		}
		r, err := run(ctx, o, dir, n)
		if err = errors.Join(err, os.RemoveAll(dir)); err != nil {
			return results, fmt.Errorf("bench: at %d memories: %w", n, err)
		}
		results = append(results, *r)
	}
	return results, nil
}

func run(ctx context.Context, o Options, dir string, n int) (_ *Result, err error) {
	ahead := time.Duration(0)
	io := instance.Options{
		Dir: dir, Embedder: o.Embedder, Logger: slog.New(slog.DiscardHandler), Source: func() time.Time { return time.Now().Add(ahead) },
	}
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
	r := &Result{Memories: n, Search: map[string]Spread{}}
	o.Note(fmt.Sprintf("%d memories: writing", n))
	if r.RememberMany, err = fill(ctx, in, c, n); err != nil {
		return nil, err
	}
	o.Note(fmt.Sprintf("%d memories: single writes", n))
	if err := r.single(ctx, in, c); err != nil {
		return nil, err
	}
	o.Note(fmt.Sprintf("%d memories: searches", n))
	if err := r.searches(ctx, o, in, c); err != nil {
		return nil, err
	}
	r.RSS, r.PeakRSS = resident(os.ReadFile)
	o.Note(fmt.Sprintf("%d memories: restart", n))
	began := time.Now()
	closing := in
	in = nil
	if err := closing.Close(ctx); err != nil {
		return nil, err
	}
	r.Close = evidence.Millis(time.Since(began))
	if r.Disk, err = size(dir); err != nil {
		return nil, err
	}
	began = time.Now()
	if in, err = instance.Open(ctx, io); err != nil {
		return nil, err
	}
	if _, err := in.Engine.Search(ctx, engine.Loopback(), engine.SearchInput{Query: c.question()}); err != nil {
		return nil, err
	}
	r.Start = evidence.Millis(time.Since(began))
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
	r.Night, err = night(ctx, o, in, c)
	return r, err
}

// fill writes n memories in batches and answers how many a second.
func fill(ctx context.Context, in *instance.Instance, c *corpus, n int) (float64, error) {
	now, spent := in.Engine.Now(), time.Duration(0)
	for at := 0; at < n; at += batch {
		inputs := make([]engine.RememberInput, min(batch, n-at))
		for i := range inputs {
			inputs[i] = c.input(at+i, now)
		}
		began := time.Now()
		results, err := in.Engine.RememberMany(ctx, engine.Loopback(), inputs)
		spent += time.Since(began)
		if err != nil {
			return 0, err
		}
		for _, r := range results {
			if r.Error != nil {
				return 0, r.Error
			}
		}
	}
	return float64(n) / spent.Seconds(), nil
}

// single measures one memory at a time, by one writer and by many.
func (r *Result) single(ctx context.Context, in *instance.Instance, c *corpus) error {
	now := in.Engine.Now()
	times, err := timed(singles, func(i int) error {
		_, err := in.Engine.Remember(ctx, engine.Loopback(), c.input(i, now))
		return err
	})
	if err != nil {
		return err
	}
	r.Remember = spread(times)
	inputs := make([]engine.RememberInput, writers*each)
	for i := range inputs {
		inputs[i] = c.input(i, now)
	}
	var (
		mu  sync.Mutex
		all []time.Duration
	)
	g, gctx := errgroup.WithContext(ctx)
	began := time.Now()
	for w := range writers {
		g.Go(func() error {
			times, err := timed(each, func(i int) error {
				_, err := in.Engine.Remember(gctx, engine.Loopback(), inputs[w*each+i])
				return err
			})
			mu.Lock()
			defer mu.Unlock()
			all = append(all, times...)
			return err
		})
	}
	err = g.Wait()
	r.RememberParallel, r.ParallelRate = spread(all), float64(len(all))/time.Since(began).Seconds()
	return err
}

// searches measures each effort through the engine, and BALANCED through HTTP too.
func (r *Result) searches(ctx context.Context, o Options, in *instance.Instance, c *corpus) error {
	questions := make([]string, o.Searches)
	for i := range questions {
		questions[i] = c.question()
	}
	for _, effort := range []engine.Effort{engine.EffortFast, engine.EffortBalanced} {
		times, err := timed(len(questions), func(i int) error {
			_, err := in.Engine.Search(ctx, engine.Loopback(), engine.SearchInput{Query: questions[i], Effort: effort})
			return err
		})
		if err != nil {
			return err
		}
		r.Search["engine "+string(effort)] = spread(times)
	}
	url, end, err := o.Serve(in)
	if err != nil {
		return err
	}
	asker, err := client.New(url)
	if err != nil {
		return errors.Join(err, end())
	}
	times, err := timed(len(questions), func(i int) error {
		_, err := asker.Search(ctx, client.Search{Query: questions[i], TopK: 10})
		return err
	})
	asker.Close()
	if err = errors.Join(err, end()); err != nil {
		return err
	}
	r.Search["http BALANCED"] = spread(times)
	return nil
}

// timed calls fn n times and answers how long each call took.
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
		N: len(times), P50: evidence.Millis(evidence.Percentile(times, 0.5)), P95: evidence.Millis(evidence.Percentile(times, 0.95)),
		Max: evidence.Millis(evidence.Percentile(times, 1)),
	}
}

// size is how many bytes the files below a directory take on the disk.
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
