package grouping

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

const (
	maxChanges    = 2000 // changes of the feed that one call applies
	centroidOf    = 64   // members that a centroid is computed from
	vectorsAtOnce = 512  // vectors read at once
)

// Owner is the owner of clusters: a user in a namespace, or nobody.
type Owner struct{ Namespace, User string }

// book is the clusters of a tenant in memory.
type book struct {
	loading turn // held while the book is loaded or extended

	mu       sync.RWMutex
	loaded   bool
	version  string       // of the settlements
	cursor   graph.Cursor // changes up to here have joined
	owners   map[Owner]*circle
	clusters map[graph.ID]*group
	members  map[graph.ID]membership
}

// circle is the clusters of one owner.
type circle struct {
	owner     Owner
	root      graph.ID  // of the settlement
	at        time.Time // of the settlement
	groups    []*group
	centroids *cluster.Centroids // in the order of groups; nil: no vectors
}

// group is a cluster with the members that joined since its settlement.
type group struct {
	Stored
	circle *circle
	joined []Member
}

// membership says where a memory is.
type membership struct {
	in *group
	Member
}

func newBook() *book { return &book{loading: make(turn, 1)} }

// current reports whether the book has the settlements that this server knows of.
func (b *book) current() bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.loaded
}

// known reports whether the book was loaded once.
func (b *book) known() bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.owners != nil
}

// expire makes the next call load the settlements.
func (b *book) expire() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.loaded = false
}

// position is the cursor up to which changes have joined.
func (b *book) position() graph.Cursor {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.cursor
}

// ownerList lists the owners of clusters.
func (b *book) ownerList() []Owner {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return slices.Collect(maps.Keys(b.owners))
}

// load reads the settlements in force, unless the book has them.
func (svc *Service) load(ctx context.Context, t *tenant) error {
	b := t.book
	var version string
	var all []*Settlement
	changed := false
	err := svc.Store.View(ctx, t.Scope.Whole(), func(r graph.Reader) (err error) {
		if version, err = readVersion(r); err != nil {
			return err
		}
		b.mu.RLock()
		changed = b.owners == nil || version != b.version
		b.mu.RUnlock()
		if changed {
			all, err = current(r)
		}
		return err
	})
	if err != nil {
		return err
	}
	if changed {
		err = svc.replace(ctx, t, version, all)
	}
	if err == nil {
		b.mu.Lock()
		b.loaded = true
		b.mu.Unlock()
	}
	return err
}

// replace builds the book from settlements. Memories that are newer join again.
func (svc *Service) replace(ctx context.Context, t *tenant, version string, all []*Settlement) error {
	// The index must have the members, which another server or an import may have written.
	head, err := svc.Store.Head(ctx, t.Scope.Whole())
	if err != nil {
		return err
	}
	if err := svc.Index.WaitFor(ctx, t.Scope.Whole(), head); err != nil {
		return err
	}
	owners, clusters, members := map[Owner]*circle{}, map[graph.ID]*group{}, map[graph.ID]membership{}
	for _, s := range all {
		owner, found := svc.ownerOf(t, s)
		if !found || owners[owner] != nil && owners[owner].at.After(s.At) {
			continue // all members were erased, or a later settlement replaces it
		}
		c := &circle{owner: owner, root: s.ID, at: s.At}
		for _, stored := range s.Clusters {
			c.groups = append(c.groups, &group{Stored: stored, circle: c})
		}
		owners[owner] = c
	}
	var since time.Time // of the oldest settlement
	for _, c := range owners {
		if since.IsZero() || c.at.Before(since) {
			since = c.at
		}
		for _, g := range c.groups {
			clusters[g.ID] = g
			for _, m := range g.Members {
				members[m.ID] = membership{g, m}
			}
		}
		if err := svc.computeCentroids(ctx, t, c); err != nil {
			return err
		}
	}
	b := t.book
	b.mu.Lock()
	b.version, b.owners, b.clusters, b.members, b.cursor = version, owners, clusters, members, head
	b.mu.Unlock()
	t.forget()
	return svc.joinLater(ctx, t, since)
}

// ownerOf returns the owner of a settlement: that of any of its members that the index has.
func (svc *Service) ownerOf(t *tenant, s *Settlement) (Owner, bool) {
	for _, c := range s.Clusters {
		for _, m := range c.Members {
			if d, ok := svc.Index.Doc(t.Scope.Whole(), m.ID); ok {
				return Owner{d.Namespace, d.User}, true
			}
		}
	}
	return Owner{}, false
}

