package index

import (
	"context"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

// listed is a list of topics for tests.
type listed map[string][]uint16

func (l listed) Of(term string) []uint16 { return l[term] }
func (l listed) Sum() uint64             { return uint64(len(l)) }

// matters maps words of the tests to topics: 0 water, 1 work, 127 growing; and to groups: 128 on
// water, 767 places on water, 428 planted, 429 fruit.
var matters = listed{
	"boat": {0, 128}, "river": {0, 128, 767}, "harbour": {0, 767}, "meet": {1}, "budget": {1}, "deploy": {1}, "server": {1}, "garden": {127, 428},
	"appl": {127, 428, 429}, "orang": {127, 429}, "water": {0, 1, 127}, "fig": {429},
}

func TestSameTopicIsFoundWithoutCommonWord(t *testing.T) {
	f := newFeed()
	x := opened(t, f, Options{Topics: matters})
	put := func(text string) graph.ID {
		m := f.memory(epoch, text)
		f.put(m, nil)
		return m.ID
	}
	boat, both, other := put("The boat is tarred"), put("The harbour has a garden"), put("A candle burns")
	ask := func(q Query) map[graph.ID]Candidate {
		q.Now = epoch.Add(time.Hour)
		return recalled(t, x, f, q)
	}
	got := ask(Query{Texts: []string{"river"}, Topics: true})
	if len(got) != 2 || got[boat].Keyword != 1 || got[both].Keyword <= 0 || got[other].Doc != nil {
		t.Errorf("asked for what is about a river: %v", f.contents(got))
	}
	if got = ask(Query{Texts: []string{"river"}}); len(got) != 0 {
		t.Errorf("asked for the word alone: %v", f.contents(got))
	}
	got = ask(Query{Texts: []string{"boat garden"}})
	// Topics have two thirds of the weight, groups one third.
	near(t, "one of two topics and groups", got[boat].Topical, (2+1.0/2)/3)
	near(t, "two topics and one of two groups", got[both].Topical, (2+1.0/2)/3)
	if got = ask(Query{Texts: []string{"river river garden candle"}}); got[both].Topical != 1 || got[other].Topical != 0 {
		t.Errorf("topical %v and %v", got[both].Topical, got[other].Topical)
	}
	got = ask(Query{Texts: []string{"river river garden tarred"}})
	near(t, "what the question says most of", got[boat].Topical, (2+1.0/2)/3) // a river is in two groups, so each of its two counts half
	got = ask(Query{Texts: []string{"river garden garden tarred"}})
	near(t, "what it says less of", got[boat].Topical, (2*0.5+0.5/2.5)/3)
	got = ask(Query{Texts: []string{"fig candle"}})
	near(t, "another kind of matter", got[other].Topical, 0)
	got = ask(Query{Texts: []string{"fig tarred"}})
	near(t, "no topic and no group", got[boat].Topical, 0)
	got = ask(Query{Texts: []string{"candle"}})
	near(t, "a question about nothing known", got[other].Topical, 0)
}

// A memory with unchanged words keeps its topics when another field changes and when the index
// starts from a snapshot. A snapshot of another topic list is rejected.
func TestTopicsFollowTheirWords(t *testing.T) {
	f := newFeed()
	dir := t.TempDir()
	m := f.memory(epoch, "The boat is tarred")
	f.put(m, nil)
	find := func(x *Index) float64 {
		t.Helper()
		got := recalled(t, x, f, Query{Texts: []string{"river"}, Topics: true, Now: epoch.Add(time.Hour)})
		return got[m.ID].Keyword * got[m.ID].Topical
	}
	open := func(topics Topics) *Index {
		t.Helper()
		x, err := Open(context.Background(), f, Options{Dir: dir, Topics: topics})
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	x := open(matters)
	changed := *m
	changed.Importance = 0.9
	f.put(&changed, nil)
	f.use(m.ID, epoch.Add(time.Minute))
	near(t, "after a change", find(x), 1)
	for _, next := range []struct {
		name   string
		topics Topics
		want   float64
	}{{"from the snapshot", matters, 1}, {"under a list without boats", listed{"river": {0}}, 0}, {"and again", matters, 1}} {
		if err := x.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		x = open(next.topics)
		near(t, next.name, find(x), next.want)
	}
	if err := x.Close(context.Background()); err != nil {
		t.Fatal(err)
	}
}
