package grouping

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

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
	Text    string // in sentence case
	Terms   []Term // the most typical first
	Summary string // the same in sentences, see summaryOf; empty: there is neither a text nor a term
}

// Term is a term that sets a cluster apart.
type Term struct {
	Text   string
	Weight float64 // relative to the most typical one, (0,1]
	Count  int     // members with it, among those that were read
}

// labelCache keeps the labels of clusters by what a sight shows, until a settlement or an erasure. They are made again when the memories
// that name the clusters are others, so that they depend on what is visible now, and not on when something was erased.
type labelCache struct {
	mu sync.Mutex
	of map[sightOwner]*seenLabels
}

// seenLabels are the labels of the clusters of some owners, as one sight shows them.
type seenLabels struct {
	upto    graph.Cursor            // the samples are right up to this position of the feed,
	until   time.Time               // and until a member expires; zero: never
	samples map[graph.ID][]graph.ID // by cluster: the members that name it
	labels  map[Owner]map[graph.ID]Label
}

// fresh reports whether nothing has changed since the samples were taken.
func (x *seenLabels) fresh(upto graph.Cursor, now time.Time) bool {
	return x != nil && x.upto == upto && (x.until.IsZero() || now.Before(x.until))
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
		known := cache.of[key]
		if !known.fresh(v.t.book.position(), v.now) {
			var err error
			if known, err = svc.renew(ctx, v, c.Owner, known); err != nil {
				return nil, err
			}
			if _, kept := cache.of[key]; !kept && len(cache.of) >= maxSights*max(1, len(v.t.book.ownerList())) {
				cache.of = nil
			}
			if cache.of == nil {
				cache.of = map[sightOwner]*seenLabels{}
			}
			for o := range known.labels {
				cache.of[sightOwner{key.sight, o}] = known
			}
		}
		out[i] = known.labels[c.Owner][c.ID]
	}
	return out, nil
}

// renew returns the labels of all clusters of an owner and, if these are few, of the namespaces of its user: no two of them have one
// label if there are nouns to tell them apart. Those that are known stay if the same members name the clusters.
func (svc *Service) renew(ctx context.Context, v *View, o Owner, known *seenLabels) (*seenLabels, error) {
	of := map[Owner][]*group{}
	for _, g := range v.groups(func(x Owner) bool { return x.User == o.User }) {
		of[g.circle.owner] = append(of[g.circle.owner], g)
	}
	owners := slices.SortedFunc(maps.Keys(of), func(a, b Owner) int { return cmp.Compare(a.Namespace, b.Namespace) })
	if len(owners) > namespacesBeside {
		owners = []Owner{o}
	}
	out := &seenLabels{upto: v.t.book.position(), samples: map[graph.ID][]graph.ID{}, labels: map[Owner]map[graph.ID]Label{o: {}}}
	for _, owner := range owners {
		for _, g := range of[owner] {
			ids, until := sample(v, g, textsOfEach(len(of[owner])))
			out.samples[g.ID] = ids
			if out.until.IsZero() || !until.IsZero() && until.Before(out.until) {
				out.until = until
			}
		}
	}
	if known != nil && maps.EqualFunc(known.samples, out.samples, slices.Equal[[]graph.ID]) {
		out.labels = known.labels
		return out, nil
	}
	taken := map[string]bool{}
	for _, owner := range owners {
		labels, err := svc.labelsOf(ctx, v, of[owner], out.samples, taken)
		if err != nil {
			return nil, err
		}
		out.labels[owner] = labels
	}
	return out, nil
}

// labelsOf computes the labels of all clusters of an owner from their samples, which are typical in comparison with
// each other, and adds them to those that are taken.
func (svc *Service) labelsOf(ctx context.Context, v *View, groups []*group, samples map[graph.ID][]graph.ID, taken map[string]bool) (map[graph.ID]Label, error) {
	all := make([]unnamed, len(groups))
	for i, g := range groups {
		all[i] = unnamed{key: g.ID, members: samples[g.ID]}
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
// the sleep do not name a cluster, unless fewer than MinVisible others are visible: it keeps its name when memories join. until is when the first
// visible member expires; zero: none does.
func sample(v *View, g *group, n int) (out []graph.ID, until time.Time) {
	var ids []graph.ID
	medoid, settled := 0, 0
	for m, d := range v.each(g) {
		if until.IsZero() || !d.ExpiresAt.IsZero() && d.ExpiresAt.Before(until) {
			until = d.ExpiresAt
		}
		if m.ID == g.Medoid {
			medoid = len(ids)
		}
		if m.Settled {
			settled++
		}
		ids = append(ids, m.ID)
	}
	if len(ids) == 0 {
		return nil, until
	}
	if settled >= MinVisible { // the settled members come first
		ids = ids[:settled]
	}
	out = []graph.ID{ids[medoid]}
	for i := 0; i < len(ids) && len(out) < n; i += max(1, len(ids)/n) {
		if i != medoid {
			out = append(out, ids[i])
		}
	}
	return out, until
}

// labelOf converts a label and adds the summary. A cluster whose members have no typical term is named by the beginning
// of its medoid.
func labelOf(l cluster.ClusterLabel, medoid string) Label {
	out := Label{Text: l.Text}
	for _, t := range l.Terms {
		out.Terms = append(out.Terms, Term{Text: t.Text, Weight: t.Weight / l.Terms[0].Weight, Count: t.Members})
	}
	out.Summary = summaryOf(nounsOf(out.Terms, l.Nouns), medoid)
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
