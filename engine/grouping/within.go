package grouping

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// cutSetting names the setting with the clustering that the time of a sleep ended last; absent: none, or its
// owner was clustered since.
const cutSetting = "clusters.cut"

// cutOff is a clustering that the time of a sleep ended. The id stands for the owner, because an erasure would
// not find the name of a user here.
type cutOff struct {
	Owner graph.ID      `json:"owner"` // the SettlementID that it would have had
	At    time.Time     `json:"at"`    // instant of the sleep
	Sleep graph.ID      `json:"sleep"`
	Had   time.Duration `json:"had"` // the time that it was given
}

// leastTime is what a clustering counts as having had, if there was less or none.
const leastTime = time.Second

// of reports whether the clustering that was cut off is that of an owner.
func (c *cutOff) of(o Owner) (bool, error) {
	if c == nil {
		return false, nil
	}
	id, err := SettlementID(c.At, c.Sleep, o.Namespace, o.User)
	return err == nil && id == c.Owner, err
}

// lastCut returns the clustering that was cut off last; nil: none.
func (svc *Service) lastCut(ctx context.Context, t *workspace.Tenant) (c *cutOff, err error) {
	err = svc.Store.View(ctx, t.Scope.Whole(), func(r graph.Reader) error {
		var read cutOff
		known, err := lifecycle.ReadSetting(r, cutSetting, &read)
		if known && err == nil {
			c = &read
		}
		return err
	})
	return c, err
}

// LongestWaiting puts owners into the order in which a sleep clusters them: first the one whose clustering the
// time of a sleep ended, then those without clusters, then those whose clusters are the oldest. Equals keep
// their order.
func (svc *Service) LongestWaiting(ctx context.Context, t *workspace.Tenant, all []SettleInput) error {
	last, err := svc.lastCut(ctx, t)
	if err != nil {
		return err
	}
	cut, at := map[Owner]int{}, map[Owner]time.Time{}
	for _, in := range all {
		f, err := svc.Former(ctx, t, in.Owner)
		if err != nil {
			return err
		}
		if f != nil {
			at[in.Owner] = f.At
		}
		is, err := last.of(in.Owner)
		if err != nil {
			return err
		}
		if is {
			cut[in.Owner] = 1
		}
	}
	slices.SortStableFunc(all, func(a, b SettleInput) int {
		return cmp.Or(cmp.Compare(cut[b.Owner], cut[a.Owner]), at[a.Owner].Compare(at[b.Owner]))
	})
	return nil
}

// SettleWithin is Settle in the time that is left to a sleep. An owner whose clustering the time of the last
// sleep ended has at least twice the time that it had then, even if less is left, so that it is clustered after
// some sleeps however large it is. done is false if the time ended the clustering, or if there was none left for
// it.
func (svc *Service) SettleWithin(ctx context.Context, t *workspace.Tenant, in SettleInput, left time.Duration) (s *Settlement, done bool, err error) {
	last, err := svc.lastCut(ctx, t)
	if err != nil {
		return nil, false, err
	}
	again, err := last.of(in.Owner)
	if err != nil {
		return nil, false, err
	}
	if again {
		left = max(left, 2*last.Had)
	}
	if left > 0 {
		within, cancel := context.WithTimeout(ctx, left)
		defer cancel()
		s, err = svc.Settle(within, t, in)
		if done = err == nil; !done && (within.Err() == nil || ctx.Err() != nil) {
			return nil, false, err
		}
	}
	if done && !again {
		return s, true, nil
	}
	id, err := SettlementID(in.At, in.Sleep, in.Owner.Namespace, in.Owner.User)
	if err != nil {
		return nil, false, err
	}
	err = t.Update(ctx, func(tx graph.Tx) error {
		if done {
			return tx.PutSetting(cutSetting, nil)
		}
		return lifecycle.PutSetting(tx, cutSetting, cutOff{Owner: id, At: in.At, Sleep: in.Sleep, Had: max(left, leastTime)})
	})
	return s, done, err
}

// Left returns an id for each owner whose clusters may no longer fit; see [Service.OwnersLeft].
func (svc *Service) Left(ctx context.Context, t *workspace.Tenant, all []SettleInput) (ids []graph.ID, err error) {
	for _, in := range all {
		f, err := svc.Former(ctx, t, in.Owner)
		if err != nil {
			return nil, err
		}
		if !svc.due(t, f, in) {
			continue
		}
		id, err := SettlementID(in.At, in.Sleep, in.Owner.Namespace, in.Owner.User)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// OwnersLeft returns the owners of ids that Left made for a sleep, in their order. It leaves out one that has no
// memory any more.
func (svc *Service) OwnersLeft(t *workspace.Tenant, at time.Time, sleep graph.ID, ids []graph.ID) ([]Owner, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	owners := map[Owner]bool{}
	svc.Index.Docs(t.Scope.Whole(), func(d *index.Doc) bool { owners[Owner{d.Namespace, d.User}] = true; return true })
	place := map[graph.ID]int{}
	for i, id := range ids {
		place[id] = i + 1
	}
	found := make([]*Owner, len(ids))
	for o := range owners {
		id, err := SettlementID(at, sleep, o.Namespace, o.User)
		if err != nil {
			return nil, err
		}
		if n := place[id]; n > 0 {
			found[n-1] = &o
		}
	}
	var out []Owner
	for _, o := range found {
		if o != nil {
			out = append(out, *o)
		}
	}
	return out, nil
}
