package index

import (
	"testing"
	"time"
)

func TestWordsOfAMemory(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	one := f.memory(epoch, "Mira waters the ferns, all the ferns")
	f.put(one, nil)
	settle(t, x, f)
	got := x.Words(world, nil, []*Doc{{ID: one.ID}, {ID: "unknown"}})
	if len(got[0]) != 4 || got[1] != nil {
		t.Fatalf("%v", got)
	}
	rarity := x.Rarity(world, nil)
	for _, w := range got[0] {
		want := map[string]float64{"mira": 1, "water": 1, "fern": 2, "all": 1}[w.Term]
		if r, _ := rarity(w.Term); w.Frequency != want || w.Rarity != r {
			t.Errorf("%+v, want %v times with rarity %v", w, want, r)
		}
	}
}

func TestCoverageIsTheShareOfTheQuestionThatAMemoryContains(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{})
	var docs []*Doc
	for i, content := range []string{"Mira waters the ferns", "Mira sleeps", "The car is red", "Mira buys bread"} {
		m := f.memory(epoch.Add(time.Duration(i)*time.Minute), content)
		f.put(m, nil)
		docs = append(docs, &Doc{ID: m.ID})
	}
	settle(t, x, f)
	got := x.Coverage(world, nil, "Does Mira water ferns?", nil, docs)
	near(t, "all words", got[0], 1)
	if got[1] <= 0 || got[1] >= 0.34 || got[2] != 0 || got[3] != got[1] {
		t.Errorf("a common word: %v; none: %v", got[1], got[2])
	}
	got = x.Coverage(world, nil, "vehicle", []Related{{Word: "vehicle", Others: []string{"car"}}}, docs)
	near(t, "a related word", got[2], relatedWeight)
	for i, v := range x.Coverage(world, nil, "Who is it?", nil, docs) {
		if v != 0 {
			t.Errorf("a question without terms: %v for memory %d", v, i)
		}
	}
}
