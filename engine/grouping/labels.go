package grouping

import "sync"

// labelCache keeps the labels of clusters by what a sight shows.
type labelCache struct {
	mu sync.Mutex
}

func (c *labelCache) clear() {}
