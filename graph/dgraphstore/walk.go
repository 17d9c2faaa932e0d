package dgraphstore

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Dgraph answers in the order of its own uids and can page in no other without sorting
// all there is. A walk goes over the keys of a kind in the order of their ids all the
// same: an id begins with its instant, so a stretch of time is a range of keys, and
// ranges follow one another. Only as many keys are read as a few pages hold.

// shortList is how many rows are sorted at once rather than walked over.
const shortList = 4096

// stretch is what a walk goes over.
type stretch struct {
	predicate string   // of the keys
	ks        keyspace // that they begin with
	filter    string   // predicate that must have one of the values; "" for all
	values    []string
	count     int64 // about how many keys there are
	oldest    int64 // milliseconds, of the first and the last id
	newest    int64
}

// walk calls take with ids in the order asked for, behind after, until it answers
// false or there are no more.
func (r *reader) walk(s stretch, after graph.ID, descending bool, want int, take func([]graph.ID) (bool, error)) error {
	from, to := s.oldest, s.newest
	if after != "" {
		if ms := millisOf(after); descending {
			to = min(to, ms)
		} else {
			from = max(from, ms)
		}
	}
	span := s.newest - s.oldest + 1
	if s.count > int64(r.store.short) {
		span = max(1, span*2*int64(want)/s.count)
	}
	for from <= to {
		begin, end := from, min(to, from+span-1)
		if descending {
			begin, end = max(from, to-span+1), to
		}
		ids, err := r.between(s, begin, end)
		if err != nil {
			return err
		}
		found := len(ids)
		ids = slices.DeleteFunc(ids, func(id graph.ID) bool {
			return after != "" && (descending && id >= after || !descending && id <= after)
		})
		slices.Sort(ids)
		if descending {
			slices.Reverse(ids)
		}
		if more, err := take(ids); err != nil || !more {
			return err
		}
		if descending {
			to = begin - 1
		} else {
			from = end + 1
		}
		span = nextSpan(span, found, want)
	}
	return nil
}

// nextSpan is how long the next stretch is, so that it holds about two pages.
func nextSpan(span int64, found, want int) int64 {
	switch {
	case found*2 < want:
		return min(4*span, 1<<48)
	case found > 4*want:
		return max(1, span*2*int64(want)/int64(found))
	}
	return span
}

// between reads the ids of a stretch of time, both ends included.
func (r *reader) between(s stretch, begin, end int64) ([]graph.ID, error) {
	if err := r.scan(); err != nil {
		return nil, err
	}
	vars := map[string]string{"$a": string(s.ks) + idPrefix(begin), "$b": string(s.ks) + idPrefix(end) + "~"}
	declared, filter := "", ""
	if s.filter != "" {
		d, named := list("v", s.values, vars)
		declared, filter = ", "+d, " @filter(eq("+s.filter+", "+named+"))"
		if s.filter == mentions {
			filter = " @filter(uid_in(" + mentions + ", $v0))"
		}
	}
	var answer struct{ Q []struct{ Key string } }
	text := "query q($a: string, $b: string" + declared + ") { q(func: between(" + s.predicate + ", $a, $b))" + filter + " { key: " + s.predicate + " } }"
	if err := r.ask(r.ctx, text, vars, &answer); err != nil {
		return nil, err
	}
	ids := make([]graph.ID, 0, len(answer.Q))
	for _, q := range answer.Q {
		id, err := s.ks.id(q.Key)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, nil
}
