package recall_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/rank"
	"github.com/somnograph/somnograph/graph"
)

// matter is a matter with words of its own.
type matter struct{ things, places []string }

var (
	winch   = matter{[]string{"winch", "hawser", "capstan", "bollard", "anchor chain", "windlass"}, []string{"the slipway", "the quay", "the foredeck", "the dry dock"}}
	bakery  = matter{[]string{"sourdough", "rye loaf", "brioche dough", "proving basket", "flour order", "baguette"}, []string{"the oven", "the bakery", "the proving room", "the flour mill"}}
	quartet = matter{[]string{"violin", "cello bow", "concerto", "quartet rehearsal", "string quartet", "sonata"}, []string{"the concert hall", "the conservatory", "the music school", "the orchestra pit"}}
)

// sentence is the n-th sentence about the matter.
func (x matter) sentence(n int) string {
	thing := func(k int) string { return x.things[(n+k*(1+n/len(x.things)))%len(x.things)] }
	form := []string{"The %s and the %s were seen with a %s at %s (%d)", "%s, %s or %s: ask at %s, number %d", "Bring %s, %s and %s to %s by %d"}[n%3]
	return fmt.Sprintf(form, thing(0), thing(1), thing(2), x.places[n%len(x.places)], 100+n)
}

// tell remembers n sentences about a matter.
func tell(w *enginetest.World, x matter, n int, with ...func(*engine.RememberInput)) (ids []graph.ID) {
	for i := range n {
		ids = append(ids, w.Remember(x.sentence(i), append(with, func(in *engine.RememberInput) { in.Type, in.OnDuplicate = graph.Semantic, engine.Insert })...).Memory.ID)
	}
	return ids
}

// sleepDeeply lets a day pass and sleeps.
func sleepDeeply(w *enginetest.World) {
	w.T.Helper()
	w.Clock.Advance(24 * time.Hour)
	if _, err := w.Sleep(w.T.Context(), w.Caller, engine.SleepInput{Deep: true, Wait: true}); err != nil {
		w.T.Fatal(err)
	}
}

// threeMatters is a world with a cluster for each of three matters.
func threeMatters(t *testing.T) (w *enginetest.World, winches []graph.ID) {
	w = enginetest.New(t)
	winches = tell(w, winch, 24)
	tell(w, bakery, 24)
	tell(w, quartet, 24)
	sleepDeeply(w)
	if len(clustersOf(w, winches)) == 0 {
		t.Fatal("no memory about winches is in a cluster")
	}
	return w, slices.DeleteFunc(winches, func(id graph.ID) bool { // one of them may restate another
		v, err := w.Memory(t.Context(), w.Caller, id, engine.Access{})
		return err != nil || v.State.Status != graph.Active
	})
}

// clustersOf returns the clusters of memories, each once.
func clustersOf(w *enginetest.World, ids []graph.ID) (in []graph.ID) {
	w.T.Helper()
	found, err := w.ClustersOfMemories(w.T.Context(), w.Caller, ids)
	if err != nil {
		w.T.Fatal(err)
	}
	for _, c := range found {
		if c != nil && !slices.Contains(in, c.ID) {
			in = append(in, c.ID)
		}
	}
	return in
}

// makePattern makes a pattern with some sources, as a sleep derives it.
func makePattern(w *enginetest.World, text string, sources []graph.ID, with ...func(*engine.RememberInput)) graph.ID {
	w.T.Helper()
	id := w.Remember(text, append(with, func(in *engine.RememberInput) {
		in.Type, in.SourceKind, in.OnDuplicate = graph.Semantic, graph.FromConsolidation, engine.Insert
	})...).Memory.ID
	_, err := w.Store.Update(w.T.Context(), w.Caller.Scope(), func(tx graph.Tx) error {
		m, err := tx.Memory(id)
		if err != nil {
			return err
		}
		m.Pattern = &graph.Pattern{Kind: graph.Constraint, Actions: []string{text}, Confidence: 0.86, Occurrences: len(sources), HeldOut: 1, ValidatedAt: w.Clock.Now()}
		m.SourceKind = graph.FromConsolidation
		for _, s := range sources {
			if err := tx.PutEdge(graph.Edge{From: id, Kind: graph.DerivedFrom, To: s, Weight: 1, At: w.Clock.Now()}); err != nil {
				return err
			}
		}
		return tx.PutMemory(m, graph.EventUpdated)
	})
	if err != nil {
		w.T.Fatal(err)
	}
	w.Remember("A write after it, so that the next search sees the pattern: " + text[:8])
	return id
}

