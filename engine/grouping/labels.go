package grouping

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

const (
	textsOfOwner = 8192 // texts that the labels of an owner's clusters are made from
	mostTexts    = 64   // texts of one cluster
	leastTexts   = 8    // texts of one cluster if the owner has many
	maxSights    = 8    // sights whose labels are kept
	fallbackText = 48   // bytes of the medoid that name a cluster without typical terms
)

// Label says in words what a cluster is about.
type Label struct {
	Text  string // in sentence case
	Terms []Term // the most typical first
}

// Term is a term that sets a cluster apart.
type Term struct {
	Text   string
	Weight float64 // relative to the most typical one, (0,1]
	Count  int     // members with it, among those that were read
}

// labelCache keeps the labels of clusters by what a sight shows, until a settlement or an erasure.
type labelCache struct {
	mu sync.Mutex
	of map[sightOwner]map[graph.ID]Label
}

// sightOwner is an owner as one sight shows it.
type sightOwner struct {
	sight string
	owner Owner
}

func (c *labelCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of = nil
}

// labels returns the labels of clusters, in their order.
func (svc *Service) labels(ctx context.Context, v *View, all []Cluster) ([]Label, error) {
	cache := &v.t.labels
	cache.mu.Lock()
	defer cache.mu.Unlock()
	out := make([]Label, len(all))
	for i, c := range all {
		key := sightOwner{v.scope.Sight.Key(), c.Owner}
		known, ok := cache.of[key]
		if !ok {
			var err error
			if known, err = svc.labelsOf(ctx, v, c.Owner); err != nil {
				return nil, err
			}
			if len(cache.of) >= maxSights*max(1, len(v.t.book.ownerList())) {
				cache.of = nil
			}
			if cache.of == nil {
				cache.of = map[sightOwner]map[graph.ID]Label{}
			}
			cache.of[key] = known
		}
		out[i] = known[c.ID]
	}
	return out, nil
}

// labelsOf computes the labels of all clusters of an owner, which are typical in comparison with
// each other.
func (svc *Service) labelsOf(ctx context.Context, v *View, o Owner) (map[graph.ID]Label, error) {
	groups := v.groups(func(x Owner) bool { return x == o })
	texts := max(leastTexts, min(mostTexts, textsOfOwner/max(1, len(groups))))
	counts := make([]*cluster.Terms, len(groups))
	medoids := make([]string, len(groups))
	err := svc.Store.View(ctx, v.scope, func(r graph.Reader) error {
		for i, g := range groups {
			ids := sample(v, g, texts)
			found, err := r.Memories(ids)
			if err != nil {
				return err
			}
			counts[i] = cluster.NewTerms()
			for k, m := range found {
				if m == nil {
					continue
				}
				counts[i].Add(m.Content)
				if k == 0 {
					medoids[i] = m.Content
				}
			}
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := cluster.NewTerms()
	all.Merge(counts...)
	out := make(map[graph.ID]Label, len(groups))
	taken := map[string]bool{}
	for _, i := range largestFirst(groups, counts) {
		l := cluster.Label(cluster.LabelInput{Members: counts[i], All: all, Classes: len(groups), Medoid: medoids[i], Taken: taken})
		taken[l.Text] = true
		out[groups[i].ID] = labelOf(l, medoids[i])
	}
	return out, nil
}

// largestFirst returns the places of groups: those with the most visible texts first, then by id. Of
// clusters with one label, the first keeps it.
func largestFirst(groups []*group, counts []*cluster.Terms) []int {
	order := make([]int, len(groups))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(counts[b].Texts()-counts[a].Texts(), cmp.Compare(groups[a].ID, groups[b].ID))
	})
	return order
}

// sample returns at most n visible members that are spread over the cluster, the medoid first.
func sample(v *View, g *group, n int) []graph.ID {
	var ids []graph.ID
	medoid := 0
	for m := range v.each(g) {
		if m.ID == g.Medoid {
			medoid = len(ids)
		}
		ids = append(ids, m.ID)
	}
	if len(ids) == 0 {
		return nil
	}
	out := []graph.ID{ids[medoid]}
	for i := 0; i < len(ids) && len(out) < n; i += max(1, len(ids)/n) {
		if i != medoid {
			out = append(out, ids[i])
		}
	}
	return out
}

// labelOf converts a label. A cluster whose members have no typical term is named by the beginning
// of its medoid.
func labelOf(l cluster.ClusterLabel, medoid string) Label {
	out := Label{Text: l.Text}
	for _, t := range l.Terms {
		out.Terms = append(out.Terms, Term{Text: t.Text, Weight: t.Weight / l.Terms[0].Weight, Count: t.Members})
	}
	if out.Text != "" || medoid == "" {
		return out
	}
	first, _, _ := strings.Cut(strings.TrimSpace(medoid), "\n")
	if out.Text = workspace.Truncate(first, fallbackText); len(out.Text) < len(first) {
		if at := strings.LastIndexByte(out.Text, ' '); at > 0 {
			out.Text = out.Text[:at]
		}
		out.Text += "…"
	}
	return out
}
