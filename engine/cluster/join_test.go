package cluster

import (
	"fmt"
	"testing"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/topictest"
)

// joinsOf settles four fifths of natural worlds, and counts the rest that join a cluster: all, those that hold, and of both those on the
// topic of most members.
func joinsOf(t *testing.T, p topictest.Pool, worlds int) (all, right, held, heldRight int) {
	t.Helper()
	for seed := range uint64(worlds) {
		w := draw(t, p, seed, 12, 8, 24, 0.15)
		n := len(w.ids) * 4 / 5
		in := SettleInput{IDs: w.ids[:n], Vectors: w.vectors[:n], Near: nearest(w.vectors[:n], 24), Names: namesOf(w.texts[:n]), NewID: func(n int) graph.ID { return graph.ID(fmt.Sprint("c", n)) }}
		in.Nouns, in.Proper = Nouns(w.texts[:n])
		s := Settle(in)
		c := NewCentroids(len(w.vectors[0]))
		var topics []int // by cluster: the topic of most members, −1 for none
		for _, x := range s.Clusters {
			var vectors [][]float32
			count, best := map[int]int{}, -1
			for _, m := range x.Members {
				vectors = append(vectors, w.vectors[m])
				if k := w.topics[m]; k >= 0 {
					if count[k]++; best < 0 || count[k] > count[best] {
						best = k
					}
				}
			}
			c.Add(vectors)
			topics = append(topics, best)
		}
		for i := n; i < len(w.ids); i++ {
			k, strength, ok := c.Join(w.vectors[i])
			if !ok {
				continue
			}
			same := 0
			if w.topics[i] >= 0 && w.topics[i] == topics[k] {
				same = 1
			}
			all, right = all+1, right+same
			if Holds(s.Clusters[k].Density, strength) {
				held, heldRight = held+1, heldRight+same
			}
		}
	}
	return all, right, held, heldRight
}

// Groups of nouns are loose by their vectors: of natural sentences, what joins one weakly is mostly on another topic.
func TestLooseClustersHoldWhatIsNear(t *testing.T) {
	worlds := 12
	if testing.Short() {
		worlds = 3
	}
	strays := topictest.Read(t, "terse").Strays
	for _, c := range []struct {
		pool  string
		least float64 // share of what joins that is right
	}{{"first", 0.6}, {"second", 0.65}} {
		p := topictest.Read(t, c.pool)
		if len(p.Strays) == 0 {
			p.Strays = strays
		}
		all, right, held, heldRight := joinsOf(t, p, worlds)
		t.Logf("%s: %d of %d join their topic; with the bound %d of %d", c.pool, right, all, heldRight, held)
		if before, now := float64(right)/float64(all), float64(heldRight)/float64(held); now < c.least || now < before {
			t.Errorf("%s: right %.2f with the bound, %.2f without; want %.2f", c.pool, now, before, c.least)
		}
	}
}
