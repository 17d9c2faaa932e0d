package grouping

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

const (
	maxSights = 8 // sights whose labels are kept
	// namespacesBeside is the largest number of namespaces of a user whose labels differ from each other.
	namespacesBeside = 8
	fallbackText     = 48 // bytes of the medoid that name a cluster without typical terms
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
			named, err := svc.labelsBeside(ctx, v, c.Owner)
			if err != nil {
				return nil, err
			}
			if len(cache.of) >= maxSights*max(1, len(v.t.book.ownerList())) {
				cache.of = nil
			}
			if cache.of == nil {
				cache.of = map[sightOwner]map[graph.ID]Label{}
			}
			for o, labels := range named {
				cache.of[sightOwner{key.sight, o}] = labels
			}
			known = named[c.Owner]
		}
		out[i] = known[c.ID]
	}
	return out, nil
}

// labelsBeside computes the labels of all clusters of an owner and, if these are few, of the namespaces of its user: no two
// of them have one label if there are nouns to tell them apart.
func (svc *Service) labelsBeside(ctx context.Context, v *View, o Owner) (map[Owner]map[graph.ID]Label, error) {
	of := map[Owner][]*group{}
	for _, g := range v.groups(func(x Owner) bool { return x.User == o.User }) {
		of[g.circle.owner] = append(of[g.circle.owner], g)
	}
	owners := slices.SortedFunc(maps.Keys(of), func(a, b Owner) int { return cmp.Compare(a.Namespace, b.Namespace) })
	if len(owners) > namespacesBeside {
		owners = []Owner{o}
	}
	out, taken := map[Owner]map[graph.ID]Label{o: {}}, map[string]bool{}
	for _, owner := range owners {
		labels, err := svc.labelsOf(ctx, v, of[owner], taken)
		if err != nil {
			return nil, err
		}
		out[owner] = labels
	}
	return out, nil
}

// labelsOf computes the labels of all clusters of an owner, which are typical in comparison with
// each other, and adds them to those that are taken.
func (svc *Service) labelsOf(ctx context.Context, v *View, groups []*group, taken map[string]bool) (map[graph.ID]Label, error) {
	texts := textsOfEach(len(groups))
	all := make([]unnamed, len(groups))
	for i, g := range groups {
		all[i] = unnamed{key: g.ID, members: sample(v, g, texts)}
	}
	named, err := svc.nameAll(ctx, v.scope, all, taken, shownPeople)
	if err != nil {
		return nil, err
	}
	out := make(map[graph.ID]Label, len(groups))
	for i, l := range named {
		out[groups[i].ID] = labelOf(l.ClusterLabel, l.medoid)
	}
	return out, nil
}

// sample returns at most n visible members that are spread over the cluster, the medoid first. Memories that joined since
// the sleep do not name a cluster, so it keeps its name until the next sleep, unless fewer than MinVisible others are visible.
func sample(v *View, g *group, n int) []graph.ID {
	var ids []graph.ID
	medoid, settled := 0, 0
	for m := range v.each(g) {
		if m.ID == g.Medoid {
			medoid = len(ids)
		}
		if m.Settled {
			settled++
		}
		ids = append(ids, m.ID)
	}
	if len(ids) == 0 {
		return nil
	}
	if settled >= MinVisible { // the settled members come first
		ids = ids[:settled]
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
