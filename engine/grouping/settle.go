package grouping

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/cluster"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

const (
	neighbours     = 16 // nearest memories of each memory; HDBSCAN needs several times its minimum size, and longer lists join topics of one form
	neighbourBatch = 64 // memories per index lookup
)

// SettleInput is what a sleep clusters.
type SettleInput struct {
	Owner Owner
	Docs  []*index.Doc // eligible memories of the owner, by ascending id
	At    time.Time    // instant of the sleep
	Sleep graph.ID     // its report
	// Again is the instant of the complete deep sleep that has done this night's work already; zero:
	// none has. Then only memories that were recorded after it, and erased ones, count as changes.
	Again time.Time
}

// Former is what an earlier sleep found for an owner.
type Former struct {
	Root     graph.ID // id of the settlement
	At       time.Time
	Clusters []Stored
}

// Former returns the settlement in force of an owner; nil: there is none.
func (svc *Service) Former(ctx context.Context, t *workspace.Tenant, o Owner) (*Former, error) {
	v, err := svc.View(ctx, t.Whole())
	if err != nil {
		return nil, err
	}
	b := v.t.book
	b.mu.RLock()
	defer b.mu.RUnlock()
	c := b.owners[o]
	if c == nil {
		return nil, nil
	}
	f := &Former{Root: c.root, At: c.at}
	for _, g := range c.groups {
		f.Clusters = append(f.Clusters, g.Stored)
	}
	return f, nil
}

// stale reports whether a settlement may no longer fit the eligible memories of its owner at a later
// instant: one is new or has changed its state since the instant of the sleep, or a member is no
// longer among them. What a sleep of the same night changed itself is left to the next night, see
// SettleInput.Again.
func (svc *Service) stale(t *workspace.Tenant, f *Former, in SettleInput) bool {
	again := !in.Again.IsZero()
	if again && f.At.After(in.Again) {
		in.Again = f.At // a light sleep has settled the owner since
	}
	if again && in.fresh() {
		return true
	}
	known := make(map[graph.ID]bool, len(in.Docs))
	for _, d := range in.Docs {
		if !again && f.At.Before(in.At) && (!d.RecordedAt.Before(f.At) || !workspace.StateOf(d).From.Before(f.At)) {
			return true
		}
		known[d.ID] = true
	}
	for _, c := range f.Clusters {
		for _, m := range c.Members {
			if known[m.ID] {
				continue
			}
			if _, stored := svc.Index.Doc(t.Scope.Whole(), m.ID); !again || !stored {
				return true
			}
		}
	}
	return false
}

// fresh reports whether a memory was recorded after the sleep that has done this night's work.
func (in SettleInput) fresh() bool {
	return slices.ContainsFunc(in.Docs, func(d *index.Doc) bool { return d.RecordedAt.After(in.Again) })
}

// due reports whether the memories of an owner are to be clustered. before is its settlement in force; nil: it has
// none.
func (svc *Service) due(t *workspace.Tenant, before *Former, in SettleInput) bool {
	if before != nil {
		return svc.stale(t, before, in)
	}
	return len(in.Docs) >= cluster.MinSize && (in.Again.IsZero() || in.fresh())
}

// Settle clusters the memories of an owner. It stores nothing. The result is nil if the settlement
// in force still fits, or if there was none and no cluster is found.
func (svc *Service) Settle(ctx context.Context, t *workspace.Tenant, in SettleInput) (*Settlement, error) {
	before, err := svc.Former(ctx, t, in.Owner)
	if err != nil {
		return nil, err
	}
	if !svc.due(t, before, in) {
		return nil, nil
	}
	s := &Settlement{Namespace: in.Owner.Namespace, User: in.Owner.User, At: in.At, Sleep: in.Sleep}
	if s.ID, err = SettlementID(in.At, in.Sleep, in.Owner.Namespace, in.Owner.User); err != nil {
		return nil, err
	}
	if s.ID == "" || before != nil && before.Root == s.ID {
		return nil, nil // this sleep has settled the owner before it was interrupted
	}
	input, err := svc.settleInput(ctx, t, in)
	if err != nil {
		return nil, err
	}
	former := map[graph.ID]*Stored{}
	if before != nil {
		s.Before = before.Root
		for i := range before.Clusters {
			c := &before.Clusters[i]
			former[c.ID] = c
			f := cluster.Former{ID: c.ID}
			for _, m := range c.Members {
				f.Members = append(f.Members, m.ID)
			}
			input.Before = append(input.Before, f)
		}
	}
	var unread error
	input.Names = func(groups [][]int) []cluster.Name {
		members := make([][]graph.ID, len(groups))
		for i, g := range groups {
			for _, at := range g {
				members[i] = append(members[i], input.IDs[at])
			}
		}
		var names []cluster.Name
		names, unread = svc.names(ctx, t, members)
		for i := range names { // places in a group become indices
			for _, side := range names[i].Sides {
				for k, at := range side {
					side[k] = groups[i][at]
				}
			}
		}
		return names
	}
	input.Stop = func() bool { return ctx.Err() != nil }
	found := cluster.Settle(input)
	if err := cmp.Or(ctx.Err(), unread); err != nil {
		return nil, err
	}
	if len(found.Clusters) == 0 && before == nil {
		return nil, nil
	}
	s.fill(input.IDs, found, former)
	return s, nil
}

