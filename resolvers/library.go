package resolvers

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

// Ingest answers what is wrong with the content in the payload, and every other error as the error
// of the field.
func (r mutationResolver) Ingest(ctx context.Context, input gql.IngestInput) (*gql.IngestPayload, error) {
	space, err := namespace(input.Namespace)
	if err != nil {
		return nil, err
	}
	mediaType := valueOr(input.MediaType, "")
	if !given(ctx, "input", "mediaType") && engine.NamesFormat(input.Path) {
		mediaType = "" // the default of the schema is for paths that say nothing
	}
	result, err := r.verbs.Ingest(ctx, caller(ctx), engine.IngestInput{
		Content: []byte(input.Text), Path: input.Path, MediaType: mediaType, Consent: enumValue[graph.Consent](input.Consent),
		Namespace: space, User: valueOr(input.User, ""), Agent: valueOr(input.Agent, ""), Private: valueOr(input.Private, false),
		Project: valueOr(input.Project, ""),
	})
	if err != nil {
		if shown, ofContent := engine.IngestRefusal(err); ofContent {
			return &gql.IngestPayload{Error: encodeItemError(shown)}, nil
		}
		return nil, err
	}
	return encodeIngested(result), nil
}

// RemoveDocument ends a document.
func (r mutationResolver) RemoveDocument(ctx context.Context, id string) (*gql.IngestPayload, error) {
	result, err := r.verbs.RemoveDocument(ctx, caller(ctx), graph.ID(id))
	if err != nil {
		return nil, err
	}
	return encodeIngested(result), nil
}

// given reports whether the request has a field of an input object, even if it is null. The decoded
// input does not tell it from the default.
func given(ctx context.Context, argument, name string) bool {
	arguments := graphql.GetFieldContext(ctx).Field.ArgumentMap(graphql.GetOperationContext(ctx).Variables)
	object, _ := arguments[argument].(map[string]any)
	_, ok := object[name]
	return ok
}

func encodeIngested(x *engine.IngestResult) *gql.IngestPayload {
	if x == nil {
		return nil
	}
	return &gql.IngestPayload{
		Document: encodeDocument(x.Document), Unchanged: x.Unchanged, Written: x.Written, Superseded: x.Superseded,
		Restored: x.Restored, Expired: x.Expired,
	}
}

// encodeDocument converts a document; nil if there is none.
func encodeDocument(d *engine.Document) *gql.Document {
	if d == nil {
		return nil
	}
	out := &gql.Document{
		Document: d, ID: string(d.ID), Path: d.Path, MediaType: d.MediaType, Status: gql.DocumentStatus(d.Status), Version: d.Version,
		ContentHash: d.ContentHash, Chunks: d.Chunks, IngestedAt: d.IngestedAt, Namespace: d.Namespace, User: nullable[string](d.User), Private: d.Private,
		Project: nullable[string](d.Project), Title: nullable[string](d.Title), Earlier: []*gql.Document{},
	}
	for i := range d.Earlier {
		out.Earlier = append(out.Earlier, encodeDocument(&d.Earlier[i]))
	}
	return out
}

// encodeChunk sets the fields of a memory that is a chunk of a document.
func encodeChunk(out *gql.Memory, c *graph.Chunk) {
	if out.Headings = []string{}; c == nil {
		return
	}
	out.SourcePath, out.ChunkIndex, out.ContentHash = &c.Path, &c.Index, &c.Hash
	out.Headings = append(out.Headings, c.Headings...)
	if c.Line > 0 {
		out.Line = &c.Line
	}
}

func (r queryResolver) Documents(ctx context.Context, namespaces []string, first *int, after *string) (*gql.DocumentConnection, error) {
	n, start, err := pageArguments(cursorDocuments, first, 50, graph.MaxPage, after)
	if err != nil {
		return nil, err
	}
	found, more, err := r.verbs.Documents(ctx, caller(ctx), namespaces, n, start)
	if err != nil {
		return nil, err
	}
	out := &gql.DocumentConnection{Nodes: convert(found, encodeDocument)}
	id := func(d *engine.Document) graph.ID { return d.ID }
	out.Edges, out.PageInfo, err = connect(cursorDocuments, found, id, out.Nodes, start, more, func(cursor string, node *gql.Document) *gql.DocumentEdge {
		return &gql.DocumentEdge{Cursor: cursor, Node: node}
	})
	return out, err
}

func (r queryResolver) Document(ctx context.Context, id string) (*gql.Document, error) {
	if !graph.ID(id).Valid() {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "must be a UUID")
	}
	found, err := r.verbs.DocumentsByID(ctx, caller(ctx), []graph.ID{graph.ID(id)})
	if err != nil {
		return nil, err
	}
	return encodeDocument(found[0]), nil
}

func (r documentResolver) Memories(ctx context.Context, obj *gql.Document, from, first *int) ([]*gql.Memory, error) {
	n, err := boundedInt("first", first, 20, graph.MaxPage)
	if err != nil {
		return nil, err
	}
	c := caller(ctx)
	views, err := r.verbs.DocumentChunks(ctx, c, obj.Document, valueOr(from, 0), n, engine.Access{IncludeImplicit: true})
	if err != nil {
		return nil, err
	}
	return encodeMemories(r.load(c, views...)), nil
}

func (r memoryResolver) Document(ctx context.Context, obj *gql.Memory) (*gql.Document, error) {
	v := obj.Self.View
	if v.Memory.Chunk == nil {
		return nil, nil
	}
	found, err := r.verbs.DocumentsByID(ctx, caller(ctx), []graph.ID{v.Memory.Chunk.Document})
	if err != nil {
		return nil, err
	}
	return encodeDocument(found[0]), nil
}

// LearnedFrom leaves out memories that were erased or that the caller does not see.
func (r memoryResolver) LearnedFrom(ctx context.Context, obj *gql.Memory, first *int) ([]*gql.Memory, error) {
	n, err := boundedInt("first", first, 20, graph.MaxLearned)
	if err != nil {
		return nil, err
	}
	p := obj.Self.View.Procedure
	if p == nil {
		return []*gql.Memory{}, nil
	}
	c := caller(ctx)
	views, err := r.verbs.MemoriesByID(ctx, c, p.LearnedFrom[:min(n, len(p.LearnedFrom))], obj.Self.View.Access)
	if err != nil {
		return nil, err
	}
	return encodeMemories(r.load(c, views...)), nil
}

// IngestProgress forwards the engine's stream.
func (r subscriptionResolver) IngestProgress(ctx context.Context, namespaces []string) (<-chan *gql.IngestProgress, error) {
	steps, err := r.verbs.IngestProgress(ctx, caller(ctx), namespaces)
	if err != nil {
		return nil, err
	}
	return convertStream(ctx, steps, encodeStep), nil
}

func encodeStep(x engine.IngestStep) *gql.IngestProgress {
	return &gql.IngestProgress{
		DocumentID: string(x.Document), Path: x.Path, Namespace: x.Namespace, Phase: gql.IngestPhase(x.Phase), Chunks: x.Chunks, Done: x.Done,
		Total: x.Total, Result: encodeIngested(x.Result), Error: encodeItemError(x.Error), At: x.At,
	}
}
