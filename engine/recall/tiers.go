package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/somnograph/somnograph/engine/grouping"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/rank"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// A search looks at three tiers: patterns, clusters and memories. Patterns are memories, so the same
// recall of the index finds them. Clusters are in memory: they say in which cluster a hit is, and
// add members to an answer with few hits.

const (
	maxPatterns  = 3    // patterns in an answer
	standsFor    = 0.9  // share of the score and the match of a source from which on a pattern stands for it
	leadsFrom    = 0.25 // relevance from which on a preferred pattern comes before all other hits
	leadsShare   = 0.4  // and its share of the best relevance
	saidFrom     = 0.38 // and the relevance that it or one of its sources must have
	saidShare    = 0.45 // and its share of the best
	patternAlone = 0.9  // how well a pattern must fit the question to be the only hit of a FAST search
)

// openClusters opens the clusters that the caller sees. A read of the past has none. If they can't be
// read, the search goes on without them and names the store, from which they come.
func (svc *Service) openClusters(ctx context.Context, q *query) error {
	if !q.in.Access.AsOf.IsZero() {
		return nil
	}
	v, err := svc.groups.Latest(ctx, q.t.Tenant)
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		svc.Log.WarnContext(ctx, "[READ] clusters are not available; searching without them", "error", err)
		q.lack(workspace.PartStore)
	case v.Version() != "":
		q.clusters = v
	}
	return nil
}

// clusterOf returns the cluster of a memory; empty: none.
func (q *query) clusterOf(id graph.ID) graph.ID {
	if q.clusters == nil {
		return ""
	}
	cluster, _, _ := q.clusters.Of(id)
	return cluster
}

// clustersOf returns the clusters of a hit, with its share in each: 1 in that of a memory; of a pattern, the share of its sources
// in any cluster that are in this one.
func (q *query) clustersOf(d *index.Doc) map[graph.ID]float64 {
	share, filed := map[graph.ID]float64{}, 0.0
	for _, id := range q.standsFor(d) {
		if in := q.clusterOf(id); in != "" {
			share[in]++
			filed++
		}
	}
	for in := range share {
		share[in] /= filed
	}
	return share
}

// standsFor returns the ids of a memory and, of a pattern, of its sources: it says what they say.
func (q *query) standsFor(d *index.Doc) []graph.ID {
	return append(slices.Clone(q.drawn[d.ID].IDs), d.ID)
}

// searchesMembers reports whether the search may add members of clusters to few hits.
func (q *query) searchesMembers() bool {
	p := q.in.TierPreference
	return q.clusters != nil && q.in.Query != "" && (p == TiersAuto || p == PatternsFirst)
}

// rankTiers ranks the candidates and drops the patterns that are too many. The rank of a pattern depends on its sources if the
// question is about the user. Then a pattern counts as about the user until its sources are known. That is the best it can be, so
// only the sources of the best ones decide which are kept.
func (svc *Service) rankTiers(ctx context.Context, q *query, candidates []index.Candidate) error {
	q.asked = whoIsAsked(q.in.Query, candidates)
	if q.drawn == nil { // a second look knows what the first one read
		q.drawn = lifecycle.Drawn{}
	}
	read := func(some []*index.Doc) error { return svc.readSources(ctx, q, some) }
	if err := q.rankKnowing(candidates, read); err != nil {
		return err
	}
	return read(docsOf(q.kept))
}

// rankKnowing ranks the candidates and drops the patterns that are too many. read reads the sources of patterns.
func (q *query) rankKnowing(candidates []index.Candidate, read func([]*index.Doc) error) error {
	q.supposed = q.asksUser()
	defer func() { q.supposed = false }()
	kept := q.scored(candidates)
	for q.supposed {
		best := q.undrawn(kept)
		if len(best) == 0 {
			break
		}
		if err := read(best); err != nil {
			return err
		}
		q.score(kept)
	}
	q.answersFirst(kept)
	bestFirst(kept)
	q.kept = kept
	q.keepPatterns()
	if q.supposed {
		return read(docsOf(q.unlike))
	}
	return nil
}

// asksUser reports a question about the user.
func (q *query) asksUser() bool { return q.asked.agent == "" && q.asked.kind == graph.FromUser }

