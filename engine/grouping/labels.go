package grouping

import (
	"context"
	"sync"
)

// Label says in words what a cluster is about.
type Label struct {
	Text  string // in sentence case
	Terms []Term // the most typical first
}

// Term is a term that sets a cluster apart.
type Term struct {
	Text   string
	Weight float64 // [0,1]; 1 for the most typical
	Count  int     // members with it
}

// labelCache keeps the labels of clusters by what a sight shows.
type labelCache struct {
	mu sync.Mutex
}

func (c *labelCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
}

func (svc *Service) labels(_ context.Context, _ *View, all []Cluster) ([]Label, error) {
	return make([]Label, len(all)), nil
}
