package sleep

import (
	"github.com/somnograph/somnograph/engine/decay"
	"github.com/somnograph/somnograph/engine/importance"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// Figures describe the memories of a namespace or a tenant at an instant.
type Figures struct {
	Statuses map[graph.Status]int // memories by status, without FORGOTTEN
	Tiers    map[graph.Tier]int   // ACTIVE memories by tier
	Health   float64              // mean of importance.Health over the ACTIVE memories; 1 if there are none
}

// figures counts the memories of a namespace (empty: all), with the changes of a rehearsal on top
// if there are any.
func (svc *Service) figures(t *tenant, namespace string, changed map[graph.ID]*graph.Memory) Figures {
	f := Figures{Statuses: map[graph.Status]int{}, Tiers: map[graph.Tier]int{}}
	now, sum := svc.Now(), 0.0
	svc.Index.Docs(t.Scope, func(d *index.Doc) bool {
		if namespace != "" && d.Namespace != namespace {
			return true
		}
		d = withChanges(d, changed[d.ID])
		s, known := graph.StateAt(d.History, d.ExpiresAt, lifecycle.Later(now, d.History[len(d.History)-1].From))
		if !known || s.Status == graph.Forgotten {
			return true
		}
		f.Statuses[s.Status]++
		if s.Status == graph.Active {
			f.Tiers[s.Tier]++
			sum += importance.Health(d.Confidence, decay.RetentionAt(workspace.DecayOfDoc(d, s), now))
		}
		return true
	})
	f.Health = 1
	if n := f.Statuses[graph.Active]; n > 0 {
		f.Health = sum / float64(n)
	}
	return f
}
