package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/client"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
)

// Neighbours holds the latency of one principal's BALANCED searches over HTTP, alone and beside
// clients of other principals that send expensive searches without pause. Rate limits are off.
type Neighbours struct {
	Principals int     `json:"principals"` // of the clients
	Clients    int     `json:"clients"`
	Alone      float64 `json:"p95AloneMs"`  // median of the rounds
	Beside     float64 `json:"p95BesideMs"` // median of the rounds
	Ratio      float64 `json:"ratio"`       // median of the ratios of each round
	Searches   int64   `json:"searches"`    // of the clients, answered meanwhile
	Refused    int64   `json:"refused"`     // operations of the clients
	Ready      int64   `json:"ready"`       // times that /readyz answered 200 meanwhile
	Unready    int64   `json:"unready"`     // times that it did not
}

const (
	neighbourRounds   = 3
	neighbourSearches = 40              // of each half of a round, at least
	neighbourTime     = 3 * time.Second // of each half of a round, at least
	busyClients       = 16
	busyAliases       = 20
	busyBytes         = 6 << 10
)

// neighbours measures a neighbour of 16 clients of one principal, and of 16 principals.
func (r *Result) neighbours(ctx context.Context, o Options, in *instance.Instance, dir string, c *corpus) error {
	url, keys, end, err := o.ServeKeys(in, dir, 1+busyClients)
	if err != nil {
		return err
	}
	calm, err := client.New(url, client.Options{Key: keys[0]})
	if err != nil {
		return errors.Join(err, end())
	}
	defer calm.Close()
	long := c.question()
	for len(long) < busyBytes {
		long += " " + c.question()
	}
	measure := func() (float64, error) {
		var all []time.Duration
		for began := time.Now(); len(all) == 0 || time.Since(began) < neighbourTime; {
			times, err := timed(neighbourSearches, func(int) error {
				_, err := calm.Search(ctx, client.Search{Query: c.question(), TopK: 10})
				return err
			})
			if err != nil {
				return 0, err
			}
			all = append(all, times...)
		}
		return spread(all).P95, nil
	}
	if _, err := measure(); err != nil { // caches and connections
		return errors.Join(err, end())
	}
	for _, principals := range []int{1, busyClients} {
		n := Neighbours{Principals: principals, Clients: busyClients}
		var alone, beside, ratios []float64
		for range neighbourRounds {
			before, err := measure()
			if err != nil {
				return errors.Join(err, end())
			}
			b := startBusy(ctx, url, keys[1:1+principals], long[:busyBytes])
			after, err := measure()
			if err = errors.Join(err, b.stop()); err != nil {
				return errors.Join(err, end())
			}
			n.Searches, n.Refused = n.Searches+b.answered.Load(), n.Refused+b.refused.Load()
			n.Ready, n.Unready = n.Ready+b.ready.Load(), n.Unready+b.unready.Load()
			alone, beside, ratios = append(alone, before), append(beside, after), append(ratios, after/before)
		}
		n.Alone, n.Beside, n.Ratio = median(alone), median(beside), median(ratios)
		r.Neighbours = append(r.Neighbours, n)
	}
	return end()
}

// busy are clients that search without pause.
type busy struct {
	answered, refused atomic.Int64
	ready, unready    atomic.Int64
	cancel            context.CancelFunc
	clients           errgroup.Group
}

// startBusy starts the clients and returns when each has sent a request. They share the keys.
func startBusy(ctx context.Context, url string, keys []string, question string) *busy {
	ctx, cancel := context.WithCancel(ctx)
	b := &busy{cancel: cancel}
	var query strings.Builder
	for i := range busyAliases {
		fmt.Fprintf(&query, " a%d: search(input: {query: $q, effort: ACCURATE}) { hits { score memory { id } } }", i)
	}
	body, _ := json.Marshal(map[string]any{"query": "query($q: String!) {" + query.String() + " }", "variables": map[string]string{"q": question}}) // texts
	sent := make(chan struct{}, busyClients)
	for i := range busyClients {
		b.clients.Go(func() error {
			announce := func() { sent <- struct{}{} }
			for {
				err := b.ask(ctx, url, keys[i%len(keys)], body, announce)
				announce = func() {}
				if ctx.Err() != nil {
					return nil
				}
				if err != nil {
					return err
				}
			}
		})
	}
	for range busyClients {
		select {
		case <-sent:
		case <-ctx.Done():
		}
	}
	b.clients.Go(func() error { return b.watchReady(ctx, url) })
	return b
}

// watchReady asks ten times a second whether the server is ready.
func (b *busy) watchReady(ctx context.Context, url string) error {
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/readyz", nil)
		if err != nil {
			return err
		}
		resp, err := http.DefaultClient.Do(req)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		if err := resp.Body.Close(); err != nil {
			return err
		}
		if resp.StatusCode == http.StatusOK {
			b.ready.Add(1)
		} else {
			b.unready.Add(1)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// ask sends one request. One that is refused is repeated after a pause by the next call.
func (b *busy) ask(ctx context.Context, url, key string, body []byte, sending func()) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/graphql", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+key)
	sending()
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	answer, err := io.ReadAll(resp.Body)
	if err = errors.Join(err, resp.Body.Close()); err != nil {
		return err
	}
	if resp.StatusCode == http.StatusOK && !bytes.Contains(answer, []byte(`"errors"`)) {
		b.answered.Add(busyAliases)
		return nil
	}
	b.refused.Add(1)
	select {
	case <-ctx.Done():
	case <-time.After(100 * time.Millisecond):
	}
	return nil
}

// stop ends the clients.
func (b *busy) stop() error {
	b.cancel()
	return b.clients.Wait()
}
