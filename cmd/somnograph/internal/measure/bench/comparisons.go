package bench

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/grouping"
	"github.com/somnograph/somnograph/graph"
)

// What Compare can compare.
const (
	// PairTelemetry compares a server that is measured and traced with one that is not, on two copies of one store. With a question
	// to the engine the trace begins there, over HTTP with the request; every trace is recorded.
	PairTelemetry = "telemetry"
	// PairClusters compares a store that has slept with a copy from which the clusters and the patterns were removed. Half of the
	// questions are about what patterns say.
	PairClusters = "clusters"
)

// Measure is Compare if something is to be compared, else Run.
func Measure(ctx context.Context, o Options) (any, error) {
	if len(o.Paired) > 0 {
		return Compare(ctx, o)
	}
	return Run(ctx, o)
}

// Comparison compares searches at one size.
type Comparison struct {
	Memories int    `json:"memories"`
	Of       string `json:"of"`
	// Clusters, Patterns and the two counts of searches of the engine are of the way with.
	Clusters      int              `json:"clusters,omitempty"`
	Patterns      int              `json:"patterns,omitempty"`
	FoundPatterns int              `json:"searchesWithPatterns,omitempty"`
	AddedMembers  int              `json:"searchesWithMembersOfClusters,omitempty"`
	Searches      map[string]Pairs `json:"searches"` // by route and effort
}

// Compare measures what o.Paired names at each size, with o.Searches pairs for each route and effort.
func Compare(ctx context.Context, o Options) (all []Comparison, err error) {
	for _, n := range o.Memories {
		dir, clear, err := o.dataDir(n)
		if err != nil {
			return all, fmt.Errorf("bench: %w", err)
		}
		err = o.fillBefore(ctx, dir, n)
		for _, of := range o.Paired {
			if err == nil {
				var c *Comparison
				if c, err = o.compare(ctx, dir, n, of); err == nil {
					all = append(all, *c)
				}
			}
		}
		if err = errors.Join(err, clear()); err != nil {
			return all, fmt.Errorf("bench: at %d memories: %w", n, err)
		}
	}
	return all, nil
}

// fillBefore writes the memories that a directory lacks.
func (o Options) fillBefore(ctx context.Context, dir string, n int) error {
	return o.with(ctx, dir, o.Bare, func(in *instance.Instance) error {
		r := &Result{Memories: n, Processor: map[string]float64{}}
		if in.Index.Stats(defaultScope()).Memories < n {
			o.Note(fmt.Sprintf("%d memories: writing", n))
			if err := r.fill(ctx, o, in, newCorpus(o.Seed), n); err != nil {
				return err
			}
		}
		return waitForGraph(ctx, in)
	})
}

// with calls fn with the instance of a directory.
func (o Options) with(ctx context.Context, dir string, s Server, fn func(*instance.Instance) error) error {
	in, err := instance.Open(ctx, o.instance(dir, s, time.Now))
	if err != nil {
		return err
	}
	return errors.Join(fn(in), in.Close(context.WithoutCancel(ctx)))
}

func defaultScope() graph.Scope { return graph.Scope{Tenant: engine.Loopback().Tenant} }