func prefer(p engine.TierPreference) func(*engine.SearchInput) {
	return func(in *engine.SearchInput) { in.TierPreference = p }
}

// says reports whether a message of an explanation contains a text.
func says(x *rank.Explanation, text string) bool {
	return strings.Contains(x.Message, text) || slices.ContainsFunc(x.Children, func(c *rank.Explanation) bool { return says(c, text) })
}

// wantTiers compares the counts of tiers with the hits.
func wantTiers(t *testing.T, r *engine.SearchResult) {
	t.Helper()
	var n engine.TierCounts
	for _, h := range r.Hits {
		switch h.Tier {
		case engine.TierPattern:
			n.Patterns++
		case engine.TierCluster:
			n.Clusters++
		case engine.TierMemory:
			n.Memories++
		default:
			t.Errorf("a hit of tier %q", h.Tier)
		}
	}
	if r.Tiers != n {
		t.Errorf("tiers %+v, the hits say %+v", r.Tiers, n)
	}
}

func TestHitsAndAnswersNameTheirClusters(t *testing.T) {
	w, winches := threeMatters(t)
	r := w.Search("capstan and bollard at the quay")
	wantTiers(t, r)
	of := clustersOf(w, winches)
	named := 0
	for _, h := range r.Hits {
		if h.Cluster != "" {
			in, err := w.ClustersByID(t.Context(), w.Caller, []graph.ID{h.Cluster})
			if named++; err != nil || in[0].Label.Text == "" || !slices.Contains(of, h.Cluster) || !says(h.Explain(), fmt.Sprintf("in the cluster %q", in[0].Label.Text)) {
				t.Errorf("%q is in cluster %s", h.Memory.Content, h.Cluster)
			}
		}
	}
	matching := r.Clusters()
	if named == 0 || len(matching) == 0 || !slices.Contains(of, matching[0].ID) {
		t.Fatalf("%d of %d hits in a cluster, matching %+v, those about winches are %v", named, len(r.Hits), matching, of)
	}
	for i, c := range matching {
		if c.Score <= 0 || c.Score > 1 || i > 0 && c.Score > matching[i-1].Score {
			t.Errorf("scores %+v", matching)
		}
	}
	past := w.Search("capstan and bollard at the quay", func(in *engine.SearchInput) { in.Access.AsOf.Recorded = w.Clock.Now() })
	if len(past.Hits) == 0 || len(past.Clusters()) != 0 || past.Hits[0].Cluster != "" {
		t.Errorf("a read of the past has clusters: %+v", past.Clusters())
	}
}

func TestAPatternAnswersAloneInFast(t *testing.T) {
	w, winches := threeMatters(t)
	const text = "The winch must never be started while the hawser is slack"
	id := makePattern(w, text, winches[:12])
	fast := func(in *engine.SearchInput) { in.Effort = engine.EffortFast }
	r := w.Search(text, fast)
	wantTiers(t, r)
	if len(r.Hits) != 1 || r.Hits[0].Memory.ID != id || r.Hits[0].Tier != engine.TierPattern {
		t.Fatalf("%d hits, tiers %+v, relevance %.3f", len(r.Hits), r.Tiers, r.Hits[0].Relevance)
	}
	if x := r.Hits[0].Explain(); !says(x, "pattern of 12 memories, confidence 0.86") || !says(x, "answers alone") {
		t.Errorf("explanation %+v", x)
	}
	for what, r := range map[string]*engine.SearchResult{
		"BALANCED":                      w.Search(text, enginetest.Uncut),
		"FAST, memories only":           w.Search(text, fast, prefer(engine.MemoriesOnly), enginetest.Uncut),
		"FAST, of less relevance":       w.Search("Which hawser lies at the quay with the winch?", fast),
		"FAST, a memory is as relevant": w.Search(winch.sentence(3), fast),
	} {
		if len(r.Hits) < 2 {
			t.Errorf("%s: %d hits", what, len(r.Hits))
		}
	}
}

