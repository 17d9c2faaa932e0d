package cluster

import (
	"cmp"
	"math"
	"slices"
)

// Centroids are clusters as vectors: they say which cluster a new vector joins, and which
// clusters are related. Clusters are known by the order in which they were added. Reading is safe
// for concurrent use as long as nothing is added.
type Centroids struct {
	dim    int
	bodies []body
	unit   [][]float32
	scales []scale
}

// Near is a cluster with a cosine.
type Near struct {
	Cluster int
	Cosine  float64 // [−1,1]
}

// NewCentroids makes an empty set for vectors of one dimension.
func NewCentroids(dim int) *Centroids { return &Centroids{dim: dim} }

// Len is the number of clusters.
func (c *Centroids) Len() int { return len(c.bodies) }

// Add adds a cluster by the unit vectors of its members, and returns its number. Vectors of
// another dimension and zero vectors are ignored. A cluster without vectors has a number, and nothing joins it.
func (c *Centroids) Add(members [][]float32) int {
	members = slices.DeleteFunc(slices.Clone(members), func(v []float32) bool { return len(v) != c.dim || dot(v, v) < 0.5 })
	var b body
	for _, v := range members {
		b.add(point{vector: v, inverse: 1})
	}
	s := scale{edge: math.Inf(1), best: math.Inf(1)}
	if len(members) > 0 {
		fits := make([]float64, len(members))
		for i, v := range members {
			fits[i] = b.fitOfMember(point{vector: v, inverse: 1})
		}
		s = newScale(fits)
	}
	c.bodies, c.scales, c.unit = append(c.bodies, b), append(c.scales, s), append(c.unit, b.centroid(c.dim))
	return len(c.bodies) - 1
}

// centroid is the sum scaled to length 1; zero if the sum is.
func (b *body) centroid(dim int) []float32 {
	out := make([]float32, dim)
	if length := math.Sqrt(dot(b.sum, b.sum)); length > 0 {
		for i, x := range b.sum {
			out[i] = float32(float64(x) / length)
		}
	}
	return out
}

// Centroid returns the mean direction of a cluster, unit length. The caller must not change it.
func (c *Centroids) Centroid(cluster int) []float32 { return c.unit[cluster] }

// joinSlack is how far below the lower decile of the members' fits a new member may be, in
// distances from there to the best fit. It is what a new member lacks because the others were chosen
// with each other in view: without it a fifth of the new members would wait for the next sleep.
const joinSlack = 0.25

// Join returns the cluster whose centroid is nearest to a unit vector, and how strong a member it
// would be, [0,1]. ok is false if it is clearly less like the members than all but a tenth of them
// are among themselves: then it is in no cluster. Ties go to the lower number.
func (c *Centroids) Join(v []float32) (cluster int, strength float64, ok bool) {
	near := c.Nearest(v, 1)
	if len(near) == 0 {
		return 0, 0, false
	}
	cluster = near[0].Cluster
	fit := c.bodies[cluster].fit(point{vector: v, inverse: 1})
	of := c.scales[cluster]
	if fit < of.edge-joinSlack*(of.best-of.edge) {
		return 0, 0, false
	}
	return cluster, of.strength(fit), true
}

// looseStrength is the strength from which on a memory joins a cluster that is not about one matter by its vectors.
const looseStrength = 0.7

// Holds reports whether a cluster of a density, [0,1], holds a memory that would join it with a strength, see Join. The vectors of the members
// of a loose cluster differ, because nouns made it, so that those of many other memories are as near; a memory must be nearer
// to them than most members are.
func Holds(density, strength float64) bool {
	return density >= oneMatterDense || strength >= looseStrength
}

// Nearest returns the k clusters whose centroids are nearest to a unit vector, the nearest first,
// ties by number. A vector of another dimension is near to none.
func (c *Centroids) Nearest(v []float32, k int) []Near {
	return c.nearest(v, k, -1)
}

// Related returns the k clusters whose centroids are nearest to that of a cluster, without
// itself, the nearest first, ties by number.
func (c *Centroids) Related(cluster, k int) []Near {
	return c.nearest(c.unit[cluster], k, cluster)
}

func (c *Centroids) nearest(v []float32, k, except int) []Near {
	if len(v) != c.dim || k <= 0 {
		return nil
	}
	var out []Near
	for i, u := range c.unit {
		if i == except || c.bodies[i].size == 0 {
			continue
		}
		x := Near{i, Cosine(u, v)}
		at, _ := slices.BinarySearchFunc(out, x, func(a, b Near) int {
			return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.Cluster, b.Cluster))
		})
		if at < k {
			out = slices.Insert(out[:min(len(out), k-1)], at, x)
		}
	}
	return out
}
