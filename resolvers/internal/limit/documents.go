package limit

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
)

// Limits of the cache.
const (
	maxDocuments     = 512
	maxDocumentBytes = 8 << 10
)

// documentCache caches valid documents, which need not be measured and validated again. Long
// documents are not cached, so that clients can't fill the memory.
type documentCache struct{ *lru.LRU[*ast.QueryDocument] }

// NewDocumentCache makes a cache of valid documents.
func NewDocumentCache() graphql.Cache[*ast.QueryDocument] {
	return documentCache{lru.New[*ast.QueryDocument](maxDocuments)}
}

// Add caches a document unless it is long.
func (k documentCache) Add(ctx context.Context, text string, doc *ast.QueryDocument) {
	if len(text) <= maxDocumentBytes {
		k.LRU.Add(ctx, text, doc)
	}
}