// Of two patterns in conflict only the more confident one answers alone, also if the question has the words of the other one.
func TestOnlyTheMoreConfidentPatternAnswersAlone(t *testing.T) {
	const weakText, strongText = "The winch must never be started while the hawser is slack", "The winch must be started while the hawser is slack"
	for question, alone := range map[string]bool{weakText: false, strongText: true} {
		w, winches := threeMatters(t)
		weak, strong := makePattern(w, weakText, winches[:12]), makePattern(w, strongText, winches[12:])
		_, err := w.Store.Update(t.Context(), w.Caller.Scope(), func(tx graph.Tx) error {
			if err := tx.PutEdge(graph.Edge{From: weak, Kind: graph.Contradicts, To: strong, Weight: lifecycle.PatternConflict, At: w.Clock.Now()}); err != nil {
				return err
			}
			for id, confidence := range map[graph.ID]float64{weak: 0.8, strong: 0.9} {
				m, err := tx.Memory(id)
				if err != nil {
					return err
				}
				m.Pattern.Confidence, m.Conflict = confidence, lifecycle.PatternConflict
				if err := tx.PutMemory(m, graph.EventUpdated); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		w.Remember("A write after it, so that the next search sees the conflict")
		r := w.Search(question, func(in *engine.SearchInput) { in.Effort = engine.EffortFast })
		place := func(id graph.ID) int {
			return slices.IndexFunc(r.Hits, func(h engine.Hit) bool { return h.Memory.ID == id })
		}
		if place(strong) != 0 || alone && len(r.Hits) != 1 || place(weak) == 0 || place(weak) > 0 && r.Hits[place(weak)].Label != engine.Contested {
			t.Errorf("%q: %d hits, the more confident pattern is hit %d, the other one %d", question, len(r.Hits), place(strong), place(weak))
		}
	}
}

func TestPatternsComeFirstIfPreferred(t *testing.T) {
	w, winches := threeMatters(t)
	var patterns []graph.ID
	for i, text := range []string{"Grease the winch and the capstan", "Lock the winch and the hawser at night", "Test the winch and the capstan in spring", "Paint the winch and the capstan red", "Keep a spare hawser by the winch"} {
		patterns = append(patterns, makePattern(w, text, winches[i:i+5]))
	}
	of := func(r *engine.SearchResult) (places []int) {
		for i, h := range r.Hits {
			if slices.Contains(patterns, h.Memory.ID) {
				places = append(places, i)
			}
		}
		return places
	}
	const question = "winch with hawser and capstan at the slipway"
	auto, first := w.Search(question, enginetest.Uncut), w.Search(question, prefer(engine.PatternsFirst))
	wantTiers(t, auto)
	wantTiers(t, first)
	if n := len(of(auto)); n > 3 {
		t.Errorf("AUTO shows %d patterns", n)
	}
	if got := of(first); !slices.Equal(got, []int{0, 1, 2}) {
		t.Errorf("PATTERNS_FIRST: patterns in places %v", got)
	}
	if r := w.Search(question, prefer(engine.MemoriesOnly)); len(of(r)) != 0 || len(r.Hits) == 0 || r.Tiers.Clusters != 0 {
		t.Errorf("MEMORIES_ONLY: patterns in places %v, tiers %+v", of(r), r.Tiers)
	}
	for _, question := range []string{"sourdough and rye loaf at the bakery", "Who plays music with friends on Sunday evening?"} {
		if r := w.Search(question, prefer(engine.PatternsFirst)); len(r.Hits) == 0 || r.Hits[0].Tier == engine.TierPattern {
			t.Errorf("%s: %d hits, a pattern below the floor is first: %+v", question, len(r.Hits), r.Tiers)
		}
	}
}

// A pattern that hardly has to do with the question leads no answer: a word in common is not enough if others fit much better.
func TestAPatternOfLittleRelevanceDoesNotLead(t *testing.T) {
	w, winches := threeMatters(t)
	const question = "What did Ilse agree with the harbour master about the mooring fees?"
	answer := w.Remember("Ilse agreed with the harbour master that the mooring fees are 40 euros a night.").Memory.ID
	weak := makePattern(w, "The harbour crane must be checked by the master rigger in spring", winches)
	r := w.Search(question, prefer(engine.PatternsFirst), enginetest.Uncut)
	at := slices.IndexFunc(r.Hits, func(h engine.Hit) bool { return h.Memory.ID == weak })
	if at < 0 || !r.Hits[at].AboveFloor {
		t.Fatalf("the pattern is hit %d, and must be above the floor", at)
	}
	if r.Hits[0].Memory.ID != answer {
		t.Errorf("hit 0 is %q, relevance %.2f; the pattern has %.2f", r.Hits[0].Memory.Content, r.Hits[0].Relevance, r.Hits[at].Relevance)
	}
	strong := makePattern(w, "The harbour master agrees mooring fees with Ilse every year", winches)
	if r := w.Search(question, prefer(engine.PatternsFirst)); len(r.Hits) == 0 || r.Hits[0].Memory.ID != strong {
		t.Errorf("a pattern on the matter does not lead: %v", enginetest.IDs(r))
	}
	w.Remember("The sauna stove is lit at six, with water on the stones.")
	for text, leads := range map[string]bool{"The sauna stove must never be lit without water on the stones": true, "The plough blade must be sharpened with oil on the stones": false} {
		id := makePattern(w, text, winches)
		r := w.Search("When may the sauna stove be lit with water on the stones?", prefer(engine.PatternsFirst), enginetest.Uncut)
		if (r.Hits[0].Memory.ID == id) != leads {
			t.Errorf("%s leads: %v", text, !leads)
		}
		if _, err := w.Expire(t.Context(), w.Caller, id); err != nil {
			t.Fatal(err)
		}
	}
}

func TestSourcesComeAfterTheirPattern(t *testing.T) {
	w, winches := threeMatters(t)
	const question = "Must the winch and the hawser be greased before the capstan turns?"
	id := makePattern(w, "The winch and the hawser must be greased before the capstan turns", winches)
	r := w.Search(question, enginetest.Uncut)
	if len(r.Hits) == 0 || r.Hits[0].Memory.ID != id {
		t.Fatalf("the pattern is not first: %v", enginetest.IDs(r))
	}
	seen := false // a source
	for _, h := range r.Hits[1:] {
		source := slices.Contains(winches, h.Memory.ID)
		if seen = seen || source; seen && !source {
			t.Errorf("%q comes after a source of the pattern", h.Memory.Content)
		}
		if source && !says(h.Explain(), "a source of the pattern "+string(id)) {
			t.Errorf("explanation %+v", h.Explain())
		}
	}
}

func TestAPatternStandsForASourceThatScoresALittleMore(t *testing.T) {
	w, winches := threeMatters(t)
	const text = "The winch and the hawser must be greased before the capstan turns"
	important := func(in *engine.RememberInput) {
		importance := 0.65
		in.Importance, in.Type, in.OnDuplicate = &importance, graph.Semantic, engine.Insert
	}
	source := w.Remember(text, important).Memory
	winches = append(winches, source.ID)
	id := makePattern(w, text, winches, func(in *engine.RememberInput) { in.Authority = &source.Authority })
	const question = "Must the winch and the hawser be greased?"
	if r := w.Search(question, enginetest.Uncut, prefer(engine.MemoriesOnly)); len(r.Hits) == 0 || r.Hits[0].Memory.ID != source.ID {
		t.Fatal("the source with the text of the pattern is not the best memory")
	}
	r := w.Search(question, enginetest.Uncut)
	if len(r.Hits) == 0 || r.Hits[0].Memory.ID != id {
		t.Fatalf("the pattern is not first: %v", enginetest.IDs(r))
	}
	for _, h := range r.Hits[1:] {
		if h.Memory.Content == text && h.Score <= r.Hits[0].Score {
			t.Errorf("the source has the score %v, the pattern %v: the test shows nothing", h.Score, r.Hits[0].Score)
		}
	}
}

func TestClustersOnly(t *testing.T) {
	w, winches := threeMatters(t)
	makePattern(w, "The winch is greased at the quay", winches[:5])
	r := w.Search("winch and hawser at the quay", prefer(engine.ClustersOnly))
	wantTiers(t, r)
	if len(r.Hits) < 3 || r.Tiers.Clusters != len(r.Hits) {
		t.Fatalf("tiers %+v", r.Tiers)
	}
	for _, h := range r.Hits {
		if h.Cluster == "" || !slices.Contains(winches, h.Memory.ID) {
			t.Errorf("%q in cluster %q", h.Memory.Content, h.Cluster)
		}
	}
	if r := w.Search("xq zzkr wvvb", prefer(engine.ClustersOnly)); !r.NoMatch || len(r.Hits) > 0 {
		t.Errorf("a text without meaning has hits: %v", enginetest.IDs(r))
	}
	_, err := w.Engine.Search(t.Context(), w.Caller, engine.SearchInput{Query: "winch", TierPreference: engine.ClustersOnly, Access: engine.Access{AsOf: graph.AsOf{Recorded: w.Clock.Now()}}})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "tierPreference")
	_, err = w.Engine.Search(t.Context(), w.Caller, engine.SearchInput{Query: "winch", TierPreference: "LUCK"})
	fixture.WantError(t, err, graph.CodeInvalidRequest, "tierPreference")
}

// Where few hits are left, members of their clusters that have to do with the question are added.
func TestFewHitsAreCompletedFromClusters(t *testing.T) {
	w, winches := threeMatters(t)
	const question = "Was the winch with the hawser and the capstan seen at the slipway, number 100?"
	strict := func(in *engine.SearchInput) { in.MinScoreRatio = new(float64); *in.MinScoreRatio = 0.95 }
	few := w.Search(question, strict, prefer(engine.MemoriesOnly))
	if len(few.Hits) == 0 || len(few.Hits) > 2 {
		t.Fatalf("%d hits without clusters", len(few.Hits))
	}
	r := w.Search(question, strict)
	wantTiers(t, r)
	above := 0
	for _, h := range few.Hits {
		if h.AboveFloor {
			above++
		}
	}
	if r.Tiers.Memories != len(few.Hits) || above == 0 || r.Tiers.Clusters != 3-above || r.Hits[0].Memory.ID != few.Hits[0].Memory.ID {
		t.Fatalf("%d hits, %d of them above the floor, tiers %+v", len(few.Hits), above, r.Tiers)
	}
	for _, h := range r.Hits[len(few.Hits):] {
		if h.Tier != engine.TierCluster || !h.AboveFloor || !slices.Contains(winches, h.Memory.ID) || !says(h.Explain(), ", found through it") {
			t.Errorf("%q of tier %s, above the floor %v", h.Memory.Content, h.Tier, h.AboveFloor)
		}
	}
}

// A pattern drawn from what a user says in the first person is about the user, also if its text has no "I"; one drawn from
// what is said of others is not.
func TestAPatternOfTheUsersStatementsIsAboutTheUser(t *testing.T) {
	const text = "1. Run the schema migration. 2. Deploy the shop service. 3. Check the error dashboard."
	for _, c := range []struct {
		says  string
		about bool
	}{
		{"To release the shop, I run the schema migration, then deploy the shop service, then check the error dashboard (%d).", true},
		{"To release the shop, Dana runs the schema migration, then deploys the shop service, then checks the error dashboard (%d).", false},
	} {
		w := enginetest.New(t)
		var sources []graph.ID
		for i := range 4 {
			sources = append(sources, w.Remember(fmt.Sprintf(c.says, i), func(in *engine.RememberInput) { in.User, in.OnDuplicate = "ana", engine.Insert }).Memory.ID)
		}
		id := makePattern(w, text, sources, func(in *engine.RememberInput) { in.User = "ana" })
		r := w.Search("How do I release the shop service?", func(in *engine.SearchInput) { in.User, in.MinScoreRatio = "ana", new(float64) })
		found := false
		for _, h := range r.Hits {
			if h.Memory.ID == id {
				found = true
				if says(h.Explain(), "the question is about the user, and the memory is not") == c.about {
					t.Errorf("sources %q: %+v", c.says, h.Explain())
				}
			}
		}
		if !found {
			t.Errorf("sources %q: the pattern is not among the hits", c.says)
		}
	}
}

// The clusters of an answer are the same, the best first, if a pattern stands for what its sources say.
func TestThePatternOfAClusterLeadsToIt(t *testing.T) {
	w, winches := threeMatters(t)
	home := clustersOf(w, winches)[0]
	var sources []graph.ID
	for i := range 5 {
		sources = append(sources, w.Remember(fmt.Sprintf("The winch must never run above 1240 turns (%d).", i), func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert }).Memory.ID)
	}
	sleepDeeply(w)
	in := clustersOf(w, sources)
	if len(in) != 1 {
		t.Fatalf("the sources are in %v; winches are in %s", in, home)
	}
	makePattern(w, "The winch must never run above 1240 turns.", sources)
	for _, p := range []engine.TierPreference{engine.PatternsFirst, engine.MemoriesOnly} {
		r := w.Search("How many turns may the winch run?", prefer(p), func(in *engine.SearchInput) { in.TopK = 1 })
		if (r.Hits[0].Tier == engine.TierPattern) == (p == engine.MemoriesOnly) {
			t.Fatalf("%s: the first hit is %q", p, r.Hits[0].Memory.Content)
		}
		if found := r.Clusters(); len(found) == 0 || found[0].ID != in[0] || found[0].Score < r.Hits[0].Relevance {
			t.Errorf("%s: clusters %v, want %s first, with at least %.2f", p, found, in[0], r.Hits[0].Relevance)
		}
	}
}

// A hit alone is completed by members of its cluster that have a word of the question, also below the floor, and by nothing
// else.
func TestOneHitIsCompletedFromItsCluster(t *testing.T) {
	w := enginetest.New(t)
	for _, text := range []string{
		"The kiln of the pottery was fired for nine hours.", "Kaolin dust covers the shelf above the kiln.", "Mara glazed two bowls for the kiln.",
		"The kiln door needs a new hinge.", "A blue vase broke inside the kiln.", "Gas for the kiln costs more each winter.", "The potter Egon bought the kiln in Delft for 900 euros.",
		"Clay from the river is too soft for the wheel.", "The pottery wheel squeaks.",
	} {
		w.Remember(text, func(in *engine.RememberInput) { in.Type, in.OnDuplicate = graph.Semantic, engine.Insert })
	}
	tell(w, bakery, 24)
	tell(w, quartet, 24)
	sleepDeeply(w)
	added := 0
	for _, c := range []struct{ question, word string }{
		{"Who bought the kiln in Delft?", "kiln"}, {"What happened to the blue vase?", "kiln"}, {"How long was the kiln fired?", "kiln"},
	} {
		alone, r := w.Search(c.question, prefer(engine.MemoriesOnly)), w.Search(c.question)
		wantTiers(t, r)
		if len(alone.Hits) == 0 || r.Hits[0].Memory.ID != alone.Hits[0].Memory.ID || len(r.Hits) < len(alone.Hits) || len(r.Hits) > max(3, len(alone.Hits)) {
			t.Errorf("%s: %d hits, %d without clusters", c.question, len(r.Hits), len(alone.Hits))
			continue
		}
		for _, h := range r.Hits[len(alone.Hits):] {
			added++
			if h.Tier != engine.TierCluster || h.Cluster != r.Hits[0].Cluster || !strings.Contains(h.Memory.Content, c.word) {
				t.Errorf("%s: %q of tier %s", c.question, h.Memory.Content, h.Tier)
			}
		}
	}
	if added == 0 {
		t.Error("nothing was added")
	}
}

// Clusters do not answer what means nothing.
func TestClustersDoNotAnswerGibberish(t *testing.T) {
	w, _ := threeMatters(t)
	refused, gibberish := 0, linesOf(t, "testdata/gibberish.txt")
	for _, text := range gibberish {
		with, without := w.Search(text), w.Search(text, prefer(engine.MemoriesOnly))
		if with.NoMatch != without.NoMatch {
			t.Errorf("%q: noMatch %v with clusters, %v without", text, with.NoMatch, without.NoMatch)
		}
		if with.NoMatch {
			refused++
			if len(with.Hits) > 0 || len(with.Clusters()) > 0 {
				t.Errorf("%q: %d hits, clusters %v", text, len(with.Hits), with.Clusters())
			}
		}
	}
	if refused*100 < len(gibberish)*97 {
		t.Errorf("%d of %d texts without meaning refused", refused, len(gibberish))
	}
}

// Nothing of another user's clusters appears.
func TestTiersKeepToTheSight(t *testing.T) {
	w := enginetest.New(t)
	tell(w, bakery, 24, by("ana"))
	tell(w, quartet, 24, by("ana"))
	bos := tell(w, winch, 24, by("bo"))
	sleepDeeply(w)
	hidden := clustersOf(w, bos)
	if len(hidden) == 0 {
		t.Fatal("bo has no cluster")
	}
	ana := w.Caller
	ana.User = "ana"
	for _, p := range []engine.TierPreference{engine.TiersAuto, engine.PatternsFirst, engine.MemoriesOnly, engine.ClustersOnly} {
		for _, question := range []string{"winch and hawser at the quay", "sourdough at the bakery"} {
			for what, in := range map[string]engine.SearchInput{"as ana": {Query: question, TierPreference: p}, "for ana": {Query: question, TierPreference: p, User: "ana"}} {
				c := w.Caller
				if what == "as ana" {
					c = ana
				}
				r, err := w.Engine.Search(t.Context(), c, in)
				if err != nil {
					t.Fatal(err)
				}
				for _, x := range r.Clusters() {
					if slices.Contains(hidden, x.ID) {
						t.Errorf("%s, %s, %q: a cluster of bo", p, what, question)
					}
				}
				for _, h := range r.Hits {
					if slices.Contains(bos, h.Memory.ID) || slices.Contains(hidden, h.Cluster) {
						t.Errorf("%s, %s, %q: %q", p, what, question, h.Memory.Content)
					}
				}
			}
		}
	}
	narrow := w.Caller
	narrow.Sensitivity = graph.Internal
	if r, err := w.Engine.Search(t.Context(), narrow, engine.SearchInput{Query: "winch and hawser at the quay"}); err != nil || len(r.Hits) == 0 || len(r.Clusters()) == 0 {
		t.Errorf("a sight of internal sensitivity: %v", err)
	}
}

// Whether a pattern is about the user depends on the sources that the caller sees, whoever read them before.
func TestSourcesOfPatternsAreJudgedBySight(t *testing.T) {
	w := enginetest.New(t)
	var sources []graph.ID
	for _, text := range []string{"I drink tea on the ferry.", "I have my tea on the ferry.", "I took tea on the ferry again."} {
		sources = append(sources, w.Remember(text, by("ana")).Memory.ID)
	}
	for _, text := range []string{"Tea is served on the ferry.", "The tea of the ferry comes from Assam."} {
		sources = append(sources, w.Remember(text).Memory.ID)
	}
	id := makePattern(w, "Tea on the ferry", sources)
	bo := w.Caller
	bo.User = "bo"
	for range 2 {
		for _, x := range []struct {
			caller engine.Caller
			about  bool
		}{{w.Caller, true}, {bo, false}} {
			r, err := w.Engine.Search(t.Context(), x.caller, engine.SearchInput{Query: "What tea do I drink on the ferry?"})
			if err != nil {
				t.Fatal(err)
			}
			at := placeOf(r, id)
			if at < 0 || says(r.Hits[at].Explain(), "the question is about the user, and the memory is not") == x.about {
				t.Errorf("user %q: the pattern is at %d of %d", x.caller.User, at, len(r.Hits))
			}
		}
	}
}
