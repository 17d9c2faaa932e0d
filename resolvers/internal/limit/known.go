package limit

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
)

// Bounds of the documents that are kept.
const (
	knownDocuments = 512
	knownBytes     = 8 << 10
)

// known keeps valid documents, so that one that comes again is neither measured nor
// validated. Long ones are not kept: nobody can fill the memory with them.
type known struct{ *lru.LRU[*ast.QueryDocument] }

// NewKnown makes a cache of valid documents.
func NewKnown() graphql.Cache[*ast.QueryDocument] {
	return known{lru.New[*ast.QueryDocument](knownDocuments)}
}

// Add keeps a document unless it is long.
func (k known) Add(ctx context.Context, text string, doc *ast.QueryDocument) {
	if len(text) <= knownBytes {
		k.LRU.Add(ctx, text, doc)
	}
}
