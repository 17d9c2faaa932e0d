package graph

import (
	"slices"
	"time"
)

// Usage says how often and when a memory was used.
type Usage struct {
	Count    int       // uses
	Days     []int32   // distinct UTC days of use (see Day), ascending
	Last     time.Time // last use; zero: never
	Since    int32     // first day of a use with a session; earlier days may be exposure. Valid if Sessions is not empty
	Sessions Sessions  // sessions of use
}

// Use is one use of a memory.
type Use struct {
	At       time.Time
	Sessions Sessions // in which it was used; none: not in a session
}

// With is the usage after one more use. It changes no slice of u.
func (u Usage) With(use Use) Usage {
	one := Usage{Count: 1, Days: []int32{Day(use.At)}, Last: Millis(use.At), Sessions: use.Sessions}
	if len(use.Sessions) > 0 {
		one.Since = Day(use.At)
	}
	return u.Plus(one)
}

// Plus is the usage after the uses of both. The order of additions does not matter. It changes
// no slice of either.
func (u Usage) Plus(o Usage) Usage {
	sum := Usage{Count: u.Count + o.Count, Days: u.Days, Last: u.Last, Since: u.Since, Sessions: u.Sessions.Union(o.Sessions)}
	if o.Last.After(sum.Last) {
		sum.Last = o.Last
	}
	if len(o.Sessions) > 0 && (len(u.Sessions) == 0 || o.Since < u.Since) {
		sum.Since = o.Since
	}
	for _, d := range o.Days {
		if i, found := slices.BinarySearch(sum.Days, d); !found {
			sum.Days = slices.Insert(slices.Clone(sum.Days), i, d)
		}
	}
	return sum
}

// Clone returns a usage with its own slices.
func (u Usage) Clone() Usage {
	u.Days, u.Sessions = slices.Clone(u.Days), slices.Clone(u.Sessions)
	return u
}

// CertainDays are the days of use from the first use with a session on. Before that, a store of
// an earlier version may have counted what was only shown.
func (u Usage) CertainDays() []int32 {
	if len(u.Sessions) == 0 {
		return nil
	}
	i, _ := slices.BinarySearch(u.Days, u.Since)
	return u.Days[i:]
}

// MaxSessions is the largest number of sessions that a usage distinguishes.
const MaxSessions = 8

// Sessions is a set of hashes of sessions, ascending. Of more than MaxSessions it holds the
// smallest, so that a union does not depend on its order.
type Sessions []uint64

// Union is the union of two sets. It changes neither.
func (s Sessions) Union(o Sessions) Sessions {
	if len(o) == 0 {
		return s
	}
	all := slices.Concat(s, o)
	slices.Sort(all)
	all = slices.Compact(all)
	return all[:min(len(all), MaxSessions):min(len(all), MaxSessions)]
}

// Has reports whether a session is in the set.
func (s Sessions) Has(session uint64) bool {
	_, found := slices.BinarySearch(s, session)
	return found
}

// UsesWaiter is a store that adds counted uses to memories later.
type UsesWaiter interface {
	// UsesWaiting is the number of counted uses that are not added yet; several of one memory may
	// count as one.
	UsesWaiting() int
}
