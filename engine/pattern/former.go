package pattern

import (
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// weight is the number of sources that count for a view, with those that were superseded.
func (v *view) weight() int { return len(v.sources) + len(v.moved) }

// settle counts what was superseded for the view of what holds in its place. If that says nothing of the matter, nobody says so any more.
func (f *finder) settle(views []*view) {
	holds := map[graph.ID]*view{}
	for _, v := range views {
		for _, i := range v.sources {
			if s := f.sources[i]; s.Holder == "" {
				holds[s.ID] = v
			}
		}
	}
	for _, v := range views {
		v.sources = slices.DeleteFunc(v.sources, func(i int) bool {
			by := f.sources[i].Holder
			if by == "" || holds[by] == v {
				return false
			}
			if o := holds[by]; o != nil {
				o.moved = append(o.moved, i)
			} else {
				v.gone = append(v.gone, i)
			}
			return true
		})
	}
}

// lapse ends the stored patterns of a view that is no pattern any more, if most of what speaks of the matter says otherwise or was
// superseded. The pattern among those that contradict it which has most sources becomes the next version of the first of them.
// It reports whether there are some, and none ended.
func (f *finder) lapse(v *view, made map[*view]int, apart map[*view]bool) (stays bool) {
	known := slices.DeleteFunc(slices.Clone(v.known), func(k int) bool { return f.known[k].Ended })
	all := v.weight() + len(v.gone)
	next := -1
	for _, o := range v.against {
		if apart[o] {
			continue
		}
		all += o.weight()
		if i, also := made[o]; also && (next < 0 || len(f.found[i].Sources) > len(f.found[next].Sources)) {
			next = i
		}
	}
	if len(known) == 0 || 2*v.weight() >= all {
		return len(known) > 0
	}
	for _, k := range known {
		id := f.known[k].ID
		for _, i := range made {
			f.found[i].Conflicts = slices.DeleteFunc(f.found[i].Conflicts, func(x graph.ID) bool { return x == id })
		}
		switch {
		case next >= 0 && f.found[next].Known == id && f.found[next].Replaces: // it is its next version already
		case next >= 0 && f.found[next].Known == "":
			f.found[next].Known, f.found[next].Replaces = id, true
		default:
			f.refuse(v, fmt.Sprintf("%d of the %d members that speak of the matter say otherwise or were superseded", all-v.weight(), all), 0)
			f.refused[len(f.refused)-1].Lapsed = id
		}
	}
	return false
}
