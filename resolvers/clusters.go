package resolvers

import (
	"context"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/loader"
)

// Maximum sizes of the lists of a cluster.
const (
	maxClusterTerms    = 50
	maxClusterEntities = 100
	maxRelatedClusters = 50
	maxActivity        = 100
)

// encodeCluster converts a cluster; nil if there is none.
func encodeCluster(self loader.Cluster) *gql.Cluster {
	v := self.View
	if v == nil {
		return nil
	}
	return &gql.Cluster{
		Self: self, ID: string(v.ID), Namespace: v.Owner.Namespace, User: nullable[string](graph.UserOf(v.Owner.User)), Label: v.Label.Text, Summary: nullable[string](v.Label.Summary),
		Size: v.Size, Density: v.Density, CreatedAt: v.CreatedAt, UpdatedAt: v.UpdatedAt,
	}
}

func (r queryResolver) Clusters(ctx context.Context, namespaces []string, user *string, first *int, after *string) (*gql.ClusterConnection, error) {
	c := caller(ctx)
	in := engine.ClusterListInput{Namespaces: namespaces, User: valueOr(user, "")}
	var err error
	if in.First, in.After, err = pageArguments(cursorClusters, first, 50, graph.MaxPage, after); err != nil {
		return nil, err
	}
	found, more, err := r.verbs.Clusters(ctx, c, in)
	if err != nil {
		return nil, err
	}
	out := &gql.ClusterConnection{Nodes: convert(loader.Clusters(r.verbs, c, found), encodeCluster)}
	id := func(v *engine.Cluster) graph.ID { return v.ID }
	out.Edges, out.PageInfo, err = connect(cursorClusters, found, id, out.Nodes, in.After, more, func(cursor string, node *gql.Cluster) *gql.ClusterEdge {
		return &gql.ClusterEdge{Cursor: cursor, Node: node}
	})
	return out, err
}

func (r queryResolver) Cluster(ctx context.Context, id string) (*gql.Cluster, error) {
	if !graph.ID(id).Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "must be a UUID")
	}
	c := caller(ctx)
	found, err := r.verbs.ClustersByID(ctx, c, []graph.ID{graph.ID(id)})
	if err != nil {
		return nil, err
	}
	return encodeCluster(loader.Clusters(r.verbs, c, found)[0]), nil
}

func (r clusterResolver) Terms(_ context.Context, obj *gql.Cluster, first *int) ([]*gql.ClusterTerm, error) {
	n, err := boundedInt("first", first, 10, maxClusterTerms)
	if err != nil {
		return nil, err
	}
	out := []*gql.ClusterTerm{}
	for _, t := range obj.Self.View.Label.Terms {
		if len(out) == n {
			break
		}
		out = append(out, &gql.ClusterTerm{Text: t.Text, Weight: t.Weight, Count: t.Count})
	}
	return out, nil
}

func (r clusterResolver) Medoid(ctx context.Context, obj *gql.Cluster) (*gql.Memory, error) {
	return linkedMemory(obj.Self.Medoid(ctx))
}

func (r clusterResolver) Members(ctx context.Context, obj *gql.Cluster, first *int) ([]*gql.Memory, error) {
	members, err := r.members(ctx, obj, first)
	return convert(members, func(m loader.Member) *gql.Memory { return encodeMemory(m.Memory) }), err
}

func (r clusterResolver) Memberships(ctx context.Context, obj *gql.Cluster, first *int) ([]*gql.ClusterMember, error) {
	members, err := r.members(ctx, obj, first)
	return convert(members, func(m loader.Member) *gql.ClusterMember {
		return &gql.ClusterMember{Memory: encodeMemory(m.Memory), Strength: m.Strength, Settled: m.Settled}
	}), err
}

func (r clusterResolver) members(ctx context.Context, obj *gql.Cluster, first *int) ([]loader.Member, error) {
	n, err := boundedInt("first", first, 50, graph.MaxPage)
	if err != nil {
		return nil, err
	}
	return obj.Self.Members(ctx, n)
}

func (r clusterResolver) KeyEntities(ctx context.Context, obj *gql.Cluster, first *int) ([]*gql.Entity, error) {
	n, err := boundedInt("first", first, 10, maxClusterEntities)
	if err != nil {
		return nil, err
	}
	found, err := obj.Self.KeyEntities(ctx, n)
	return convert(found, encodeEntity), err
}

func (r clusterResolver) Related(ctx context.Context, obj *gql.Cluster, first *int) ([]*gql.RelatedCluster, error) {
	n, err := boundedInt("first", first, 5, maxRelatedClusters)
	if err != nil {
		return nil, err
	}
	found, err := obj.Self.Related(ctx, n)
	return convert(found, func(x loader.RelatedCluster) *gql.RelatedCluster {
		return &gql.RelatedCluster{Cluster: encodeCluster(x.Cluster), Similarity: x.Cosine}
	}), err
}

func (r clusterResolver) Activity(_ context.Context, obj *gql.Cluster, buckets *int) ([]*gql.ClusterActivity, error) {
	n, err := boundedInt("buckets", buckets, 24, maxActivity)
	if err != nil {
		return nil, err
	}
	return convert(obj.Self.View.Activity(n), func(a engine.ClusterActivity) *gql.ClusterActivity {
		return &gql.ClusterActivity{From: a.From, To: a.To, Count: a.Count}
	}), nil
}