// compare makes two copies of the store in a directory and compares searches in them.
func (o Options) compare(ctx context.Context, dir string, n int, of string) (_ *Comparison, err error) {
	c := &Comparison{Memories: n, Of: of, Searches: map[string]Pairs{}}
	servers := [2]Server{o.Bare, o.Bare}
	source, without := dir, dir+".without"
	corpus := newCorpus(o.Seed)
	corpus.rnd = rand.New(rand.NewPCG(o.Seed, 2)) // other questions than texts
	ask := func(int) string { return corpus.question() }
	switch of {
	case PairTelemetry:
		servers[1] = o.Server
	case PairClusters:
		if source, err = o.slept(ctx, dir, n); err != nil {
			return nil, err
		}
		ask = func(i int) string {
			if i%2 == 0 {
				return corpus.question()
			}
			return habitQuestion(corpus, i/2%habits)
		}
	}
	if err := copyStore(source, without); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(without)) }()
	if of == PairClusters {
		if err := o.removeClusters(ctx, without); err != nil {
			return nil, err
		}
	}
	questions := make([]string, o.Searches+block)
	for i := range questions {
		questions[i] = ask(i)
	}
	o.Note(fmt.Sprintf("%d memories: %s, pairs of searches", n, of))
	return c, o.with(ctx, without, servers[0], func(a *instance.Instance) error {
		return o.with(ctx, source, servers[1], func(b *instance.Instance) error {
			if of == PairClusters {
				if err := c.count(ctx, a, b); err != nil {
					return err
				}
			}
			return c.pairs(ctx, o, [2]*instance.Instance{a, b}, servers, questions)
		})
	})
}

// count counts clusters and patterns. A store without must have none.
func (c *Comparison) count(ctx context.Context, without, with *instance.Instance) error {
	for _, in := range []*instance.Instance{without, with} {
		c.Clusters = 0
		for after, more := graph.ID(""), true; more; {
			page, further, err := in.Engine.Clusters(ctx, engine.Loopback(), engine.ClusterListInput{First: graph.MaxPage, After: after})
			if err != nil {
				return err
			}
			if more = further; more {
				after = page[len(page)-1].ID
			}
			c.Clusters += len(page)
		}
		ids, err := patternsOf(ctx, in)
		if err != nil {
			return err
		}
		if c.Patterns = len(ids); in == without && c.Clusters+c.Patterns > 0 {
			return fmt.Errorf("the store without them has %d clusters and %d patterns", c.Clusters, c.Patterns)
		}
	}
	return nil
}