// undrawn returns the patterns whose sources must be known before the best maxPatterns of all are: those of them, by a rank that the
// rest can't exceed, and those with a claim that answers the question, which are moved.
func (q *query) undrawn(kept []scored) []*index.Doc {
	var order []*scored
	for i := range kept {
		if kept[i].Doc.Pattern != "" {
			order = append(order, &kept[i])
		}
	}
	slices.SortFunc(order, byScore)
	var out []*index.Doc
	for i, k := range order {
		if _, known := q.drawn[k.Doc.ID]; !known && (i < maxPatterns || q.facts[k.Doc.ID]) {
			out = append(out, k.Doc)
		}
	}
	return out
}

// readSources reads the sources of the patterns among some memories, unless they are known.
func (svc *Service) readSources(ctx context.Context, q *query, among []*index.Doc) error {
	about := func(id graph.ID) (user, seen bool) {
		d, seen := svc.Index.Doc(q.t.Scope, id)
		return seen && d.AboutUser, seen
	}
	for _, d := range among {
		if _, known := q.drawn[d.ID]; known || d.Pattern == "" {
			continue
		}
		ids, err := q.t.sources.of(ctx, q.t.Whole(), d.ID)
		if err != nil {
			return err
		}
		q.drawn.Put(d.ID, ids, about)
	}
	return nil
}

// aboutUser reports whether a memory, or most of what a pattern was drawn from, is about the user.
func (q *query) aboutUser(d *index.Doc) bool {
	if d.AboutUser || d.Pattern == "" {
		return d.AboutUser
	}
	from, known := q.drawn[d.ID]
	return from.AboutUser || q.supposed && !known
}

// keepPatterns drops the patterns from the candidates except the best maxPatterns, or all if the
// search wants none.
func (q *query) keepPatterns() {
	left := maxPatterns
	if q.in.TierPreference == MemoriesOnly || q.in.TierPreference == ClustersOnly {
		left = 0
	}
	drop := func(k scored) bool {
		if k.Doc.Pattern != "" {
			left--
		}
		return k.Doc.Pattern != "" && left < 0
	}
	q.kept = slices.DeleteFunc(q.kept, drop)
	q.unlike = slices.DeleteFunc(q.unlike, drop)
}

// sourcesLast divides candidates, the best first, into those that stand first and the sources of a pattern that fits the
// question about as well: what they say the pattern says. The pattern takes the place of the best of them.
func (q *query) sourcesLast(pool []scored) (first, later []scored) {
	if !slices.ContainsFunc(pool, func(k scored) bool { return k.Doc.Pattern != "" }) {
		return pool, nil
	}
	pattern := map[graph.ID]*scored{} // by source
	for i := range pool {
		for _, source := range q.drawn[pool[i].Doc.ID].IDs {
			if pattern[source] == nil { // the best pattern comes first
				pattern[source] = &pool[i]
			}
		}
	}
	for i := range pool {
		k := &pool[i]
		if p := pattern[k.Doc.ID]; p != nil && p.score >= standsFor*k.score && matches(p) >= standsFor*matches(k) {
			k.sourceOf, p.stands = p.Doc.ID, max(p.stands, k.score)
		}
	}
	for _, k := range pool {
		if k.sourceOf != "" {
			later = append(later, k)
		} else {
			first = append(first, k)
		}
	}
	slices.SortStableFunc(first, func(a, b scored) int { return cmp.Compare(b.place(), a.place()) })
	return first, later
}

// place is the score by which a candidate is ordered: its own, or that of the best source for which it stands.
func (k *scored) place() float64 { return max(k.score, k.stands) }

// matches is how well a candidate fits the question, without recency and importance.
func matches(k *scored) float64 { return k.parts.Semantic + k.parts.Keyword }

// withPatterns puts the patterns among the candidates first if the search prefers them. Those that
// turn out to be below the floor lose their place later, see patternsFirst.
func (q *query) withPatterns(chosen []scored) []scored {
	if q.in.TierPreference != PatternsFirst {
		return chosen
	}
	out := slices.DeleteFunc(slices.Clone(q.kept), func(k scored) bool { return k.Doc.Pattern == "" })
	out = append(out, slices.DeleteFunc(slices.Clone(chosen), func(k scored) bool { return k.Doc.Pattern != "" })...)
	return out[:min(len(out), q.in.TopK)]
}