func (r memoryResolver) Cluster(ctx context.Context, obj *gql.Memory) (*gql.Cluster, error) {
	found, err := obj.Self.Cluster(ctx)
	return encodeCluster(found), err
}

func (r queryResolver) ClusterEvolution(ctx context.Context, namespaces []string, user, cluster *string, since, until *time.Time, first *int, after *string) (*gql.ClusterEventConnection, error) {
	c := caller(ctx)
	n, err := boundedInt("first", first, 50, graph.MaxPage)
	if err != nil {
		return nil, err
	}
	start, err := decodeEventPlace(after)
	if err != nil {
		return nil, err
	}
	f := engine.ClusterEventFilter{
		Namespaces: namespaces, User: valueOr(user, ""), Since: valueOr(since, time.Time{}), Until: valueOr(until, time.Time{}),
	}
	if cluster != nil {
		if f.Cluster = graph.ID(*cluster); !f.Cluster.Valid() {
			return nil, graph.FieldError(graph.CodeInvalidRequest, "cluster", "must be a UUID")
		}
	}
	found, more, err := r.verbs.ClusterEvolution(ctx, c, f, start, n)
	if err != nil {
		return nil, err
	}
	out := &gql.ClusterEventConnection{
		Nodes: r.clusterEvents(c, found), Edges: make([]*gql.ClusterEventEdge, len(found)),
		PageInfo: &gql.PageInfo{HasNextPage: more, HasPreviousPage: after != nil},
	}
	for i, v := range found {
		cursor, err := encodeEventPlace(v)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			out.PageInfo.StartCursor = &cursor
		}
		out.PageInfo.EndCursor = &cursor
		out.Edges[i] = &gql.ClusterEventEdge{Cursor: cursor, Node: out.Nodes[i]}
	}
	return out, nil
}

// encodeEventPlace returns the cursor of a change of a cluster: the id of its note and its number in
// it.
func encodeEventPlace(v engine.ClusterEvent) (string, error) {
	b, err := v.ID.Bytes()
	if err != nil {
		return "", err
	}
	return encodeCursor(cursorClusterEvents, binary.BigEndian.AppendUint32(b[:], uint32(v.Number))), nil
}

// decodeEventPlace returns the place after which a page of changes starts; the zero value if there
// is no cursor.
func decodeEventPlace(text *string) (engine.ClusterEventPlace, error) {
	if text == nil {
		return engine.ClusterEventPlace{}, nil
	}
	b, err := decodeCursor(cursorClusterEvents, *text, 16+4)
	if err != nil {
		return engine.ClusterEventPlace{}, err
	}
	number := binary.BigEndian.Uint32(b[16:])
	if number >= 1<<31-1 {
		return engine.ClusterEventPlace{}, graph.FieldError(graph.CodeInvalidRequest, "after", "is not a cursor of this list")
	}
	return engine.ClusterEventPlace{Note: graph.IDFromBytes([16]byte(b[:16])), Number: int(number)}, nil
}

// clusterEvents converts changes. Their clusters are loaded together.
func (r *resolverRoot) clusterEvents(c engine.Caller, views []engine.ClusterEvent) []*gql.ClusterEvent {
	out := make([]*gql.ClusterEvent, len(views))
	in := loader.ClusterRefs(r.verbs, c, convert(views, func(v engine.ClusterEvent) graph.ID { return v.Cluster }))
	for i, v := range views {
		out[i] = &gql.ClusterEvent{
			In: in[i], ID: fmt.Sprintf("%s.%d", v.ID, v.Number), At: v.At, Change: gql.ClusterChange(v.Kind), Namespace: v.Owner.Namespace,
			User: nullable[string](graph.UserOf(v.Owner.User)), Cluster: string(v.Cluster), From: idStrings(v.From), Size: v.Size, Report: string(v.Sleep),
		}
	}
	return out
}

func (r clusterEventResolver) Current(ctx context.Context, obj *gql.ClusterEvent) (*gql.Cluster, error) {
	found, err := obj.In.Cluster(ctx)
	return encodeCluster(found), err
}

// ClusterEvents forwards the engine's stream.
func (r subscriptionResolver) ClusterEvents(ctx context.Context, after *string, namespaces []string) (<-chan *gql.ClusterEvent, error) {
	c := caller(ctx)
	var from engine.ClusterEventPlace
	if after != nil {
		note, number, _ := strings.Cut(*after, ".")
		n, err := strconv.ParseUint(number, 10, 31)
		if from = (engine.ClusterEventPlace{Note: graph.ID(note), Number: int(n)}); err != nil || !from.Note.Valid() {
			return nil, graph.FieldError(graph.CodeInvalidRequest, "after", "must be the id of a change of a cluster")
		}
	}
	events, err := r.verbs.ClusterEvents(ctx, c, namespaces, from)
	if err != nil {
		return nil, err
	}
	return convertStream(ctx, events, func(x engine.ClusterEvent) *gql.ClusterEvent {
		return r.clusterEvents(c, []engine.ClusterEvent{x})[0]
	}), nil
}
