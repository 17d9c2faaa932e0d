package recall

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Timeline counts new, superseded and otherwise ended memories by transaction time, in equal
// buckets (0: 100, at most 1,000) from the first memory to now. It returns nil if there is no
// memory.
func (svc *Service) Timeline(ctx context.Context, c workspace.Caller, namespaces []string, buckets int) ([]Instant, error) {
	buckets, err := workspace.PageSize("buckets", buckets, 100)
	if err != nil {
		return nil, err
	}
	_, docs, err := svc.Docs(ctx, c, namespaces)
	if err != nil || len(docs) == 0 {
		return nil, err
	}
	now := svc.Now()
	first, last := now, now
	for _, d := range docs {
		if d.RecordedAt.Before(first) {
			first = d.RecordedAt
		}
		last = lifecycle.Later(last, d.History[len(d.History)-1].From)
	}
	width := max(time.Millisecond, (last.Sub(first)+time.Millisecond)/time.Duration(buckets)+1)
	line := make([]Instant, buckets)
	for i := range line {
		line[i].From = graph.Millis(first.Add(time.Duration(i) * width))
	}
	at := func(t time.Time) *Instant { return &line[min(buckets-1, int(t.Sub(first)/width))] }
	for _, d := range docs {
		at(d.RecordedAt).Born++
		for i, s := range d.History {
			if i == 0 || s.Status == d.History[i-1].Status || s.Status == graph.Active {
				continue
			}
			if s.Status == graph.Superseded {
				at(s.From).Superseded++
			} else {
				at(s.From).Ended++
			}
		}
	}
	return line, nil
}