// computeCentroids computes the centroids of the clusters of an owner from all members.
func (svc *Service) computeCentroids(ctx context.Context, t *tenant, c *circle) (err error) {
	docs := make([][]*index.Doc, len(c.groups))
	for i, g := range c.groups {
		for _, m := range g.Members {
			d, _ := svc.Index.Doc(t.Scope.Whole(), m.ID) // nil: erased; its place in the list stays
			docs[i] = append(docs[i], d)
		}
	}
	c.centroids, err = svc.centroidsOf(ctx, t.Scope.Whole(), docs)
	return err
}

// joinLater lets the memories that were recorded after an instant join.
func (svc *Service) joinLater(ctx context.Context, t *tenant, since time.Time) error {
	if len(t.book.owners) == 0 {
		return nil
	}
	var later []*index.Doc
	svc.Index.Docs(t.Scope.Whole(), func(d *index.Doc) bool {
		if c := t.book.owners[Owner{d.Namespace, d.User}]; c != nil && !d.RecordedAt.Before(since) {
			later = append(later, d)
		}
		return true
	})
	for part := range slices.Chunk(later, vectorsAtOnce) {
		if err := svc.join(ctx, t, part); err != nil {
			return err
		}
	}
	return nil
}

// joinChanged lets the memories of the changes since the last call join, about maxChanges.
func (svc *Service) joinChanged(ctx context.Context, t *tenant) error {
	b := t.book
	for applied := 0; applied < maxChanges; {
		changes, err := svc.Store.Changes(ctx, t.Scope.Whole(), b.position(), vectorsAtOnce)
		if err != nil || len(changes) == 0 {
			return err
		}
		upto := changes[len(changes)-1].Cursor
		if err := svc.Index.WaitFor(ctx, t.Scope.Whole(), upto); err != nil {
			return err
		}
		var docs []*index.Doc
		for _, ch := range changes {
			if ch.Node != graph.NodeMemory {
				continue
			}
			if d, ok := svc.Index.Doc(t.Scope.Whole(), ch.ID); ok {
				docs = append(docs, d)
			}
		}
		if err := svc.join(ctx, t, docs); err != nil {
			return err
		}
		b.mu.Lock()
		b.cursor = upto
		b.mu.Unlock()
		applied += len(changes)
	}
	return nil
}

// joinCommitted lets the memories of all changes that are committed now join.
func (svc *Service) joinCommitted(ctx context.Context, t *tenant) error {
	head, err := svc.Store.Head(ctx, t.Scope.Whole())
	if err != nil {
		return err
	}
	if err := svc.await(ctx, t.book.loading); err != nil {
		return err
	}
	defer t.book.loading.release()
	for t.book.position() < head {
		before := t.book.position()
		if err := svc.joinChanged(ctx, t); err != nil || t.book.position() == before {
			return err
		}
	}
	return nil
}

// join lets memories that were recorded since the settlement of their owner join the nearest cluster,
// if they are as near to it as its members are.
func (svc *Service) join(ctx context.Context, t *tenant, docs []*index.Doc) error {
	b := t.book
	b.mu.RLock()
	docs = slices.DeleteFunc(slices.Clone(docs), func(d *index.Doc) bool {
		c := b.owners[Owner{d.Namespace, d.User}]
		_, there := b.members[d.ID]
		return there || c == nil || c.centroids == nil || d.RecordedAt.Before(c.at) || !Eligible(d, d.History[len(d.History)-1]) || !d.Embedded
	})
	b.mu.RUnlock()
	if len(docs) == 0 {
		return nil
	}
	vectors, err := svc.Index.Vectors(ctx, t.Scope.Whole(), docs)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	for i, d := range docs {
		if vectors[i] == nil {
			continue
		}
		c := b.owners[Owner{d.Namespace, d.User}]
		at, strength, near := c.centroids.Join(vectors[i])
		if _, there := b.members[d.ID]; !near || there || !cluster.Holds(c.groups[at].Density, strength) {
			continue
		}
		m := Member{ID: d.ID, Strength: strength}
		g := c.groups[at]
		g.joined = append(g.joined, m)
		b.members[d.ID] = membership{g, m}
	}
	return nil
}

// Eligible reports whether a memory in a state may be in a cluster: it is ACTIVE, has left L0, has
// consent, and is no working memory and no pattern. Nothing derives from memories without consent.
func Eligible(d *index.Doc, s graph.State) bool {
	return s.Status == graph.Active && s.Tier != graph.L0 && d.Consent != graph.ConsentNone && d.Type != graph.Working && d.Pattern == ""
}

// alive reports whether a member still belongs to its cluster, and is visible to the scope.
func (svc *Service) alive(scope graph.Scope, id graph.ID, now time.Time) (*index.Doc, bool) {
	d, ok := svc.Index.Doc(scope, id)
	if !ok {
		return nil, false
	}
	s := workspace.StateOf(d)
	if !d.ExpiresAt.IsZero() && !d.ExpiresAt.After(now) {
		return nil, false
	}
	return d, Eligible(d, s)
}
