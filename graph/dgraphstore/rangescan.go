package dgraphstore

import (
	"slices"

	"github.com/somnograph/somnograph/graph"
)

// Dgraph returns results in the order of its own uids, and can page in another order only by
// sorting everything. A range scan reads the keys of a kind in the order of their ids: an id
// begins with its instant, so a span of time is a range of keys. It reads about as many keys
// as a few pages hold.

// maxSortedRows is how many rows are sorted at once instead of scanned in ranges.
const maxSortedRows = 4096

// keyRange is the range of a scan.
type keyRange struct {
	predicate string   // of the keys
	keyspace  keyspace // prefix of the keys
	filter    string   // predicate that must have one of the values; "" for none
	values    []string
	count     int64 // approximate number of keys
	oldest    int64 // milliseconds, of the first and the last id
	newest    int64
}

// keyRange is the range of all keys of a kind in the tenant.
func (head tenantHead) keyRange(predicate string, ks keyspace, count int64) keyRange {
	return keyRange{predicate: predicate, keyspace: ks, count: count, oldest: head.Oldest, newest: head.Newest}
}

// rangeScan calls take with ids in the requested order, after the given id, until it returns
// false or there are no more.
func (r *reader) rangeScan(scan keyRange, after graph.ID, descending bool, want int, take func([]graph.ID) (bool, error)) error {
	from, to := scan.oldest, scan.newest
	if after != "" {
		if ms := idMillis(after); descending {
			to = min(to, ms)
		} else {
			from = max(from, ms)
		}
	}
	span := scan.newest - scan.oldest + 1
	if scan.count > int64(r.store.shortList) {
		span = max(1, span*2*int64(want)/scan.count)
	}
	for from <= to {
		begin, end := from, min(to, from+span-1)
		if descending {
			begin, end = max(from, to-span+1), to
		}
		ids, err := r.idsInSpan(scan, begin, end)
		if err != nil {
			return err
		}
		found := len(ids)
		ids = slices.DeleteFunc(ids, func(id graph.ID) bool { return !graph.Follows(id, after, descending) })
		graph.SortIDs(ids, descending)
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

// nextSpan is the length of the next span, so that it holds about two pages.
func nextSpan(span int64, found, want int) int64 {
	switch {
	case found*2 < want:
		return min(4*span, 1<<48)
	case found > 4*want:
		return max(1, span*2*int64(want)/int64(found))
	}
	return span
}

// idsInSpan reads the ids of a span of time, both ends included.
func (r *reader) idsInSpan(scan keyRange, begin, end int64) ([]graph.ID, error) {
	if err := r.scanRead(); err != nil {
		return nil, err
	}
	vars := map[string]string{"$a": scan.keyspace.prefix + idPrefix(begin), "$b": scan.keyspace.prefix + idPrefix(end) + "~"}
	declared, filter := "", ""
	if scan.filter != "" {
		d, named := variables("v", scan.values, vars)
		declared, filter = ", "+d, " @filter(eq("+scan.filter+", "+named+"))"
		if scan.filter == mentionsPredicate {
			filter = " @filter(uid_in(" + mentionsPredicate + ", $v0))"
		}
	}
	text := "query q($a: string, $b: string" + declared + ") { q(func: between(" + scan.predicate + ", $a, $b))" + filter + " { key: " + scan.predicate + " } }"
	return r.queryIDs(scan.keyspace, text, vars)
}

// foundKey is a key in the result of a query.
type foundKey struct{ Key string }

// queryIDs runs a query for keys of a keyspace and returns their ids.
func (r *reader) queryIDs(ks keyspace, text string, vars map[string]string) ([]graph.ID, error) {
	var answer struct{ Q []foundKey }
	if err := r.runQuery(r.ctx, text, vars, &answer); err != nil {
		return nil, err
	}
	return ks.parseIDs(answer.Q)
}

// parseIDs returns the ids that keys of the keyspace end with.
func (ks keyspace) parseIDs(keys []foundKey) ([]graph.ID, error) {
	ids := make([]graph.ID, len(keys))
	for i, k := range keys {
		var err error
		if ids[i], err = ks.parseID(k.Key); err != nil {
			return nil, err
		}
	}
	return ids, nil
}