// preferred reports whether a hit is a pattern that the search prefers, and has to do with the
// question. The ratio does not cut it.
func (q *query) preferred(k scored) bool {
	return q.in.TierPreference == PatternsFirst && k.Doc.Pattern != "" && k.aboveFloor
}

// patternsFirst puts preferred patterns of enough relevance before all other hits, and the other patterns of such a search after them. If a pattern
// answers a FAST search so well that nothing else is needed, it returns that one alone. Of two patterns that contradict each other
// the more confident one comes first.
func (svc *Service) patternsFirst(ctx context.Context, q *query, hits []scored) ([]scored, error) {
	if err := svc.outrankPatterns(ctx, q, hits); err != nil {
		return nil, err
	}
	if alone, err := svc.answersAlone(ctx, q, hits); alone != nil || err != nil {
		return alone, err
	}
	if q.in.TierPreference != PatternsFirst {
		return q.confidentFirst(hits), nil
	}
	said := func(k scored) (best float64) { // of a pattern and its sources: one word in common is not enough
		for _, h := range hits {
			if slices.Contains(q.standsFor(k.Doc), h.Doc.ID) {
				best = max(best, h.relevance)
			}
		}
		return best
	}
	place := func(k scored) int {
		switch {
		case q.preferred(k) && k.relevance >= max(leadsFrom, leadsShare*q.best) && said(k) >= max(saidFrom, saidShare*q.best):
			return 0
		case k.Doc.Pattern == "":
			return 1
		}
		return 2
	}
	hits = slices.Clone(hits)
	slices.SortStableFunc(hits, func(a, b scored) int { return place(a) - place(b) })
	return q.confidentFirst(hits), nil
}

// outranking is a pattern that contradicts another hit and is more confident.
type outranking struct {
	scored
	weak graph.ID
}

// outrankPatterns finds the patterns that contradict patterns among the hits and are more confident, the most confident first. No
// channel need have found them, but they must pass the filter of the search.
func (svc *Service) outrankPatterns(ctx context.Context, q *query, hits []scored) error {
	mayBe := func(k scored) bool {
		return k.active && k.Doc.Pattern != "" && lifecycle.MayBeContested(k.Doc.Conflict, true)
	}
	if !slices.ContainsFunc(hits, mayBe) {
		return nil
	}
	err := q.t.View(ctx, func(r graph.Reader) error {
		q.outranked = nil
		for _, k := range hits {
			if !mayBe(k) {
				continue
			}
			found, err := lifecycle.MoreConfident(r, k.Doc.ID, q.at, maxRivals)
			if err != nil {
				return err
			}
			for _, m := range found {
				if strong, ok := svc.candidate(q, m.ID); ok && strong.active {
					q.outranked = append(q.outranked, outranking{strong, k.Doc.ID})
				}
			}
		}
		return nil
	})
	if err != nil || !q.asksUser() {
		return err
	}
	for _, x := range q.outranked {
		if err := svc.readSources(ctx, q, []*index.Doc{x.Doc}); err != nil {
			return err
		}
	}
	return nil
}

// confidentFirst puts each pattern that outranks a hit before it, unless the hits are ordered by score.
func (q *query) confidentFirst(hits []scored) []scored {
	if q.in.Order == OrderScore {
		return hits
	}
	for _, x := range q.outranked {
		hits = inFront(slices.Clone(hits), x.scored, x.weak, max(len(hits), q.in.TopK))
	}
	return hits
}