// pairs measures each effort through the engine and over HTTP.
func (c *Comparison) pairs(ctx context.Context, o Options, ins [2]*instance.Instance, servers [2]Server, questions []string) (err error) {
	var clients [2]*client.Client
	for i, in := range ins {
		url, end, failed := servers[i].Serve(in)
		if failed != nil {
			return failed
		}
		defer func() { err = errors.Join(err, end()) }()
		if clients[i], err = client.New(url, client.Options{}); err != nil {
			return err
		}
		defer clients[i].Close()
	}
	for _, effort := range []engine.Effort{engine.EffortFast, engine.EffortBalanced} {
		var inEngine, overHTTP [2]func(string) error
		for i, in := range ins {
			inEngine[i] = func(q string) error {
				found, err := in.Engine.Search(ctx, engine.Loopback(), engine.SearchInput{Query: q, Effort: effort})
				if err == nil && i == 1 {
					c.FoundPatterns += min(1, found.Tiers.Patterns)
					c.AddedMembers += min(1, found.Tiers.Clusters)
				}
				return err
			}
			overHTTP[i] = func(q string) error {
				_, err := clients[i].Search(ctx, client.Search{Query: q, TopK: 10, Effort: string(effort)})
				return err
			}
		}
		for i, ask := range [][2]func(string) error{inEngine, overHTTP} {
			p := &pairing{ask: ask, rnd: rand.New(rand.NewPCG(o.Seed, 3))}
			if c.Of == PairTelemetry {
				p.flush = o.Flush
			}
			name := []string{"engine ", "http "}[i] + string(effort)
			o.Note(fmt.Sprintf("%d memories: %s, %s", c.Memories, c.Of, name))
			r := &Result{Memories: c.Memories, Processor: map[string]float64{}}
			err := r.phase(o, strings.ReplaceAll(c.Of+"-"+name, " ", "-"), 1, func() (err error) { c.Searches[name], err = p.measure(questions); return err })
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// copyStore copies the directory of a closed store. What lay at the other place is removed.
func copyStore(from, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return filepath.WalkDir(to, func(path string, d fs.DirEntry, err error) error { // keys that others can read are refused
		mode := fs.FileMode(0o600)
		if err == nil && d.IsDir() {
			mode = 0o700
		}
		return errors.Join(err, os.Chmod(path, mode))
	})
}

const (
	habits  = 40 // matters
	sayings = 12 // memories of each
)

// habit is what is said of a matter: two things of a topic, in an order.
func habit(c *corpus, i int) (first, then string) { return c.topics[i][20+i%20], c.topics[i][41+i%19] }

func habitQuestion(c *corpus, i int) string {
	first, then := habit(c, i)
	return fmt.Sprintf("May I start the %s before the %s is closed?", first, then)
}

// slept returns the directory of a copy of a store that has slept, with memories from which patterns are drawn. The age of the memories
// is that of the fill, so that the sleep groups them and hardly archives any.
func (o Options) slept(ctx context.Context, dir string, n int) (string, error) {
	slept := dir + ".slept"
	if _, err := os.Stat(slept); err == nil {
		return slept, nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	o.Note(fmt.Sprintf("%d memories: sleep", n))
	making := dir + ".sleeping"
	if err := copyStore(dir, making); err != nil {
		return "", err
	}
	err := o.with(ctx, making, o.Bare, func(in *instance.Instance) error {
		c := newCorpus(o.Seed)
		c.rnd = rand.New(rand.NewPCG(o.Seed, 4))
		now := in.Engine.Now()
		for i := range habits {
			inputs := make([]engine.RememberInput, sayings)
			for j := range inputs {
				first, then := habit(c, i)
				inputs[j] = engine.RememberInput{
					Content: c.text(i, 8) + fmt.Sprintf(" Never start the %s before the %s is closed.", first, then), Consent: graph.ConsentExplicit,
					Namespace: fmt.Sprintf("bench%d", i%4), Session: fmt.Sprintf("habit-%d-%d", i, j), OccurredAt: now.Add(-time.Duration(24*(j+1)) * time.Hour),
				}
			}
			results, err := in.Engine.RememberMany(ctx, engine.Loopback(), inputs)
			if err != nil {
				return err
			}
			for _, r := range results {
				if r.Error != nil {
					return r.Error
				}
			}
		}
		if err := waitForGraph(ctx, in); err != nil {
			return err
		}
		_, err := in.Engine.Sleep(ctx, engine.Loopback(), engine.SleepInput{Deep: true, Wait: true})
		return err
	})
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(making))
	}
	return slept, os.Rename(making, slept)
}

// clustersVersion is the setting from which a server learns that there are clusters.
const clustersVersion = "clusters.version"

// removeClusters removes the clusters and the patterns from a store.
func (o Options) removeClusters(ctx context.Context, dir string) error {
	return o.with(ctx, dir, o.Bare, func(in *instance.Instance) error {
		for {
			ids, err := patternsOf(ctx, in)
			if err != nil {
				return err
			}
			if len(ids) == 0 {
				break
			}
			if _, err := in.Engine.Forget(ctx, engine.Loopback(), engine.ForgetInput{IDs: ids}); err != nil {
				return err
			}
		}
		_, err := in.Store.Update(ctx, defaultScope(), func(tx graph.Tx) error {
			for n, err := range graph.AllNotes(tx, graph.NoteClusters, "", false) {
				if err != nil {
					return err
				}
				if err := grouping.Remove(tx, n.ID, in.Engine.Now()); err != nil {
					return err
				}
			}
			return tx.PutSetting(clustersVersion, nil)
		})
		return err
	})
}

// patternsOf returns the ids of the patterns of a store, at most graph.MaxPage.
func patternsOf(ctx context.Context, in *instance.Instance) ([]graph.ID, error) {
	page, err := in.Engine.Patterns(ctx, engine.Loopback(), engine.PatternInput{First: graph.MaxPage})
	if err != nil {
		return nil, err
	}
	var ids []graph.ID
	for _, p := range page.Patterns {
		ids = append(ids, p.Memory.ID)
	}
	return ids, nil
}
