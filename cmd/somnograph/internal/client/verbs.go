package client

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/histories"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/importer"
)

// Ping checks that a server answers.
func (c *Client) Ping(ctx context.Context) error {
	var out struct {
		Type string `json:"__typename"`
	}
	return c.Do(ctx, `{__typename}`, nil, &out)
}

// Knows reports whether the server has a memory with the id.
func (c *Client) Knows(ctx context.Context, id string) (bool, error) {
	if id == "" {
		return false, nil
	}
	var out struct {
		Memory *struct{ ID string }
	}
	err := c.Do(ctx, `query($id:ID!){memory(id:$id){id}}`, map[string]any{"id": id}, &out)
	var e *Error
	if errors.As(err, &e) && e.Code == "MEMORY_NOT_FOUND" {
		return false, nil
	}
	return err == nil && out.Memory != nil, err
}

const rememberMany = `mutation($input:[RememberInput!]!){rememberMany(input:$input){memory{id} duplicateOf replayed error{code message field}}}`

// retryWaits are the pauses between attempts to write a batch.
var retryWaits = []time.Duration{250 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second}

// RememberMany writes memories and returns an outcome for each, in order. It retries the request
// and single memories while the server can't write them: memories with an idempotency key may be
// sent twice. An error means that at least one memory could not be written now; others of the
// batch may have been written.
func (c *Client) RememberMany(ctx context.Context, batch []importer.Memory) ([]importer.Outcome, error) {
	return writeMany(ctx, batch, func(some []importer.Memory) ([]written, error) {
		var out struct{ RememberMany []written }
		err := c.Do(ctx, rememberMany, map[string]any{"input": some}, &out)
		return out.RememberMany, err
	})
}

const observePast = `mutation($input:[ObserveInput!]!){observePast(input:$input){memory{id} replayed error{code message field}}}`

// ObservePast writes past turns and returns an outcome for each, in order. It retries as RememberMany
// does.
func (c *Client) ObservePast(ctx context.Context, batch []histories.Observation) ([]importer.Outcome, error) {
	return writeMany(ctx, batch, func(some []histories.Observation) ([]written, error) {
		var out struct{ ObservePast []written }
		err := c.Do(ctx, observePast, map[string]any{"input": some}, &out)
		return out.ObservePast, err
	})
}

// written is the result of the server for one memory or turn.
type written struct {
	Memory      *struct{ ID string }
	DuplicateOf string
	Replayed    bool
	Error       *Error
}

// writeMany sends a batch, and again what the server can't write now.
func writeMany[T any](ctx context.Context, batch []T, send func(some []T) ([]written, error)) ([]importer.Outcome, error) {
	outcomes := make([]importer.Outcome, len(batch))
	left := make([]int, len(batch)) // positions of those that were not written or refused yet
	for i := range left {
		left[i] = i
	}
	for attempt := 0; ; attempt++ {
		var err error
		if left, err = writeSome(batch, left, outcomes, send); err == nil {
			return outcomes, nil
		}
		if attempt == len(retryWaits) || !Temporary(err) {
			return nil, err
		}
		select {
		case <-time.After(retryWaits[attempt]):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// writeSome sends those of a batch at the given positions and sets their outcomes. It returns the
// positions to try again, and why.
func writeSome[T any](batch []T, at []int, outcomes []importer.Outcome, send func(some []T) ([]written, error)) (again []int, err error) {
	some := make([]T, len(at))
	for i, n := range at {
		some[i] = batch[n]
	}
	results, err := send(some)
	if err != nil {
		return at, err
	}
	if len(results) != len(some) {
		return at, fmt.Errorf("the server returned %d results for %d memories", len(results), len(some))
	}
	for i, r := range results {
		if r.Error != nil && Temporary(r.Error) {
			again, err = append(again, at[i]), r.Error
			continue
		}
		o := importer.Outcome{Replayed: r.Replayed, Merged: r.DuplicateOf != ""}
		if r.Error != nil {
			o.Err, o.Reused = r.Error, r.Error.Field == "idempotencyKey" && r.Error.Code == "INVALID_REQUEST"
		}
		if r.Memory != nil {
			o.ID = r.Memory.ID
		}
		outcomes[at[i]] = o
	}
	return again, err
}

// Temporary reports whether the same request may succeed later.
func Temporary(err error) bool {
	var e *Error
	return errors.As(err, &e) && slices.Contains([]string{"UNAVAILABLE", "RATE_LIMITED", "INTERNAL"}, e.Code)
}

// Search is the input of a search; empty strings: the server's defaults.
type Search struct {
	Query      string   `json:"query"`
	TopK       int      `json:"topK,omitempty"`
	Mode       string   `json:"mode,omitempty"`
	Effort     string   `json:"effort,omitempty"`
	Fusion     string   `json:"fusion,omitempty"`
	Namespaces []string `json:"namespaces,omitempty"`
	User       string   `json:"user,omitempty"`
	Order      string   `json:"order,omitempty"`
	Track      bool     `json:"track"`
	// Weights replaces weights of the mode by name. Hops is the reach in the graph; nil: 2.
	Weights map[string]float64 `json:"weights,omitempty"`
	Hops    *int               `json:"hops,omitempty"`
	// MinScoreRatio is the share of the best relevance that a hit needs; 0: all hits; nil: by mode.
	MinScoreRatio *float64 `json:"minScoreRatio,omitempty"`
}

// Found is the result of a search.
type Found struct {
	Hits            []Hit    `json:"hits"`
	LatencyMs       float64  `json:"latencyMs"`
	ConsideredCount int      `json:"consideredCount"`
	Degraded        []string `json:"degraded"`
	NoMatch         bool     `json:"noMatch"`
}

// Hit is one memory found.
type Hit struct {
	Score  float64 `json:"score"`
	Label  string  `json:"label"`
	Memory struct {
		ID         string `json:"id"`
		Content    string `json:"content"`
		Type       string `json:"type"`
		Namespace  string `json:"namespace"`
		Source     string `json:"source"`
		OccurredAt string `json:"occurredAt"`
	} `json:"memory"`
}

const searchQuery = `query($input:SearchInput!){search(input:$input){latencyMs consideredCount degraded noMatch hits{score label memory{id content type namespace source occurredAt}}}}`

// Search searches memory.
func (c *Client) Search(ctx context.Context, s Search) (*Found, error) {
	var out struct{ Search *Found }
	if err := c.Do(ctx, searchQuery, map[string]any{"input": s}, &out); err != nil {
		return nil, err
	}
	if out.Search == nil {
		return nil, &Error{Code: "INTERNAL", Message: "the server returned no result"}
	}
	return out.Search, nil
}
