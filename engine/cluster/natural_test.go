package cluster

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
	"github.com/somnograph/somnograph/internal/topictest"
)

// draw makes a world of some topics, each with least to most sentences, and a share of strays.
func draw(t *testing.T, p topictest.Pool, seed uint64, topics, least, most int, strays float64) (w topicWorld) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 149))
	add := func(text string, topic int) {
		w.texts, w.topics = append(w.texts, text), append(w.topics, topic)
	}
	for _, k := range r.Perm(len(p.Topics))[:min(topics, len(p.Topics))] {
		own := p.Topics[k]
		n := min(len(own), least+r.IntN(most-least+1))
		for _, i := range r.Perm(len(own))[:n] {
			add(own[i], k)
		}
	}
	n := min(len(p.Strays), int(strays/(1-strays)*float64(len(w.texts))+0.5))
	for _, i := range r.Perm(len(p.Strays))[:n] {
		add(p.Strays[i], -1)
	}
	r.Shuffle(len(w.texts), func(i, j int) {
		w.texts[i], w.texts[j] = w.texts[j], w.texts[i]
		w.topics[i], w.topics[j] = w.topics[j], w.topics[i]
	})
	var err error
	if w.vectors, err = hashed.New().Embed(context.Background(), w.texts, models.Passage); err != nil {
		t.Fatal(err)
	}
	for i := range w.texts {
		w.ids = append(w.ids, name(i))
	}
	return w
}

// namesOf names groups of texts as a sleep does, without people.
func namesOf(texts []string) func(groups [][]int) []Name {
	return func(groups [][]int) []Name {
		counts := make([]*Terms, len(groups))
		for i, g := range groups {
			counts[i] = NewIndexed()
			for _, at := range g {
				counts[i].Add(texts[at])
			}
		}
		all := NewTerms()
		all.Merge(counts...)
		taken, spread := map[string]bool{}, Spread(counts)
		order := sequence(len(groups))
		slices.SortStableFunc(order, func(a, b int) int { return len(groups[b]) - len(groups[a]) })
		out := make([]Name, len(groups))
		for _, i := range order {
			l := Label(LabelInput{Members: counts[i], All: all, Classes: len(groups), Spread: spread, Medoid: texts[groups[i][0]], Taken: taken})
			taken[l.Text] = true
			own := make([]string, len(groups[i]))
			for k, at := range groups[i] {
				own[k] = texts[at]
			}
			out[i] = Name{Share: l.Share, Weak: l.Weak, Matter: l.Matter, Linked: Linked(own, l.Nouns), Sides: Sides(own, l.Nouns)}
			for _, side := range out[i].Sides {
				for k, at := range side {
					side[k] = groups[i][at]
				}
			}
		}
		return out
	}
}

// naturalMeans are the mean adjusted Rand index and coverage of worlds of a pool: large ones of 8 to 15 topics of 6 to 24
// sentences, or small ones of 2 to 8 topics of 3 to 11.
func naturalMeans(t *testing.T, p topictest.Pool, small, nouns bool, worlds int) (index, covered float64) {
	t.Helper()
	for seed := range uint64(worlds) {
		r := rand.New(rand.NewPCG(seed, 7))
		var w topicWorld
		if small {
			w = draw(t, p, seed, 2+r.IntN(7), 3, 11, noiseShare)
		} else {
			w = draw(t, p, seed, 8+r.IntN(8), 6+r.IntN(6), 24, 0.05+0.2*r.Float64())
		}
		in := SettleInput{IDs: w.ids, Vectors: w.vectors, Near: nearest(w.vectors, 24), Names: namesOf(w.texts), NewID: func(n int) graph.ID { return graph.ID(fmt.Sprint("c", n)) }}
		if nouns {
			in.Nouns, in.Proper = Nouns(w.texts)
		}
		s := Settle(in)
		index += adjustedRand(labelsOf(s, len(w.ids)), w.truth()) / float64(worlds)
		covered += w.covered(s) / float64(worlds)
	}
	return index, covered
}