// settleInput reads the vectors and the nearest neighbours of the memories.
func (svc *Service) settleInput(ctx context.Context, t *workspace.Tenant, in SettleInput) (cluster.SettleInput, error) {
	scope := t.Scope.Whole()
	var out cluster.SettleInput
	place := make(map[graph.ID]int32, len(in.Docs))
	for part := range slices.Chunk(in.Docs, vectorsAtOnce) {
		vectors, err := svc.Index.Vectors(ctx, scope, part)
		if err != nil {
			return out, err
		}
		for i, d := range part {
			if vectors[i] != nil {
				place[d.ID] = int32(len(out.IDs))
				out.IDs, out.Vectors = append(out.IDs, d.ID), append(out.Vectors, vectors[i])
				out.Marks = append(out.Marks, marksOf(d))
			}
		}
	}
	var err error
	if out.Nouns, out.Proper, err = svc.nouns(ctx, t, out.IDs); err != nil {
		return out, err
	}
	near := make(cluster.NeighbourLists, len(out.IDs))
	f := index.Filter{Namespaces: []string{in.Owner.Namespace}, Users: []string{in.Owner.User}, Statuses: []graph.Status{graph.Active}}
	for from := 0; from < len(out.IDs); from += neighbourBatch {
		svc.Foreground.Yield(ctx, workspace.YieldFor)
		to := min(from+neighbourBatch, len(out.IDs))
		found, err := svc.Index.Nearest(ctx, scope, out.Vectors[from:to], f, in.At, neighbours, 0)
		if err != nil {
			return out, err
		}
		for i, list := range found {
			for _, x := range list {
				if at, known := place[x.Doc.ID]; known && int(at) != from+i {
					near[from+i] = append(near[from+i], at)
				}
			}
		}
	}
	out.Near = near
	out.NewID = func(n int) graph.ID {
		id, err := graph.DerivedID(in.At, string(in.Sleep), "cluster", in.Owner.Namespace, in.Owner.User, fmt.Sprint(n))
		if err != nil {
			return "" // not for an instant of a sleep, which SettlementID has used
		}
		return id
	}
	return out, nil
}

// nounBytes is the length of the beginning of a text in which nouns are read, in bytes: what a memory is about is said there, and the texts of an
// owner are in memory together.
const nounBytes = 2 << 10

// beginning returns the first nounBytes of a text, without a cut word.
func beginning(text string) string {
	if len(text) <= nounBytes {
		return text
	}
	return text[:max(0, strings.LastIndexAny(text[:nounBytes], " \n"))]
}

// nouns reads the nouns of the memories, and which of them are names; nil for too many.
func (svc *Service) nouns(ctx context.Context, t *workspace.Tenant, ids []graph.ID) (nouns [][]string, names map[string]bool, err error) {
	if len(ids) >= cluster.NounsBelow {
		return nil, nil, nil
	}
	texts := make([]cluster.Text, 0, len(ids))
	for part := range slices.Chunk(ids, vectorsAtOnce) {
		svc.Foreground.Yield(ctx, workspace.YieldFor)
		err := svc.Store.View(ctx, t.Scope.Whole(), func(r graph.Reader) error {
			found, err := graph.Undamaged(r, part)
			if err != nil {
				return err
			}
			for _, text := range textsOf(found) {
				text.Content = beginning(text.Content)
				texts = append(texts, text)
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, nil, err
		}
	}
	nouns, names = cluster.Nouns(cluster.Unrepeated(texts))
	return nouns, names, nil
}

// Weights of what memories share. A topic keeps its tags; entities are in several topics; a session
// often changes the topic.
const (
	tagWeight     = 0.5
	entityWeight  = 0.4
	sessionWeight = 0.3
)

// marksOf returns what a memory may share with others of its owner besides words.
func marksOf(d *index.Doc) []cluster.Mark {
	marks := make([]cluster.Mark, 0, len(d.Tags)+len(d.Entities)+1)
	for _, tag := range d.Tags {
		marks = append(marks, cluster.Mark{Name: cluster.TagMark + tag, Weight: tagWeight, Topic: true})
	}
	for _, e := range d.Entities {
		marks = append(marks, cluster.Mark{Name: "entity " + string(e), Weight: entityWeight})
	}
	if d.Session != "" {
		marks = append(marks, cluster.Mark{Name: "session " + d.Session, Weight: sessionWeight})
	}
	return marks
}

// fill takes over the clusters and events that were found. A cluster that keeps its id keeps its
// date of birth, and if its members are the same also the date of its last change.
func (s *Settlement) fill(ids []graph.ID, found cluster.Settlement, former map[graph.ID]*Stored) {
	medoids := map[graph.ID]graph.ID{}
	for _, x := range found.Clusters {
		c := Stored{ID: x.ID, CreatedAt: s.At, UpdatedAt: s.At, Density: x.Density, Medoid: ids[x.Medoid]}
		for i, at := range x.Members {
			c.Members = append(c.Members, Member{ID: ids[at], Strength: x.Strength[i], Settled: true})
		}
		if f := former[c.ID]; f != nil {
			c.CreatedAt = f.CreatedAt
			if sameMembers(f.Members, c.Members) {
				c.UpdatedAt = f.UpdatedAt
			}
		}
		medoids[c.ID] = c.Medoid
		s.Clusters = append(s.Clusters, c)
	}
	for _, e := range found.Events {
		x := Event{Kind: e.Kind, Cluster: e.Cluster, From: e.From, Size: e.Size, Medoid: medoids[e.Cluster]}
		if f := former[e.Cluster]; x.Medoid == "" && f != nil {
			x.Medoid = f.Medoid
		}
		s.Events = append(s.Events, x)
	}
	slices.SortStableFunc(s.Events, func(a, b Event) int { return cmp.Compare(b.Size, a.Size) })
}

// sameMembers reports whether two lists have the same memories.
func sameMembers(a, b []Member) bool {
	if len(a) != len(b) {
		return false
	}
	in := make(map[graph.ID]bool, len(a))
	for _, m := range a {
		in[m.ID] = true
	}
	return !slices.ContainsFunc(b, func(m Member) bool { return !in[m.ID] })
}
