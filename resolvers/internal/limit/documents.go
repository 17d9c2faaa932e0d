package limit

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
)

// Bounds of the documents that are kept.
const (
	maxDocuments     = 512
	maxDocumentBytes = 8 << 10
)

// documentCache keeps valid documents, so that one that comes again is neither measured nor
// validated. Long ones are not kept: nobody can fill the memory with them.
type documentCache struct{ *lru.LRU[*ast.QueryDocument] }

// NewDocumentCache makes a cache of valid documents.
func NewDocumentCache() graphql.Cache[*ast.QueryDocument] {
	return documentCache{lru.New[*ast.QueryDocument](maxDocuments)}
}

// Add keeps a document unless it is long.
func (k documentCache) Add(ctx context.Context, text string, doc *ast.QueryDocument) {
	if len(text) <= maxDocumentBytes {
		k.LRU.Add(ctx, text, doc)
	}
}
