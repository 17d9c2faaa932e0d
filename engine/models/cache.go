package models

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync/atomic"

	lru "github.com/hashicorp/golang-lru/v2"
)

// Cached is an Embedder with a cache of vectors. It is safe for concurrent use.
type Cached struct {
	Embedder
	entries      *lru.Cache[cacheKey, []float32]
	hits, misses atomic.Uint64
}

// cacheKey is a hash, so that the cache has no content of erased memories.
type cacheKey struct {
	model string
	kind  Kind
	sum   [sha256.Size]byte
}

// DefaultCache is the default number of vectors in a cache: 8 MiB at dimension 512.
const DefaultCache = 4096

// Cache caches the vectors of the last size texts; size ≤ 0 means DefaultCache.
func Cache(e Embedder, size int) *Cached {
	if size <= 0 {
		size = DefaultCache
	}
	entries, err := lru.New[cacheKey, []float32](size)
	if err != nil { // only for a size below 1
		panic(fmt.Sprintf("models: cache of %d: %v", size, err))
	}
	return &Cached{Embedder: e, entries: entries}
}

// Embed returns cached vectors and embeds the other texts in one call, equal ones once.
func (c *Cached) Embed(ctx context.Context, texts []string, kind Kind) ([][]float32, error) {
	out := make([][]float32, len(texts))
	keys := make([]cacheKey, len(texts))
	var ask []string
	place := map[cacheKey]int{} // in ask
	for i, text := range texts {
		keys[i] = cacheKey{c.Name(), kind, sha256.Sum256([]byte(text))}
		if v, ok := c.entries.Get(keys[i]); ok {
			c.hits.Add(1)
			out[i] = slices.Clone(v)
			continue
		}
		if _, ok := place[keys[i]]; ok {
			c.hits.Add(1)
			continue
		}
		c.misses.Add(1)
		place[keys[i]] = len(ask)
		ask = append(ask, text)
	}
	if len(ask) == 0 {
		return out, ctx.Err()
	}
	vectors, err := c.Embedder.Embed(ctx, ask, kind)
	if err != nil {
		return nil, err
	}
	if len(vectors) != len(ask) {
		return nil, &Error{Message: fmt.Sprintf("received %d vectors for %d texts", len(vectors), len(ask))}
	}
	for i, key := range keys {
		if out[i] == nil {
			v := vectors[place[key]]
			c.entries.Add(key, v)
			out[i] = slices.Clone(v)
		}
	}
	return out, nil
}

// Unwrap returns the wrapped Embedder.
func (c *Cached) Unwrap() Embedder { return c.Embedder }

// Stats returns the numbers of cache hits and misses since the start.
func (c *Cached) Stats() (hits, misses uint64) { return c.hits.Load(), c.misses.Load() }

// Purge empties the cache, as an erasure requires.
func (c *Cached) Purge() { c.entries.Purge() }
