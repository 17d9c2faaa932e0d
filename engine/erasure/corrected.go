package erasure

import (
	"maps"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/graph"
)

// restored is a memory that holds again because what a turn corrected it to is erased.
type restored struct {
	id     graph.ID
	claims []graph.Claim // of the statement that is erased
}

// saidBefore returns what holds again after an erasure of ACTIVE statements that correct others: of each corrected turn the last statement
// that stays, if nothing but its corrections had ended it.
func saidBefore(r graph.Reader, erased map[graph.ID]bool) (out []restored, err error) {
	for _, id := range slices.Sorted(maps.Keys(erased)) {
		m, err := r.Memory(id)
		if err != nil {
			return nil, err
		}
		if m.Status() != graph.Active {
			continue
		}
		turn, root, err := lifecycle.CompletedFrom(r, m)
		if err != nil {
			return nil, err
		}
		if turn == "" || erased[root] {
			continue
		}
		if last, err := lastSaid(r, root, erased); err != nil {
			return nil, err
		} else if last != "" {
			out = append(out, restored{last, m.Claims})
		}
	}
	return out, nil
}

// lastSaid returns the last statement that a turn, or one that corrects it, makes and that is not erased; empty: it holds already, or something
// else ended it.
func lastSaid(r graph.Reader, turn graph.ID, erased map[graph.ID]bool) (graph.ID, error) {
	first, err := r.Memory(turn)
	if known, err := graph.Found(err); !known {
		return "", err
	}
	made, err := lifecycle.CompletedOf(r, turn)
	if err != nil {
		return "", err
	}
	corrections := map[graph.ID]bool{}
	for _, m := range made {
		corrections[m.ID] = true
	}
	all := slices.DeleteFunc(append([]*graph.Memory{first}, made...), func(m *graph.Memory) bool { return erased[m.ID] })
	last := all[len(all)-1]
	if last.Status() != graph.Superseded || !corrections[last.SupersededBy] || slices.ContainsFunc(all, func(m *graph.Memory) bool { return m.Status() == graph.Active }) {
		return "", nil
	}
	return last.ID, nil
}

// restore makes the memory hold again, apart from the claims that ended in the erased statement too.
func (x *restored) restore(tx graph.Tx, at time.Time) error {
	m, err := tx.Memory(x.id)
	if err != nil {
		return err
	}
	for _, ended := range x.claims {
		st := ended.State()
		if st.ValidTo.IsZero() && !st.Withdrawn {
			continue
		}
		for i := range m.Claims {
			if was := m.Claims[i].State(); was.Subject == st.Subject && was.Predicate == st.Predicate && was.Object == st.Object {
				m.Claims[i].SetState(at, func(s *graph.ClaimState) {
					s.ValidTo, s.Withdrawn, s.RevisedBy = st.ValidTo, st.Withdrawn, st.RevisedBy
				})
			}
		}
	}
	return lifecycle.Reactivate(tx, m, at)
}
