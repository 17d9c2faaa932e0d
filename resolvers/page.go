package resolvers

import (
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

// pageInfo returns the page info and cursors of a page of a list that is ordered by id.
func pageInfo(list byte, ids []graph.ID, after graph.ID, more bool) (*gql.PageInfo, []string, error) {
	info := &gql.PageInfo{HasNextPage: more, HasPreviousPage: after != ""}
	cursors := make([]string, len(ids))
	for i, id := range ids {
		var err error
		if cursors[i], err = encodeIDCursor(list, id); err != nil {
			return nil, nil, err
		}
	}
	if n := len(cursors); n > 0 {
		info.StartCursor, info.EndCursor = &cursors[0], &cursors[n-1]
	}
	return info, cursors, nil
}
