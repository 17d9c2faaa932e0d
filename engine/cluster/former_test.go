package cluster

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

// A former cluster whose points are in no group any more goes on if they are alike, and ends if they
// are not.
func TestFormerClustersGoOn(t *testing.T) {
	var world topicWorld
	r := rand.New(rand.NewPCG(5, 21))
	by := newSyllableTeller(rand.New(rand.NewPCG(5, 22)), 30)
	world.add(t, r, by, 600, 0)
	tried := 0
	for topic := 0; topic < by.topics() && tried < 3; topic++ {
		w, close, mixed := world.reduced(topic, 4)
		alone := w.settle(nil, 0)
		if len(close.Members) < 4 || slices.ContainsFunc(alone.Clusters, func(c Settled) bool { return shares(w, c, close) }) {
			continue
		}
		tried++
		s := w.settle([]Former{close, mixed}, 1)
		at := slices.IndexFunc(s.Clusters, func(c Settled) bool { return c.ID == close.ID })
		if at < 0 || s.Clusters[at].Density < looseBelow || !shares(w, s.Clusters[at], close) {
			t.Errorf("topic %d: the former cluster has ended", topic)
		}
		if slices.ContainsFunc(s.Clusters, func(c Settled) bool { return c.ID == mixed.ID }) {
			t.Errorf("topic %d: points about nothing go on as a cluster", topic)
		}
	}
	if tried < 3 {
		t.Fatalf("only %d topics of four memories were in no cluster", tried)
	}
}

// reduced is the world with n memories of a topic, which were a cluster as some about nothing were.
func (w *topicWorld) reduced(topic, n int) (out topicWorld, close, mixed Former) {
	close.ID, mixed.ID = "close", "mixed"
	for i, id := range w.ids {
		switch {
		case w.topics[i] == topic && len(close.Members) == n:
			continue
		case w.topics[i] == topic:
			close.Members = append(close.Members, id)
		case w.topics[i] < 0 && len(mixed.Members) < 8:
			mixed.Members = append(mixed.Members, id)
		}
		out.ids, out.vectors, out.topics = append(out.ids, id), append(out.vectors, w.vectors[i]), append(out.topics, w.topics[i])
	}
	return out, close, mixed
}

// shares reports whether a cluster has a member of a former one.
func shares(w topicWorld, c Settled, f Former) bool {
	return slices.ContainsFunc(c.Members, func(m int) bool { return slices.Contains(f.Members, graph.ID(w.ids[m])) })
}

// In small sets a few new memories must not regroup the others. The sentences share forms, so that two groupings
// are nearly as good.
func TestSmallSetsKeepTheirClusters(t *testing.T) {
	died, nights := 0, 0
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 77))
		by := fewTopics{newMinutesTeller(), 3 + int(seed%4)}
		var w topicWorld
		w.add(t, r, by, 60+20*int(seed%4), 0)
		var before []Former
		for night := range 8 {
			s := w.settle(before, night)
			nights += len(before)
			for _, e := range s.Events {
				if e.Kind == Died {
					died++
				}
			}
			before = nil
			for _, c := range s.Clusters {
				f := Former{ID: c.ID}
				for _, m := range c.Members {
					f.Members = append(f.Members, w.ids[m])
				}
				before = append(before, f)
			}
			w.add(t, r, by, 6, 10_000*(night+1))
		}
	}
	if t.Logf("%d of %d clusters died in a night", died, nights); 25*died > nights {
		t.Errorf("%d of %d clusters died in a night, want at most one in 25", died, nights)
	}
}

// fewTopics tells of the first topics only.
type fewTopics struct {
	teller
	n int
}

func (f fewTopics) topics() int { return f.n }