// Sentences of one topic share few words, and seldom the same. The first two pools were there when the rules were written: in one
// each sentence says what it is about, in the other it often does not. The last one was written afterwards.
func TestNaturalSentences(t *testing.T) {
	worlds := 12
	if testing.Short() {
		worlds = 4
	}
	strays := topictest.Read(t, "terse").Strays
	for _, c := range []struct {
		pool           string
		small          bool
		index, covered float64 // least
	}{
		{"first", false, 0.3, 0.74}, {"first", true, 0.27, 0.55}, {"terse", false, 0.07, 0.35}, {"terse", true, 0.03, 0.1},
		{"second", false, 0.5, 0.8}, {"second", true, 0.35, 0.55},
	} {
		p := topictest.Read(t, c.pool)
		if len(p.Strays) == 0 {
			p.Strays = strays
		}
		without, coveredWithout := naturalMeans(t, p, c.small, false, worlds)
		index, covered := naturalMeans(t, p, c.small, true, worlds)
		t.Logf("%s, small %v: adjusted Rand index %.3f, covered %.2f; without nouns %.3f, %.2f", c.pool, c.small, index, covered, without, coveredWithout)
		if !testing.Short() && (index < c.index || covered < c.covered) {
			t.Errorf("%s, small %v: %.3f, %.2f; want %.2f, %.2f", c.pool, c.small, index, covered, c.index, c.covered)
		}
		if index < without || covered < coveredWithout {
			t.Errorf("%s, small %v: nouns make it worse", c.pool, c.small)
		}
	}
}

// A member that shares no word with most others is held by those that have words of both.
func TestSharedNounsChain(t *testing.T) {
	texts := []string{
		"The mare stands in the stable.", "The saddle of the mare is new.", "Hay for the stable arrives by cart.", "The saddle hangs beside the hay.", "The stable needs a saddle rack.",
		"The kiln cracked under the glaze.", "The glaze in the kiln ran.", "A pot with the glaze broke.", "The pot dries beside the kiln.", "The glaze needs a pot.",
	}
	nouns, names := Nouns(texts)
	if want := []string{english.Lemma("mare"), english.Lemma("saddle")}; !slices.Equal(nouns[1], want) {
		t.Errorf("%q, want %q", nouns[1], want)
	}
	in := SettleInput{Nouns: nouns, Proper: names}
	for i := range texts {
		in.IDs, in.Vectors = append(in.IDs, name(i)), append(in.Vectors, direction(rand.New(rand.NewPCG(1, uint64(i))), 64))
	}
	in.Near = exactNeighbours(in.Vectors, 8)
	s := newSettling(in)
	if !s.groupByNouns() {
		t.Fatal("no groups")
	}
	var got [][]int
	for _, members := range s.members {
		if len(members) > 0 {
			got = append(got, s.placesOf(members))
		}
	}
	if len(got) != 2 || !slices.Equal(got[0], []int{0, 1, 2, 3, 4}) || !slices.Equal(got[1], []int{5, 6, 7, 8, 9}) {
		t.Errorf("%v", got)
	}
}

// placesOf returns the indices of ranks, ascending.
func (s *settling) placesOf(ranks []int32) (out []int) {
	for _, r := range ranks {
		out = append(out, s.places[r])
	}
	slices.Sort(out)
	return out
}

// Over ten nights of two per cent new memories, members of clusters of nouns keep their cluster from one night to the next.
func TestClustersOfNounsLastOverNights(t *testing.T) {
	strays := topictest.Read(t, "terse").Strays
	seeds := uint64(5)
	if testing.Short() {
		seeds = 2
	}
	for _, pool := range []string{"first", "second", "terse"} {
		p := topictest.Read(t, pool)
		if len(p.Strays) == 0 {
			p.Strays = strays
		}
		kept, all := 0, 0
		for seed := range seeds {
			k, n := lasting(t, draw(t, p, seed, 12, 10, 24, 0.15), true)
			t.Logf("%s, seed %d: %.1f %% of members keep their cluster each night", pool, seed, 100*float64(k)/float64(n))
			kept, all = kept+k, all+n
			if float64(k) < 0.95*float64(n) {
				t.Errorf("%s, seed %d: %d of %d members kept their cluster", pool, seed, k, n)
			}
		}
		t.Logf("%s: %.1f %%", pool, 100*float64(kept)/float64(all))
	}
}

// lasting settles a world that grows by two per cent on each of ten nights, and counts the members of each night that are
// in the same cluster on the next.
func lasting(t *testing.T, w topicWorld, nouns bool) (kept, all int) {
	t.Helper()
	var before []Former
	was := map[graph.ID]graph.ID{}
	for night := range 11 {
		n := len(w.ids) * (100 - 2*(10-night)) / 100
		in := SettleInput{IDs: w.ids[:n], Vectors: w.vectors[:n], Near: nearest(w.vectors[:n], 24), Names: namesOf(w.texts[:n]), Before: before}
		in.NewID = func(n int) graph.ID { return graph.ID(fmt.Sprintf("c%d-%d", night, n)) }
		if nouns {
			in.Nouns, in.Proper = Nouns(w.texts[:n])
		}
		before = nil
		is := map[graph.ID]graph.ID{}
		for _, c := range Settle(in).Clusters {
			f := Former{ID: c.ID}
			for _, m := range c.Members {
				f.Members, is[w.ids[m]] = append(f.Members, w.ids[m]), c.ID
			}
			before = append(before, f)
		}
		for id, c := range was {
			if is[id] == c {
				kept++
			}
		}
		all += len(was)
		was = is
	}
	return kept, all
}

