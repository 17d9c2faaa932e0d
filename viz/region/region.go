package region

import (
	"math"
	"slices"
)

// Region is a region of a map.
type Region struct {
	Centre [3]float32 // centre of its memories
	Radius float32    // radius that contains half of its memories
	Count  int        // number of memories in it
	Words  []string   // 1 to 3 typical words, the most typical first
}

const (
	minMemories       = 24    // smaller maps have no regions
	maxRegions        = 28    // maximum number of regions
	kMeansRounds      = 12    // iterations of k-means; it moves little after that
	fitSample         = 8192  // memories used to find the centres
	textSample        = 16384 // texts that are read for words
	memoriesPerRegion = 40    // memories that justify another region
)

// Find returns the regions of a map in the order of their size, each with typical words. A
// region without typical words is left out. The same input gives the same regions.
func Find(places [][3]float32, texts []string) []Region {
	if len(places) < minMemories {
		return nil
	}
	k := min(maxRegions, max(3, int(2.5*math.Sqrt(float64(len(places))/memoriesPerRegion))))
	middles := kMeans(evenSample(places), k)
	cells := make([][]int, len(middles))
	for i, p := range places {
		c := nearest(middles, p)
		cells[c] = append(cells[c], i)
	}
	words := typical(cells, texts, (len(places)+textSample-1)/textSample)
	var out []Region
	for c, members := range cells {
		if len(words[c]) == 0 {
			continue
		}
		middle := mean(places, members)
		far := make([]float64, len(members))
		for j, i := range members {
			far[j] = math.Sqrt(squaredDistance(middle, places[i]))
		}
		slices.Sort(far)
		out = append(out, Region{Centre: middle, Radius: float32(far[len(far)/2]), Count: len(members), Words: words[c]})
	}
	slices.SortStableFunc(out, func(a, b Region) int { return b.Count - a.Count })
	return out
}

// evenSample returns every n-th position, at most fitSample.
func evenSample(places [][3]float32) [][3]float32 {
	step := (len(places) + fitSample - 1) / fitSample
	var out [][3]float32
	for i := 0; i < len(places); i += step {
		out = append(out, places[i])
	}
	return out
}

// kMeans returns the centres of k cells, or of fewer if there are not enough positions.
func kMeans(places [][3]float32, k int) [][3]float32 {
	middles := farthestFirst(places, k)
	for range kMeansRounds {
		cells := make([][]int, len(middles))
		for i, p := range places {
			c := nearest(middles, p)
			cells[c] = append(cells[c], i)
		}
		for c, members := range cells {
			if len(members) > 0 {
				middles[c] = mean(places, members)
			}
		}
	}
	return middles
}

// farthestFirst selects k positions: the one nearest to the mean, then repeatedly the one
// farthest from those selected.
func farthestFirst(places [][3]float32, k int) [][3]float32 {
	all := make([]int, len(places))
	for i := range all {
		all[i] = i
	}
	at := nearest(places, mean(places, all))
	left := make([]float64, len(places)) // squared distance to the nearest selected position
	for i := range left {
		left[i] = math.Inf(1)
	}
	var out [][3]float32
	for len(out) < k && left[at] > 0 {
		out = append(out, places[at])
		next := 0
		for i, p := range places {
			left[i] = min(left[i], squaredDistance(places[at], p))
			if left[i] > left[next] {
				next = i
			}
		}
		at = next
	}
	return out
}

func nearest(middles [][3]float32, p [3]float32) int {
	best, least := 0, math.Inf(1)
	for c, m := range middles {
		if d := squaredDistance(m, p); d < least {
			best, least = c, d
		}
	}
	return best
}

func mean(places [][3]float32, members []int) [3]float32 {
	var sum [3]float64
	for _, i := range members {
		for d, x := range places[i] {
			sum[d] += float64(x)
		}
	}
	var out [3]float32
	for d := range out {
		out[d] = float32(sum[d] / float64(max(len(members), 1)))
	}
	return out
}

// squaredDistance is the square of the Euclidean distance.
func squaredDistance(a, b [3]float32) float64 {
	x, y, z := float64(a[0]-b[0]), float64(a[1]-b[1]), float64(a[2]-b[2])
	return x*x + y*y + z*z
}
