package engine

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/importance"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Health answers the state of what the caller may see. An empty memory is healthy.
func (e *Engine) Health(ctx context.Context, c Caller) (*HealthReport, error) {
	t, err := e.tenant(ctx, c.scope())
	if err != nil {
		return nil, err
	}
	if err := t.Current(ctx); err != nil && !errors.Is(err, graph.ErrUnavailable) {
		return nil, err
	}
	now := e.Now()
	r := &HealthReport{Score: 1, Status: "HEALTHY"}
	byType, byStatus, byTier := map[string]int{}, map[string]int{}, map[string]int{}
	byConsent, bySensitivity := map[string]int{}, map[string]int{}
	entities := map[graph.ID]bool{}
	sum, waiting := 0.0, 0
	e.index.Docs(t.scope, func(d *index.Doc) bool {
		if !c.sees(d.Namespace, d.User) {
			return true
		}
		s, _ := graph.StateAt(d.History, d.ExpiresAt, later(now, d.History[len(d.History)-1].From))
		byStatus[string(s.Status)]++
		byTier[string(s.Tier)]++
		if s.Tier == graph.L3 {
			r.Engrams++
		}
		for _, id := range d.Entities {
			entities[id] = true
		}
		if !d.Embedded {
			waiting++
		}
		if s.Status != graph.Active {
			return true
		}
		r.Memories++
		byType[string(d.Type)]++
		byConsent[string(d.Consent)]++
		bySensitivity[string(d.Sensitivity)]++
		sum += importance.Health(d.Confidence, decay.RetentionAt(decayOfDoc(d, s), now))
		return true
	})
	r.Entities, r.ChecksumFailures = len(entities), e.damage.count()
	if r.Memories > 0 {
		r.Score = sum / float64(r.Memories)
	}
	away := e.away(ctx)
	var refused, given []DeadLetter
	letters := map[Work]int{}
	err = t.View(ctx, func(r graph.Reader) error {
		refused, given = nil, nil
		clear(letters)
		return eachLetter(ctx, r, "", func(x DeadLetter, m *graph.Memory) bool {
			if !c.sees(m.Namespace, m.User) {
				return true
			}
			letters[x.Work]++
			if letters[x.Work] > listed {
				return true
			}
			if x.Work == WorkEmbed {
				given = append(given, x)
			} else {
				refused = append(refused, x)
			}
			return true
		})
	})
	gone := errors.Is(err, graph.ErrUnavailable) // and with it the letters: the index answers the rest
	if err != nil && !gone {
		return nil, e.whole(err)
	}
	if gone = gone || e.store.Ready(ctx) != nil; gone {
		away = append(away, string(PartStore))
	}
	if gone || r.ChecksumFailures > 0 {
		r.Status = "CRITICAL"
	} else if waiting > 0 || len(refused) > 0 {
		r.Status = "WARNING"
	}
	if len(away) > 0 && r.Status == "HEALTHY" {
		r.Status = "WARNING"
	}
	r.Details = map[string]any{"byType": byType, "byStatus": byStatus, "byTier": byTier, "byConsent": byConsent, "bySensitivity": bySensitivity, "pendingEmbeddings": waiting, "embedder": e.embedder.Name()}
	if len(away) > 0 {
		r.Details["away"] = away
	}
	if len(letters) > 0 {
		r.Details["letters"] = letters
	}
	if len(given) > 0 {
		r.Details["deadLetters"] = given
	}
	if len(refused) > 0 {
		r.Details["unengraved"] = refused
	}
	if stuck := e.stuck(c, t); len(stuck) > 0 {
		r.Details["stuckInBuffer"] = stuck
	}
	return r, nil
}

// away are the further parts that do not answer, by name.
func (e *Engine) away(ctx context.Context) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(e.leans)) {
		if e.leans[name].Ready(ctx) != nil {
			names = append(names, name)
		}
	}
	return names
}

// decayOfDoc is decayOf for what the index knows.
func decayOfDoc(d *index.Doc, s graph.State) decay.Memory {
	return decay.Memory{
		Class: d.DecayClass, K: d.DecayK,
		CreatedAt: d.CreatedAt, AnchorAt: d.AnchorAt,
		Usage: d.Usage.Count, Days: d.Usage.Days, LastUse: d.Usage.Last,
		Important: d.Important, Confidence: d.Confidence,
		Permanent: s.Core || d.SafetyCritical || s.Tier == graph.L3,
	}
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
