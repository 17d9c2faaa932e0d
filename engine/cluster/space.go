package cluster

import (
	"math"
	"math/rand/v2"

	"github.com/somnograph/somnograph/graph"
)

// space computes the cosines of points, known by their rank in the order of ids. It can damp the
// directions in which all points vary most. Texts that share a form of words ("Note to self: …")
// lie along them, and without damping form groups across all topics.
type space struct {
	vectors [][]float32
	damp    []float32 // by damped direction: the share that is taken off its products, [0,1)
	heads   []float32 // by rank and damped direction: the product of the vector with it
	inverse []float32 // by rank: one over the length of the damped vector, less where nouns count; 0 for no usable vector
	bag     *bag      // nil: nouns do not count
}

const (
	beyondDamped = 4    // directions computed beyond the damped ones; the last one says how much those are damped
	eigenRounds  = 12   // iterations
	eigenSample  = 2048 // points that the directions are computed from
)

// newSpace makes a space of vectors as they are.
func newSpace(ids []graph.ID, vectors [][]float32, places []int) *space {
	s := &space{vectors: make([][]float32, len(ids)), inverse: make([]float32, len(ids))}
	usable := usableVectors(vectors)
	for r, p := range places {
		s.vectors[r] = vectors[p]
		if usable[p] {
			s.inverse[r] = 1
		}
	}
	return s
}

// usableVectors reports which vectors have the most frequent dimension and are not zero.
func usableVectors(vectors [][]float32) []bool {
	count, dim := map[int]int{}, 0
	for _, v := range vectors {
		count[len(v)]++
	}
	for d, n := range count {
		if n > count[dim] || n == count[dim] && d > dim {
			dim = d
		}
	}
	usable := make([]bool, len(vectors))
	for i, v := range vectors {
		usable[i] = len(v) == dim && Cosine(v, v) > 0.5
	}
	return usable
}

// flattened returns the space with this many of its strongest directions damped: the vectors are scaled along
// them, so that they vary as little along each as along the last one computed, and to unit length
// again. This is a part of whitening (Su et al., "Whitening Sentence Representations for Better
// Semantics and Faster Retrieval", arXiv:2103.15316), for the same reason as in Mu, Viswanath,
// "All-but-the-Top", ICLR 2018. nil if there are too few points for it.
func (s *space) flattened(damped int) *space {
	spectrum := damped + beyondDamped
	var sample [][]float32
	for r, v := range s.vectors {
		if s.inverse[r] > 0 {
			sample = append(sample, v)
		}
	}
	if len(sample) < 4*spectrum || len(sample[0]) < 4*spectrum {
		return nil
	}
	if len(sample) > eigenSample {
		r := rand.New(rand.NewPCG(4, 4))
		r.Shuffle(len(sample), func(i, j int) { sample[i], sample[j] = sample[j], sample[i] })
		sample = sample[:eigenSample]
	}
	directions, variance := strongest(sample, spectrum)
	f := &space{vectors: s.vectors, bag: s.bag, damp: make([]float32, damped), heads: make([]float32, damped*len(s.vectors)), inverse: make([]float32, len(s.vectors))}
	for j := range f.damp {
		if variance[j] <= 0 {
			return nil
		}
		f.damp[j] = float32(max(0, 1-variance[spectrum-1]/variance[j]))
	}
	for r, v := range s.vectors {
		if s.inverse[r] == 0 {
			continue
		}
		head := f.heads[r*damped : (r+1)*damped]
		square := dot(v, v)
		for j := range head {
			head[j] = float32(dot(v, directions[j]))
			square -= float64(f.damp[j]) * float64(head[j]) * float64(head[j])
		}
		if square > 1e-4 {
			f.inverse[r] = float32(1 / math.Sqrt(square))
		}
	}
	f.makeRoom()
	return f
}

// strongest returns the directions along which vectors vary most, with the mean square of the
// vectors along each, by subspace
// iteration (Golub, Van Loan, "Matrix Computations", 7.3.2).
func strongest(vectors [][]float32, spectrum int) (directions [][]float32, variance []float64) {
	dim := len(vectors[0])
	r := rand.New(rand.NewPCG(5, 5))
	directions, variance = make([][]float32, spectrum), make([]float64, spectrum)
	for j := range directions {
		directions[j] = make([]float32, dim)
		for i := range directions[j] {
			directions[j][i] = float32(r.NormFloat64())
		}
	}
	for range eigenRounds {
		next := make([][]float64, spectrum)
		for j := range next {
			next[j] = make([]float64, dim)
		}
		for _, v := range vectors {
			for j, d := range directions {
				x := dot(v, d)
				for i, y := range v {
					next[j][i] += x * float64(y)
				}
			}
		}
		for j := range next {
			for k := range j {
				takeOff(next[j], directions[k])
			}
			length := 0.0
			for _, x := range next[j] {
				length += x * x
			}
			length = math.Sqrt(length)
			variance[j] = length / float64(len(vectors))
			for i, x := range next[j] {
				directions[j][i] = float32(x / max(length, math.SmallestNonzeroFloat64))
			}
		}
	}
	return directions, variance
}

// takeOff makes a vector orthogonal to a direction.
func takeOff(v []float64, direction []float32) {
	x := 0.0
	for i, y := range direction {
		x += v[i] * float64(y)
	}
	for i, y := range direction {
		v[i] -= x * float64(y)
	}
}

// point is a vector in a space.
type point struct {
	vector, head, damp []float32
	inverse            float32
	nouns              []weightedNoun
}

// at returns the point of a rank.
func (s *space) at(r int32) point {
	p := point{vector: s.vectors[r], damp: s.damp, inverse: s.inverse[r]}
	if d := len(s.damp); d > 0 {
		p.head = s.heads[int(r)*d : (int(r)+1)*d]
	}
	if s.bag != nil {
		p.nouns = s.bag.of[r]
	}
	return p
}

// cosine is the cosine of two points, [−1,1]; 0 if one has no usable vector.
func (s *space) cosine(a, b int32) float64 {
	if s.inverse[a] == 0 || s.inverse[b] == 0 {
		return 0
	}
	p, q := s.at(a), s.at(b)
	return max(-1, min(1, float64(p.inverse)*float64(q.inverse)*(dot(p.vector, q.vector)-dampedPart(s.damp, p.head, q.head))+nounPart(p.nouns, q.nouns)))
}

// dampedPart is what damping takes off the product of two vectors with these products with the
// damped directions.
func dampedPart(damp, a, b []float32) float64 {
	sum := float32(0)
	for j, d := range damp {
		sum += d * a[j] * b[j]
	}
	return float64(sum)
}
