package resolvers

import (
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

// pageArguments returns the size of a page, otherwise if first is null, and the id after which
// the page starts.
func pageArguments(list byte, first *int, otherwise, limit int, after *string) (n int, start graph.ID, err error) {
	if n, err = boundedInt("first", first, otherwise, limit); err != nil {
		return 0, "", err
	}
	start, err = decodeAfterID(list, after)
	return n, start, err
}

// connect returns the edges and the page info of a page of a list that is ordered by id.
func connect[V, N, E any](list byte, found []V, id func(V) graph.ID, nodes []N, after graph.ID, more bool, edge func(cursor string, node N) E) ([]E, *gql.PageInfo, error) {
	edges := make([]E, len(found))
	info := &gql.PageInfo{HasNextPage: more, HasPreviousPage: after != ""}
	for i, v := range found {
		cursor, err := encodeIDCursor(list, id(v))
		if err != nil {
			return nil, nil, err
		}
		if i == 0 {
			info.StartCursor = &cursor
		}
		info.EndCursor = &cursor
		edges[i] = edge(cursor, nodes[i])
	}
	return edges, info, nil
}
