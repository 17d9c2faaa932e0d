package recall

import (
	"cmp"
	"context"
	"slices"

	"github.com/somnograph/somnograph/graph"
)

const (
	maxClusters     = 20   // clusters that match a question
	fewHits         = 3    // hits above the floor from which clusters add none
	clustersLooked  = 3    // clusters in which members are looked for if there are few hits
	membersWeighed  = 50   // candidates of those clusters that are compared with the question
	clusterPool     = 1000 // candidates per channel if only members of clusters answer
	bestClusterPart = 0.5  // share of the best score from which a cluster answers a search for clusters only
)

// nearClusters returns the clusters whose centroids are as near to the question as a memory above the
// floor is, with the cosine on the scale of the built-in embedder.
func (q *query) nearClusters(ctx context.Context, k int) []ClusterHit {
	if q.clusters == nil || q.ask.Vector == nil || q.floor == 0 {
		return nil
	}
	var candidates map[graph.ID]bool // clusters with a candidate; nil: all
	if !q.reachesAll() {
		candidates = map[graph.ID]bool{}
		for i := range q.kept {
			candidates[q.clusters.Filed(q.kept[i].Doc.ID)] = true
		}
	}
	var out []ClusterHit
	for _, x := range q.clusters.Nearest(ctx, q.ask.Vector, q.ownersSearched(), k) {
		c := q.scale.apply(x.Cosine)
		if c >= q.floor && (candidates == nil || candidates[x.ID]) && q.clusters.Shows(x.ID) {
			out = append(out, ClusterHit{x.ID, min(1, c)})
		}
	}
	return out
}

// matchingClusters returns the clusters that match the question, the best first, by the centroids
// and the hits; see SearchResult.Clusters.
func (q *query) matchingClusters(ctx context.Context, hits []scored) []ClusterHit {
	if q.clusters == nil || len(hits) == 0 {
		return nil
	}
	score := map[graph.ID]float64{}
	for _, x := range q.nearClusters(ctx, maxClusters) {
		score[x.ID] = x.Score
	}
	best := map[graph.ID]float64{}
	for i := range hits {
		for in, share := range q.clustersOf(hits[i].Doc) {
			best[in] = max(best[in], share*hits[i].relevance)
		}
	}
	for in, r := range best {
		score[in] = 1 - (1-score[in])*(1-r)
	}
	out := make([]ClusterHit, 0, len(score))
	for id, s := range score {
		out = append(out, ClusterHit{id, s})
	}
	slices.SortFunc(out, func(a, b ClusterHit) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID)) })
	return out[:min(maxClusters, len(out))]
}

// addMembers adds members of clusters to an answer with fewer than fewHits hits above the floor: of
// the clusters of these hits first, then of those nearest to the question. A member must be above the
// floor itself, unless no hit is: then the centroid of its cluster is; or it is in the cluster of a hit, has a word of the
// question, and there are fewer than fewHits hits. If nothing answers the question, nothing is added.
func (svc *Service) addMembers(ctx context.Context, q *query, hits []scored) ([]scored, error) {
	if !q.searchesMembers() || len(hits) == 0 {
		return hits, nil
	}
	among := map[graph.ID]bool{}
	in, above := map[graph.ID]bool{}, 0
	for i := range hits {
		k := &hits[i]
		for _, id := range q.standsFor(k.Doc) {
			among[id] = true
		}
		if !k.aboveFloor {
			continue
		}
		above++
		for c := range q.clustersOf(k.Doc) {
			in[c] = true
		}
	}
	wanted := min(fewHits-above, q.in.TopK-len(hits))
	add := func(in map[graph.ID]bool) {
		members := svc.membersOf(ctx, q, in, among, above > 0)
		for i := range members[:min(wanted, len(members))] {
			if !members[i].aboveFloor && above > 0 && len(hits) >= fewHits {
				break
			}
			members[i].throughCluster, among[members[i].Doc.ID] = true, true
			hits = append(hits, members[i])
			wanted--
		}
	}
	if wanted > 0 {
		add(in)
	}
	if wanted > 0 { // comparing the question with every centroid takes longer
		near := map[graph.ID]bool{}
		for _, x := range q.nearClusters(ctx, clustersLooked) {
			if !in[x.ID] {
				near[x.ID] = false
			}
		}
		add(near)
	}
	if q.in.Order == OrderScore {
		bestFirst(hits)
	}
	return hits, ctx.Err()
}

// membersOf returns the candidates that are in some clusters and not among the hits, the most relevant
// first, all or only those above the floor, and of the clusters of hits, which in says, those with a word of the question.
func (svc *Service) membersOf(ctx context.Context, q *query, in map[graph.ID]bool, among map[graph.ID]bool, floor bool) []scored {
	if len(in) == 0 {
		return nil
	}
	var members []scored
	for i := range q.kept {
		k := &q.kept[i]
		if _, looked := in[q.clusters.Filed(k.Doc.ID)]; looked && len(members) < membersWeighed && !among[k.Doc.ID] && k.Doc.Pattern == "" && k.active {
			members = append(members, *k)
		}
	}
	members = searchable(q, members)
	if len(members) == 0 {
		return nil
	}
	svc.weigh(ctx, q, members)
	shares := func(k scored) bool { return in[q.clusters.Filed(k.Doc.ID)] && k.coverage > 0 }
	members = slices.DeleteFunc(members, func(k scored) bool { return floor && !k.aboveFloor && !shares(k) || q.marked[k.Doc.ID] > 0 })
	slices.SortStableFunc(members, func(a, b scored) int { return cmp.Compare(b.relevance, a.relevance) })
	return members
}

// onlyMembers keeps of the candidates the members of the clusters that match the question best.
func (svc *Service) onlyMembers(ctx context.Context, q *query) {
	if q.in.TierPreference != ClustersOnly {
		return
	}
	q.unlike = nil
	if q.clusters == nil || len(q.kept) == 0 {
		q.kept = nil
		return
	}
	var matching []ClusterHit
	if q.in.Query != "" {
		pool := slices.Clone(q.kept[:min(membersWeighed, len(q.kept))])
		svc.weigh(ctx, q, pool)
		matching = q.matchingClusters(ctx, slices.DeleteFunc(pool, func(k scored) bool { return !k.aboveFloor }))
		if len(matching) == 0 {
			matching = q.nearClusters(ctx, maxClusters)
		}
	}
	best := map[graph.ID]bool{}
	for _, x := range matching {
		best[x.ID] = x.Score >= bestClusterPart*matching[0].Score
	}
	q.kept = slices.DeleteFunc(q.kept, func(k scored) bool {
		in := q.clusterOf(k.Doc.ID)
		return in == "" || q.in.Query != "" && !best[in]
	})
	for i := range q.kept {
		q.kept[i].throughCluster = true
	}
}
