package cluster

import (
	"cmp"
	"math"
	"slices"
)

// bagShare is the share of the nouns in the square of the length of a point that has some; its vector has the rest.
const bagShare = 0.5

// bag is the nouns of points, without names, as vectors: one dimension for each noun that at least two points have, weighted by the
// square of how rare it is among all points (Spärck Jones, "A Statistical Interpretation of Term Specificity", Journal of Documentation
// 28, 1972, has the first power). Nouns that belong to the form of a sentence are in all topics, so they weigh little.
type bag struct {
	of   [][]weightedNoun // by rank: ascending, of length 1; empty for a point without nouns
	size int              // number of nouns
}

// weightedNoun is a dimension of a point.
type weightedNoun struct {
	noun   int32
	weight float32
}

// newBag weighs the nouns of points; nil if they are not known, or if no two points share one.
func (s *settling) newBag() *bag {
	n := len(s.places)
	if n >= NounsBelow || len(s.in.Nouns) != n {
		return nil
	}
	count := map[string]int{}
	for _, list := range s.in.Nouns {
		for _, w := range list {
			count[w]++
		}
	}
	b := &bag{of: make([][]weightedNoun, n)}
	numbers := map[string]int32{}
	for r, p := range s.places {
		square := 0.0
		for _, w := range s.in.Nouns[p] {
			if c := count[w]; c < 2 || c == n || s.in.Proper[w] { // who says it is no matter
				continue
			}
			k, known := numbers[w]
			if !known {
				k = int32(len(numbers))
				numbers[w] = k
			}
			rare := math.Log(float64(n) / float64(count[w]))
			weight := rare * rare
			square += weight * weight
			b.of[r] = append(b.of[r], weightedNoun{k, float32(weight)})
		}
		slices.SortFunc(b.of[r], compareNouns)
		for i := range b.of[r] {
			b.of[r][i].weight /= float32(math.Sqrt(square))
		}
	}
	if b.size = len(numbers); b.size == 0 {
		return nil
	}
	return b
}

// withNouns returns the space in which nouns count beside the vectors: the cosine of two points that have nouns is the mean of
// that of their vectors and that of their nouns.
func (s *space) withNouns(b *bag) *space {
	w := *s
	w.bag, w.inverse = b, slices.Clone(s.inverse)
	w.makeRoom()
	return &w
}

// makeRoom shortens the vectors of points that have nouns, so that both together have length 1.
func (s *space) makeRoom() {
	if s.bag == nil {
		return
	}
	for r, nouns := range s.bag.of {
		if len(nouns) > 0 {
			s.inverse[r] *= float32(math.Sqrt(1 - bagShare))
		}
	}
}

// nounPart is what the nouns of two points add to their product.
func nounPart(a, b []weightedNoun) float64 {
	sum := float32(0)
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i].noun < b[j].noun:
			i++
		case a[i].noun > b[j].noun:
			j++
		default:
			sum += a[i].weight * b[j].weight
			i++
			j++
		}
	}
	return bagShare * float64(sum)
}

// sumOfNouns adds nouns to a sum, which it may change.
func sumOfNouns(sum, nouns []weightedNoun) []weightedNoun {
	at := 0
	for _, w := range nouns {
		i, has := slices.BinarySearchFunc(sum[at:], w, compareNouns)
		if at += i; has {
			sum[at].weight += w.weight
		} else {
			sum = slices.Insert(sum, at, w)
		}
	}
	return sum
}

func compareNouns(x, y weightedNoun) int { return cmp.Compare(x.noun, y.noun) }

// posting is a point with a noun.
type posting struct {
	rank   int32
	weight float32
}

// nearByNouns adds to the list of each point the points that share its rarest nouns, and keeps the k most similar ones: vectors
// alone list points of the same form first. As many points are looked at for each as are compared where lists are exact.
func (s *space) nearByNouns(l links, k int) links {
	having := make([][]posting, s.bag.size) // by noun
	for r, nouns := range s.bag.of {
		for _, w := range nouns {
			if s.inverse[r] > 0 {
				having[w.noun] = append(having[w.noun], posting{int32(r), w.weight})
			}
		}
	}
	out := links{start: make([]int32, 1, len(l.start)), to: make([]int32, 0, len(l.to)), cosine: make([]float32, 0, len(l.to))}
	alike := make([]float32, len(s.bag.of)) // by rank: the product of its nouns with those of the point
	var met []int32
	var best, list []neighbour
	for r := range len(l.start) - 1 {
		met, list = met[:0], list[:0]
		to, _ := l.of(r)
		for _, o := range to {
			list = append(list, neighbour{o, float32(s.cosine(int32(r), o))})
		}
		looked := 0
		for _, w := range s.rarestFirst(int32(r), having) {
			if looked += len(having[w.noun]); looked > exactPoints {
				break
			}
			for _, p := range having[w.noun] {
				if alike[p.rank] == 0 && p.rank != int32(r) {
					met = append(met, p.rank)
				}
				alike[p.rank] += w.weight * p.weight
			}
		}
		best = best[:0]
		for _, o := range met {
			x := neighbour{o, alike[o]}
			alike[o] = 0
			if len(best) == 2*k && compareNeighbours(x, best[len(best)-1]) > 0 {
				continue
			}
			at, _ := slices.BinarySearchFunc(best, x, compareNeighbours)
			best = slices.Insert(best[:min(len(best), 2*k-1)], at, x)
		}
		alike[r] = 0
		for _, x := range best {
			list = append(list, neighbour{x.to, float32(s.cosine(int32(r), x.to))})
		}
		slices.SortFunc(list, compareNeighbours)
		list = slices.Compact(list)
		for _, x := range list[:min(len(list), k)] {
			out.to, out.cosine = append(out.to, x.to), append(out.cosine, x.cosine)
		}
		out.start = append(out.start, int32(len(out.to)))
	}
	return out
}

// rarestFirst returns the nouns of a usable point, those of the fewest points first.
func (s *space) rarestFirst(r int32, having [][]posting) []weightedNoun {
	if s.inverse[r] == 0 {
		return nil
	}
	nouns := slices.Clone(s.bag.of[r])
	slices.SortStableFunc(nouns, func(x, y weightedNoun) int {
		return cmp.Compare(len(having[x.noun]), len(having[y.noun]))
	})
	return nouns
}

// withNouns makes the groups anew in a space in which nouns count beside the vectors, if nouns are known. A noun that each
// has of a few, such as a place, divides a matter; so groups that are alike by their vectors merge.
func (s *settling) withNouns() *settling {
	b := s.newBag()
	if b == nil {
		return s
	}
	w := s.within(newSpace(s.in.IDs, s.in.Vectors, s.places).withNouns(b))
	if len(s.places) > exactPoints {
		w.links = w.space.nearByNouns(w.links, s.links.longest())
	}
	s.check()
	w.group()
	w = w.bestSpace()
	byVectors := *s
	byVectors.of = make([]int32, len(s.of))
	byVectors.take(w.members)
	if byVectors.mergeAlike() > 0 {
		w.take(byVectors.members)
		w.giveHomes()
	}
	if len(s.places) > exactPoints {
		for range passes {
			s.check()
			if w.moveByNouns() == 0 {
				break
			}
		}
	}
	w.reassign()
	return w
}

// take replaces the groups.
func (s *settling) take(groups [][]int32) {
	for r := range s.of {
		s.of[r] = -1
	}
	s.groups, s.members = make([]body, len(groups)), make([][]int32, len(groups))
	for g, points := range groups {
		for _, r := range points {
			s.put(r, int32(g))
		}
	}
}
