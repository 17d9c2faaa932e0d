package sleep

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

const (
	fadedBelow  = 0.2 // retention below which a memory counts as faded
	maxForecast = 365 // days
)

// Forecast is the predicted decay of a memory.
type Forecast struct {
	Memory   *workspace.View
	FadesAt  time.Time // when its retention falls below 0.2
	Archives time.Time // when a sleep may archive it; zero: not within the horizon
}

// DecayForecast lists the ACTIVE memories that fade within days (1 to 365) unless they are
// used, soonest first, at most first (0: 50). It omits memories that have already faded,
// never fade, or end before they fade.
func (svc *Service) DecayForecast(ctx context.Context, c workspace.Caller, days int, namespaces []string, user string, first int) ([]Forecast, error) {
	if days < 1 || days > maxForecast {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "days", "must be 1 to %d", maxForecast)
	}
	first, err := workspace.PageSize("first", first, 50)
	if err != nil {
		return nil, err
	}
	users, err := c.AllowedUsers(user)
	if err != nil {
		return nil, err
	}
	t, docs, err := svc.Docs(ctx, c, namespaces)
	if err != nil {
		return nil, err
	}
	now := svc.Now()
	until := now.Add(time.Duration(days) * 24 * time.Hour)
	type fading struct {
		id graph.ID
		at time.Time
	}
	var found []fading
	for _, d := range docs {
		if users != nil && !slices.Contains(users, d.User) {
			continue
		}
		s, known := graph.StateAt(d.History, d.ExpiresAt, lifecycle.Later(now, d.History[len(d.History)-1].From))
		if !known || s.Status != graph.Active {
			continue
		}
		at, fades := decay.ReachesLevel(workspace.DecayOfDoc(d, s), fadedBelow, now)
		at = graph.Millis(at)
		if fades && at.After(now) && !at.After(until) && (d.ExpiresAt.IsZero() || at.Before(d.ExpiresAt)) {
			found = append(found, fading{d.ID, at})
		}
	}
	slices.SortFunc(found, func(a, b fading) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.id, b.id)) })
	found = found[:min(first, len(found))]
	if len(found) == 0 {
		return nil, nil
	}
	central, err := svc.centrality(t.Scope)
	if err != nil {
		return nil, err
	}
	var out []Forecast
	err = t.View(ctx, func(r graph.Reader) error {
		out = nil
		for _, x := range found {
			m, err := graph.Readable(r, x.id)
			if err != nil {
				return err
			}
			v := workspace.Visible(m, c, workspace.Access{}, now)
			if v == nil || v.State.Status != graph.Active {
				continue // it changed after the index was read
			}
			edges, err := r.Edges(x.id, graph.Both)
			if err != nil {
				return err
			}
			f := Forecast{Memory: v, FadesAt: x.at}
			if !exemptFromArchival(m, v.State) {
				f.Archives = workspace.ArchivableAt(m, central[x.id], len(edges)+len(m.Entities), now, until)
			}
			out = append(out, f)
		}
		return nil
	})
	return out, err
}
