package engine

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/importance"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/sleep"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// HealthReport is the state of a tenant's memory.
type HealthReport struct {
	Score            float64 // H, [0,1]
	Status           string  // HEALTHY, WARNING, CRITICAL
	Memories         int     // ACTIVE
	Engrams          int
	Entities         int
	ChecksumFailures int
	Details          map[string]any
}

// Health answers the state of what the caller may see. An empty memory is healthy.
func (e *Engine) Health(ctx context.Context, c workspace.Caller) (*HealthReport, error) {
	t, err := e.ws.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	if err := t.Current(ctx); err != nil && !errors.Is(err, graph.ErrUnavailable) {
		return nil, err
	}
	now := e.ws.Now()
	r := &HealthReport{Score: 1, Status: "HEALTHY"}
	byType, byStatus, byTier := map[string]int{}, map[string]int{}, map[string]int{}
	byConsent, bySensitivity := map[string]int{}, map[string]int{}
	entities := map[graph.ID]bool{}
	sum, waiting := 0.0, 0
	e.ws.Index.Docs(t.Scope, func(d *index.Doc) bool {
		if !c.Sees(d.Namespace, d.User) {
			return true
		}
		s, _ := graph.StateAt(d.History, d.ExpiresAt, lifecycle.Later(now, d.History[len(d.History)-1].From))
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
		sum += importance.Health(d.Confidence, decay.RetentionAt(workspace.DecayOfDoc(d, s), now))
		return true
	})
	r.Entities, r.ChecksumFailures = len(entities), e.ws.Damage.Count()
	if r.Memories > 0 {
		r.Score = sum / float64(r.Memories)
	}
	away := e.away(ctx)
	var refused, given []workspace.DeadLetter
	letters := map[workspace.Work]int{}
	err = t.View(ctx, func(r graph.Reader) error {
		refused, given = nil, nil
		clear(letters)
		return workspace.EachLetter(ctx, r, "", func(x workspace.DeadLetter, m *graph.Memory) bool {
			if !c.Sees(m.Namespace, m.User) {
				return true
			}
			letters[x.Work]++
			if letters[x.Work] > sleep.MaxListed {
				return true
			}
			if x.Work == workspace.WorkEmbed {
				given = append(given, x)
			} else {
				refused = append(refused, x)
			}
			return true
		})
	})
	gone := errors.Is(err, graph.ErrUnavailable) // and with it the letters: the index answers the rest
	if err != nil && !gone {
		return nil, e.ws.PublicError(err)
	}
	if gone = gone || e.ws.Store.Ready(ctx) != nil; gone {
		away = append(away, string(workspace.PartStore))
	}
	if gone || r.ChecksumFailures > 0 {
		r.Status = "CRITICAL"
	} else if waiting > 0 || len(refused) > 0 {
		r.Status = "WARNING"
	}
	if len(away) > 0 && r.Status == "HEALTHY" {
		r.Status = "WARNING"
	}
	r.Details = map[string]any{"byType": byType, "byStatus": byStatus, "byTier": byTier, "byConsent": byConsent, "bySensitivity": bySensitivity, "pendingEmbeddings": waiting, "embedder": e.ws.Embedder.Name()}
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
	if stuck := e.session.Stuck(c, t); len(stuck) > 0 {
		r.Details["stuckInBuffer"] = stuck
	}
	return r, nil
}

// away are the further parts that do not answer, by name.
func (e *Engine) away(ctx context.Context) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(e.dependencies)) {
		if e.dependencies[name].Ready(ctx) != nil {
			names = append(names, name)
		}
	}
	return names
}
