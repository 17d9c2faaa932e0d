package monitor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/somnograph/somnograph/engine/alarm"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/network"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// deepReadings reads what needs a walk over all memories or entities of a tenant. One that can't be read does not hide the other.
func (svc *Service) deepReadings(ctx context.Context, w *watched, t *workspace.Tenant, now time.Time) (found []alarm.Reading, err error) {
	if err := t.Current(ctx); err != nil {
		return nil, err
	}
	consent, err := svc.consentReading(ctx, w, t, now)
	if err == nil {
		found = append(found, consent)
	}
	degree, failed := degreeReading(ctx, t)
	if failed == nil {
		found = append(found, degree)
	}
	return found, errors.Join(err, failed)
}

// consentReading counts the memories whose consent is weaker than their namespace requires and that
// were recorded after the policy required it, or if that is not known, after the requirement was first seen. Writes refuse such memories, so that they
// were written past the engine. Memories that the engine makes of others, and later versions, keep the
// consent of what they come from. What was there when an alarm of this kind ended was looked at by a person.
func (svc *Service) consentReading(ctx context.Context, w *watched, t *workspace.Tenant, now time.Time) (alarm.Reading, error) {
	reading := alarm.Reading{Indicator: alarm.Consent}
	rules := map[string]policy.Policy{}
	var names []string
	svc.Index.Docs(w.scope, func(d *index.Doc) bool {
		if _, known := rules[d.Namespace]; !known {
			rules[d.Namespace], names = policy.Policy{}, append(names, d.Namespace)
		}
		return true
	})
	err := t.View(ctx, func(r graph.Reader) error {
		for _, name := range names {
			p, err := workspace.PolicyOf(r, name)
			if err != nil {
				return err
			}
			rules[name] = p
			noted, known, err := workspace.RequiredConsent(r, name, p)
			if err != nil {
				return err
			}
			if seen, before := w.strict[name]; !known && before && seen.Least == p.MinConsent {
				noted = seen
			} else if !known {
				noted = workspace.Required{Least: p.MinConsent, Since: now}
			}
			w.strict[name] = noted
		}
		return nil
	})
	if err != nil {
		return reading, err
	}
	var first graph.ID
	svc.Index.Docs(w.scope, func(d *index.Doc) bool {
		s := d.History[len(d.History)-1]
		if s.Status == graph.Forgotten || d.Supersedes != "" || ofOthers(d) || !d.RecordedAt.After(lifecycle.Later(w.strict[d.Namespace].Since.Add(clockSlack), w.consentEnded)) {
			return true
		}
		if lifecycle.Admits(rules[d.Namespace], d.Consent) != nil {
			if reading.Value++; first == "" || d.ID < first {
				first = d.ID
			}
		}
		return true
	})
	if first != "" {
		reading.Detail = "the first is " + string(first)
	}
	return reading, nil
}

// clockSlack is how far the clocks of two servers on one store may be apart.
const clockSlack = time.Minute

// ofOthers reports what the engine made of other memories: a summary, a task of a turn, or the anonymised copy of a safety-critical memory,
// which is kept of nothing without consent.
func ofOthers(d *index.Doc) bool {
	return d.SourceKind == graph.FromConsolidation || d.SourceKind == graph.FromExtraction || d.SafetyCritical && d.Consent != graph.ConsentNone
}

// degreeReading returns the largest number of relations of an entity.
func degreeReading(ctx context.Context, t *workspace.Tenant) (alarm.Reading, error) {
	reading := alarm.Reading{Indicator: alarm.Degree}
	err := t.View(ctx, func(r graph.Reader) error {
		degrees := map[graph.ID]int{}
		all, err := relationsOf(ctx, r)
		for _, x := range all {
			degrees[x.Source]++
			if x.Target != x.Source {
				degrees[x.Target]++
			}
		}
		for id, n := range degrees {
			if v := float64(n); v > reading.Value || v == reading.Value && string(id) < reading.Detail {
				reading.Value, reading.Detail = v, string(id)
			}
		}
		return err
	})
	if reading.Detail != "" {
		reading.Detail = "entity " + reading.Detail
	}
	return reading, err
}

// relationsOf reads all relations of a tenant.
func relationsOf(ctx context.Context, r graph.Reader) (all []*graph.Relation, err error) {
	for e, err := range graph.AllEntities(r) {
		if err != nil {
			return nil, err
		}
		for x, err := range graph.AllRelations(r, e.ID) {
			if err != nil {
				return nil, err
			}
			all = append(all, x)
		}
	}
	return all, ctx.Err()
}

// dropsAtOnce is the number of relations that one transaction drops.
const dropsAtOnce = 64

// sparsify drops relations so that no entity has more than network.MaxRelations, as a sleep does,
// and returns how many it dropped.
func (svc *Service) sparsify(ctx context.Context, t *workspace.Tenant, now time.Time) (dropped int, err error) {
	var all []*graph.Relation
	if err := t.View(ctx, func(r graph.Reader) (err error) { all, err = relationsOf(ctx, r); return err }); err != nil {
		return 0, err
	}
	drop, err := network.Sparsify(all, now, network.MaxRelations)
	if err != nil {
		return 0, err
	}
	for len(drop) > 0 {
		some := drop[:min(len(drop), dropsAtOnce)]
		err := t.Update(ctx, func(tx graph.Tx) error {
			for _, x := range some {
				if err := tx.DeleteRelation(x.Source, x.Predicate, x.Target); err != nil && !errors.Is(err, graph.ErrNotFound) {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return dropped, fmt.Errorf("drop relations: %w", err)
		}
		dropped, drop = dropped+len(some), drop[len(some):]
	}
	return dropped, nil
}
