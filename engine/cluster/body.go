package cluster

import "slices"

// body is the sum of the vectors of a group. The cosines of its members to a vector, and of all
// of its pairs, follow from it without reading the members.
type body struct {
	sum, head []float32 // of the vectors at unit length, and of their products with damped directions
	damp      []float32
	nouns     []weightedNoun // of their nouns, ascending
	size      int
}

func (b *body) add(p point) {
	if b.sum == nil {
		b.sum, b.head, b.damp = make([]float32, len(p.vector)), make([]float32, len(p.damp)), p.damp
	}
	for i, x := range p.vector {
		b.sum[i] += x * p.inverse
	}
	for j, x := range p.head {
		b.head[j] += x * p.inverse
	}
	b.nouns = sumOfNouns(b.nouns, p.nouns)
	b.size++
}

// absorb adds the members of another group.
func (b *body) absorb(o body) {
	for i, x := range o.sum {
		b.sum[i] += x
	}
	for j, x := range o.head {
		b.head[j] += x
	}
	b.nouns = sumOfNouns(b.nouns, o.nouns)
	b.size += o.size
}

// within is the mean cosine of all pairs of members: |Σv|² has each pair twice and each member
// once. 1 for a single member.
func (b *body) within() float64 {
	if b.size < 2 {
		return 1
	}
	n := float64(b.size)
	return (dot(b.sum, b.sum) - dampedPart(b.damp, b.head, b.head) + nounPart(b.nouns, b.nouns) - n) / (n * (n - 1))
}

// across is the mean cosine of the pairs with one member in each of two groups.
func across(a, b *body) float64 {
	return (dot(a.sum, b.sum) - dampedPart(a.damp, a.head, b.head) + nounPart(a.nouns, b.nouns)) / (float64(a.size) * float64(b.size))
}

// fit is the mean cosine of a vector that is no member to all members.
func (b *body) fit(p point) float64 { return b.product(p) / float64(b.size) }

// fitOfMember is the mean cosine of a member to the other members.
func (b *body) fitOfMember(p point) float64 {
	if b.size < 2 {
		return 1
	}
	return (b.product(p) - 1) / float64(b.size-1)
}

// product is the sum of the cosines of a vector to all members.
func (b *body) product(p point) float64 {
	nouns := float32(0)
	for _, w := range p.nouns {
		if at, has := slices.BinarySearchFunc(b.nouns, w, compareNouns); has {
			nouns += b.nouns[at].weight * w.weight
		}
	}
	return float64(p.inverse)*(dot(b.sum, p.vector)-dampedPart(b.damp, b.head, p.head)) + bagShare*float64(nouns)
}

// dot is the inner product of two vectors of one dimension.
func dot(a, b []float32) float64 {
	var s0, s1, s2, s3 float32
	i := 0
	for ; i+4 <= len(a) && i+4 <= len(b); i += 4 {
		x, y := a[i:i+4:i+4], b[i:i+4:i+4]
		s0 += x[0] * y[0]
		s1 += x[1] * y[1]
		s2 += x[2] * y[2]
		s3 += x[3] * y[3]
	}
	for ; i < len(a) && i < len(b); i++ {
		s0 += a[i] * b[i]
	}
	return float64(s0) + float64(s1) + float64(s2) + float64(s3)
}

// edgeQuantile is the share of the members of a cluster that lie outside of its core.
const edgeQuantile = 0.1

// scale turns the fit of a vector to a cluster into a strength, by the fits of the members: the
// best is 1, the lower decile ½. Between and below them it is linear, and at least 0. It depends on
// the members only, so strengths of all embedders can be compared.
type scale struct{ edge, best float64 }

func newScale(fits []float64) scale {
	sorted := slices.Clone(fits)
	slices.Sort(sorted)
	return scale{edge: quantile(sorted, edgeQuantile), best: sorted[len(sorted)-1]}
}

func (s scale) strength(fit float64) float64 {
	switch {
	case fit >= s.best:
		return 1
	case s.best-s.edge < 1e-6: // float32 can't distinguish them
		return max(0, min(1, 1-(s.best-fit)))
	}
	return max(0, 0.5+0.5*(fit-s.edge)/(s.best-s.edge))
}

// quantile is the value below which the share q of sorted values lies.
func quantile(sorted []float64, q float64) float64 {
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))]
}