// answersAlone returns the pattern that is the whole answer of a FAST search, or nil: the most
// relevant hit, or the more confident pattern that contradicts it, contested by nothing and standing (see [lifecycle.Stands]), whose own vector, words and coverage fit the question by
// patternAlone or more, see rank.Evidence. The semantic part of a hit also has its neighbours, and
// a pattern has none.
func (svc *Service) answersAlone(ctx context.Context, q *query, hits []scored) ([]scored, error) {
	if q.in.Effort != EffortFast || q.ask.Vector == nil || len(hits) == 0 {
		return nil, nil
	}
	best := 0
	for i, k := range hits {
		if k.relevance > hits[best].relevance || k.relevance == hits[best].relevance && k.Doc.Pattern != "" && hits[best].Doc.Pattern == "" {
			best = i
		}
	}
	if i := slices.IndexFunc(q.outranked, func(x outranking) bool { return x.weak == hits[best].Doc.ID }); i >= 0 { // the more confident one answers, if it was found
		if best = slices.IndexFunc(hits, func(k scored) bool { return k.Doc.ID == q.outranked[i].Doc.ID }); best < 0 {
			return nil, nil
		}
	}
	k := hits[best]
	if k.Doc.Pattern == "" || !k.active || k.Doc.Conflict > lifecycle.ContestedAbove {
		return nil, nil
	}
	vectors, err := svc.Index.Vectors(ctx, q.t.Scope, docsOf(hits[best:best+1]))
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, nil // the vectors are not available, so the other hits answer too
	}
	if len(vectors[0]) != len(q.ask.Vector) {
		return nil, nil // it is not embedded yet
	}
	e := rank.Evidence{Semantic: q.scale.apply(max(0, index.Cosine(vectors[0], q.ask.Vector))), Keyword: k.parts.Keyword, Coverage: k.coverage}
	if k.alone = e.Weighted(); k.alone < patternAlone {
		return nil, nil
	}
	stands := false
	err = q.t.View(ctx, func(r graph.Reader) (err error) {
		stands, err = lifecycle.Stands(r, k.Doc.ID, q.now)
		return err
	})
	if known, err := graph.Found(err); !known || !stands {
		return nil, err
	}
	return []scored{k}, nil
}

// tierOf returns the tier of a chosen candidate.
func (q *query) tierOf(k scored) HitTier {
	switch {
	case k.Doc.Pattern != "":
		return TierPattern
	case k.throughCluster:
		return TierCluster
	}
	return TierMemory
}

// countTiers counts hits by tier.
func countTiers(hits []Hit) (n TierCounts) {
	for _, h := range hits {
		switch h.Tier {
		case TierPattern:
			n.Patterns++
		case TierCluster:
			n.Clusters++
		default:
			n.Memories++
		}
	}
	return n
}

// explainTier adds what the tiers did with a hit to its explanation.
func (q *query) explainTier(ctx context.Context, x *rank.Explanation, k scored, m *graph.Memory) *rank.Explanation {
	add := func(value float64, format string, args ...any) {
		x.Children = append(x.Children, &rank.Explanation{Value: value, Message: fmt.Sprintf(format, args...)})
	}
	if p := m.Pattern; p != nil {
		add(p.Confidence, "pattern of %d memories, confidence %.2f", p.Occurrences, p.Confidence)
	}
	if k.alone > 0 {
		add(k.alone, "answers alone: 0.4 · cosine of its own vector + 0.4 · keyword + 0.2 · share of the question's words is at least %.1f", patternAlone)
	}
	if k.sourceOf != "" {
		add(0, "a source of the pattern %s, which stands for it; other hits come first", k.sourceOf)
	}
	if q.clusters != nil {
		if cluster, in, ok := q.clusters.Of(m.ID); ok {
			how := ""
			if k.throughCluster {
				how = ", found through it"
			}
			add(in.Strength, "in the cluster %q%s; the value is its strength there: 1 at the centre, about ½ at the edge", q.clusters.Name(ctx, cluster), how)
		}
	}
	return x
}

// ownersSearched returns the filter of owners for the namespaces and users of the search.
func (q *query) ownersSearched() func(grouping.Owner) bool {
	f := q.ask.Filter
	return func(o grouping.Owner) bool {
		return (len(f.Namespaces) == 0 || slices.Contains(f.Namespaces, o.Namespace)) && (len(f.Users) == 0 || slices.Contains(f.Users, o.User))
	}
}

// reachesAll reports whether the search sees every member of the clusters of its owners, apart from
// the sight. Otherwise a cluster counts only if a candidate is in it.
func (q *query) reachesAll() bool {
	return !q.narrowed() && len(q.in.Types)+len(q.in.Access.Consents()) == 0
}
