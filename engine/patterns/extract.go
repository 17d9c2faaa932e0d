package patterns

import (
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/pattern"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Extraction is what was drawn from one cluster.
type Extraction struct {
	Patterns []Pattern // new, with a new version, or found again
	Refused  []pattern.Refused
}

// ExtractPattern draws patterns from one cluster at once, as a sleep does, and says why
// candidates were refused. What it stores can be rolled back like a sleep; its report is a
// consolidation by hand. Only what the caller sees counts. Errors: MEMORY_NOT_FOUND if the caller sees fewer than
// three members of such a cluster, FORBIDDEN if it belongs to nobody and the caller may not share, SLEEP_RUNNING
// during a sleep.
func (svc *Service) ExtractPattern(ctx context.Context, c workspace.Caller, cluster graph.ID) (*Extraction, error) {
	if !cluster.Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "cluster", "must be a UUID")
	}
	made, refused, err := svc.extractor.ExtractPattern(ctx, c, cluster)
	if err != nil {
		return nil, err
	}
	out := &Extraction{Refused: refused}
	err = svc.view(ctx, c, func(r graph.Reader) error {
		out.Patterns = nil
		found, err := graph.Undamaged(r, made)
		if err != nil {
			return err
		}
		for _, m := range found {
			if m == nil || m.Pattern == nil {
				continue
			}
			p, err := svc.show(r, c, m)
			if err != nil {
				return err
			}
			out.Patterns = append(out.Patterns, *p)
		}
		return nil
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return out, nil
}

// ValidatePattern compares a pattern with today's members of its owner's clusters, and stores when it
// did and the share of those kept aside that agree. If no member speaks of its matter any more, the
// share stays. For a caller whose consent or sensitivity is limited only the members that it sees count, and the
// result is returned but not stored. Errors as for [Service.Pattern], VERSION_CONFLICT if it is not ACTIVE, FORBIDDEN if it
// belongs to nobody and the caller may not share.
func (svc *Service) ValidatePattern(ctx context.Context, c workspace.Caller, id graph.ID) (*Pattern, error) {
	t, err := svc.Tenant(ctx, c.Scope())
	if err != nil {
		return nil, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, err
	}
	var known pattern.Known
	var others []pattern.Known
	var sources []pattern.Source
	err = svc.view(ctx, c, func(r graph.Reader) error {
		m, err := loadActive(r, c, "id", id, svc.Now())
		if err != nil {
			return err
		}
		if c.MayWriteFor(m.User) != nil {
			return graph.FieldError(graph.CodeForbidden, "id", "belongs to nobody: validating it requires the scope that writes what belongs to nobody")
		}
		return nil
	})
	limited := c.Sight().LimitsClasses()
	if err == nil {
		// What is stored belongs to the pattern, so all members count, also those that the caller does not see.
		by := t.Whole()
		if limited {
			by = t
		}
		known, others, sources, err = svc.evidence(ctx, by, id)
	}
	if err != nil {
		return nil, svc.PublicError(err)
	}
	held, _, _, spoken := pattern.Check(known, others, sources)
	if limited {
		p, err := svc.Pattern(ctx, c, id)
		if err != nil {
			return nil, err
		}
		validated(p.Memory, t.Now(), held, spoken)
		return p, nil
	}
	err = svc.serial.RunExclusive(ctx, t, func(ctx context.Context) error {
		return t.Update(ctx, func(tx graph.Tx) error {
			m, err := loadActive(tx, c, "id", id, t.Now())
			if err != nil {
				return err
			}
			validated(m, t.Now(), held, spoken)
			m.UpdatedAt = t.Now()
			return tx.PutMemory(m, graph.EventUpdated)
		})
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	return svc.Pattern(ctx, c, id)
}

// validated notes the result of a check in a memory with a pattern. spoken is false if no source speaks of its matter.
func validated(m *graph.Memory, at time.Time, held float64, spoken bool) {
	m.Pattern = m.Pattern.Clone()
	m.Pattern.ValidatedAt = at
	if spoken {
		m.Pattern.HeldOut = held
	}
}

// evidence returns a pattern, all patterns of its owner, and those of today's memories in the clusters of its owner that a tenant's sight shows.
func (svc *Service) evidence(ctx context.Context, t *workspace.Tenant, id graph.ID) (known pattern.Known, all []pattern.Known, sources []pattern.Source, err error) {
	settled, err := svc.clusters.Settled(ctx, t.Whole())
	if err != nil {
		return known, nil, nil, err
	}
	err = t.View(ctx, func(r graph.Reader) error {
		m, err := r.Memory(id)
		if err != nil {
			return err
		}
		owner := workspace.Circle{Namespace: m.Namespace, User: m.User}
		mine := slices.DeleteFunc(slices.Clone(settled), func(c Cluster) bool { return c.Namespace != owner.Namespace || c.User != owner.User })
		e, err := ReadEvidence(r, svc.Index, t.Scope, owner, mine)
		if err != nil {
			return err
		}
		known, all, sources = KnownOf(m), e.Known, e.Sources
		return nil
	})
	return known, all, sources, err
}