// A group of nouns needs a name that enough of its members have, and a new one more than one that goes on.
func TestGroupsOfNounsNeedAName(t *testing.T) {
	s := &settling{of: make([]int32, 12), places: sequence(12), byNouns: true}
	s.in.Nouns = make([][]string, 12)
	members := func(n int) []int32 { return sequence32(n) }
	for _, c := range []struct {
		name   Name
		n      int
		former bool
		want   bool
	}{
		{Name{Share: 0.6, Matter: 3}, 5, false, true},
		{Name{Share: 0.5, Matter: 2}, 4, false, false}, // two of four
		{Name{Share: 0.7, Matter: 2}, 3, false, true},  // two of three
		{Name{Share: 0.8, Matter: 1}, 5, false, false}, // four of five have only a person in common
		{Name{Share: 0.3, Matter: 3}, 11, false, false},
		{Name{Share: 0.3, Matter: 3}, 11, true, true},
		{Name{Share: 0.3, Matter: 2}, 7, true, false},
		{Name{}, 11, true, false},
	} {
		s.former, s.topical = nil, nil
		for r := range s.of {
			s.of[r] = -1
			s.in.Nouns[r] = nil
			if r < c.n {
				s.of[r], s.in.Nouns[r] = 0, []string{"kiln"}
			}
		}
		if c.former {
			s.former = [][]int32{members(c.n - 1)}
		}
		if got := s.named(c.name, members(c.n)); got != c.want {
			t.Errorf("%+v of %d, former %v: %v", c.name, c.n, c.former, got)
		}
	}
	s.byNouns, s.former = false, nil
	if !s.named(Name{Share: 0.3, Matter: 1}, members(4)) {
		t.Error("a group of vectors needs only a name")
	}
}

// A small group of nouns has a matter if a noun or a mark fits it. A name fits if most have it, and of three members none may be tied
// to the others by names alone.
func TestSmallGroupsNeedAMatter(t *testing.T) {
	tag := func(name string) []Mark { return []Mark{{Name: name, Weight: 0.5, Topic: true}} }
	for _, c := range []struct {
		why     string
		nouns   [][]string
		marks   [][]Mark
		members int
		want    bool
	}{
		{"a noun of most", [][]string{{"kiln"}, {"kiln"}, {"kiln", "shed"}, {"shed"}, {"kiln"}}, nil, 4, true},
		{"nouns that more others have", [][]string{{"kiln"}, {"kiln"}, {"shed"}, {"shed"}, {"kiln", "shed"}, {"kiln", "shed"}, {"kiln", "shed"}, {"shed", "kiln"}}, nil, 4, false},
		{"such a noun, and a tag that no other has", [][]string{{"kiln"}, {"kiln"}, {}, {}, {"kiln"}, {"kiln"}, {"kiln"}, {"kiln"}}, [][]Mark{tag("tag clay"), {}, tag("tag clay"), {}, {}, {}, {}, {}}, 4, true},
		{"such a noun, and a session", [][]string{{"kiln"}, {"kiln"}, {}, {}, {"kiln"}, {"kiln"}, {"kiln"}, {"kiln"}}, [][]Mark{{{Name: "session 1", Weight: 0.3}}, {}, {{Name: "session 1", Weight: 0.3}}, {}, {}, {}, {}, {}}, 4, false},
		{"a name of half", [][]string{{"orrin"}, {"orrin"}, {}, {}}, nil, 4, false},
		{"a name of three quarters", [][]string{{"orrin"}, {"orrin"}, {"orrin"}, {}}, nil, 4, true},
		{"two with a noun, and one with a name of one of them", [][]string{{"pin", "tomas"}, {"pin"}, {"winch", "tomas"}}, nil, 3, false},
		{"two with a noun, and one with another one of one of them", [][]string{{"pin", "winch"}, {"pin"}, {"winch", "tomas"}}, nil, 3, true},
		{"two with a noun, and one with one that most others have", [][]string{{"pin", "winch"}, {"pin"}, {"winch"}, {"winch"}, {"winch"}, {"winch"}, {"winch"}, {"winch"}}, nil, 3, false},
	} {
		n := len(c.nouns)
		s := &settling{of: make([]int32, n), places: sequence(n)}
		s.in.Nouns, s.in.Marks, s.in.Proper = c.nouns, c.marks, map[string]bool{"orrin": true, "tomas": true}
		if got := s.hasMatter(sequence32(c.members)); got != c.want {
			t.Errorf("%s: %v", c.why, got)
		}
	}
}

func sequence32(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}
