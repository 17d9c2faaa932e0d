package evaluation

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

// compression measures how much shorter a context over a long history is than the history, and
// whether it keeps what is asked for.
var compression = Measure{
	Name: "compression",
	About: "A year in which facts, episodes and noise are told, a sleep every week; each fact is asked for about once a month, and an agent says by feedback which hits it used. At the end questions for the facts and for the things of the episodes, each in a context of a new session and in a search for 10 hits. " +
		"Counts the tokens of the contexts, those of what the first five clusters of the search hold, as it was told, and the values, names, figures and dates that the context and the hits have.",
	run: runCompression,
}

// Compressed is the context for one question beside the history that it stands for.
type Compressed struct {
	Context     int // tokens of the context
	History     int // tokens of what the matching clusters hold, as it was told; 0: none matches
	Keys        int // facts that answer the question
	Kept, Found int // those that the context has, and that the hits of a search have
	placed      []prompt.Placed
}

// why says what became of a memory in the context.
func (x Compressed) why(id graph.ID) string {
	for _, p := range x.placed {
		if p.ID == string(id) && !p.Shown {
			reason, _, _ := strings.Cut(p.Reason, " by ")
			return reason
		}
	}
	return "nothing is known of it"
}

// longHistory is the number of tokens from which a history is long: more than what a context has for
// memories.
const longHistory = 1200

// CompressionOf returns the mean tokens of the contexts and of the histories, over the questions
// whose history has at least some tokens, and their number.
func CompressionOf(all []Compressed, least int) (contexts, histories float64, n int) {
	for _, x := range all {
		if x.History >= least {
			contexts, histories, n = contexts+float64(x.Context), histories+float64(x.History), n+1
		}
	}
	return ratio(contexts, float64(n)), ratio(histories, float64(n)), n
}

// KeysKept returns the shares of the key facts that contexts and hits have, and their number.
func KeysKept(all []Compressed) (kept, found float64, keys int) {
	keptKeys, foundKeys := 0, 0
	for _, x := range all {
		keys, keptKeys, foundKeys = keys+x.Keys, keptKeys+x.Kept, foundKeys+x.Found
	}
	return share(keptKeys, keys), share(foundKeys, keys), keys
}

// clustersOfQuestion is the number of clusters whose history counts: what a search shows by default.
const clustersOfQuestion = 5

func runCompression(m *measurement) {
	w := NewWorld(m.lexicon, m.Seed+6, 3, 2)
	facts := w.Facts[:min(len(w.Facts), m.size(104, 24))]
	sim := m.simulate(w)
	told, around := sim.liveYear(facts)
	all := sim.contextsOfFacts(facts, told)
	byFacts := len(all)
	for i, episodes := range around {
		for n, question := range episodes[0].Ask {
			all = append(all, sim.contextOfEpisodes(episodes, question, fmt.Sprintf("thing-%d-%d", i, n)))
		}
	}
	contexts, histories, n := CompressionOf(all, longHistory)
	kept, found, keys := KeysKept(all)
	m.figure("tokens of the context ÷ of a long history", ratio(contexts, histories), n, Goal{"<=", 0.25}, fmt.Sprintf("%.0f and %.0f tokens on average; long: %d tokens or more", contexts, histories, longHistory))
	contexts, histories, n = CompressionOf(all, 1)
	m.figure("… of any history", ratio(contexts, histories), n, Goal{}, fmt.Sprintf("%.0f and %.0f tokens", contexts, histories))
	m.figure("key facts kept in the context", kept, keys, Goal{">=", found}, "the goal is the share that the first 10 hits of a search have")
	for _, part := range []struct {
		name string
		of   []Compressed
	}{{"facts", all[:byFacts]}, {"episodes", all[byFacts:]}} {
		kept, found, keys := KeysKept(part.of)
		m.figure("… of questions about "+part.name, kept, keys, Goal{">=", found}, "")
	}
	m.figure("tokens of active memory", float64(sim.tokens()), sim.Nights, Goal{}, "at the end of the year; the cases are sleeps")
}

// tellingsPerWeek is how often a routine is told.
const tellingsPerWeek = 3

// liveYear simulates the weeks. The facts are told over all of them, and so are the episodes about
// each thing, which it returns.
func (sim *Simulation) liveYear(facts []Fact) (told []toldFact, around [][]Episode) {
	weeks := sim.size(52, 8)
	around = append(sim.World.Episodes(2), sim.World.Repeats(2, tellingsPerWeek*weeks)...)
	told = make([]toldFact, len(facts))
	noise := sim.size(8, 4)
	for week := range weeks {
		if week%13 == 0 {
			sim.Note(fmt.Sprintf("compression: week %d of %d", week, weeks))
		}
		for day := range 7 {
			session := sim.now().Format(time.DateOnly)
			var in []engine.RememberInput
			var of []int
			for i := range facts {
				if i%weeks == week && day == i%7 {
					in, of = append(in, sim.said(session, facts[i].Say(i))), append(of, i)
				}
			}
			for _, episodes := range around {
				n, at := len(episodes), week*7+day
				for k := at * n / (7 * weeks); k < (at+1)*n/(7*weeks); k++ {
					x := sim.said(session+"-"+episodes[k].Thing, episodes[k].Text)
					x.Type = graph.Episodic
					in = append(in, x)
				}
			}
			for i, id := range sim.remember(in) {
				if i < len(of) {
					told[of[i]] = toldFact{id, in[i].Content}
				}
			}
			sim.awake = day < 6
			sim.days(1, noise)
		}
		for i, f := range facts {
			if i%weeks <= week && (week+i)%4 == 0 {
				sim.use(f.Ask(week+i), told[i], f)
			}
		}
	}
	return told, around
}

// contextsOfFacts asks two questions for each fact.
func (sim *Simulation) contextsOfFacts(facts []Fact, told []toldFact) (all []Compressed) {
	for i, f := range facts {
		for n := range 2 {
			question := f.Ask(i + n)
			x, lines, hits := sim.compressed(question, fmt.Sprintf("fact-%d-%d", i, n))
			x.Keys = 1
			if anyHasAll(hits, f.Of, f.Value) {
				x.Found = 1
			}
			if anyHasAll(lines, f.Of, f.Value) {
				x.Kept = 1
			}
			if x.Kept < x.Found {
				sim.miss("key facts kept in the context", "a hit of the search has it, in the context "+x.why(told[i].id), told[i].text, question)
			}
			all = append(all, x)
		}
	}
	return all
}

// contextOfEpisodes asks a question about a thing. The key facts are the names, figures and dates of
// its episodes.
func (sim *Simulation) contextOfEpisodes(episodes []Episode, question, session string) Compressed {
	x, lines, hits := sim.compressed(question, session)
	for _, e := range episodes {
		for _, key := range e.Keys {
			x.Keys++
			found, kept := anyHasAll(hits, e.Thing, key), anyHasAll(lines, e.Thing, key)
			if found {
				x.Found++
			}
			if kept {
				x.Kept++
			}
			if found && !kept {
				sim.miss("key facts kept in the context", "a hit of the search has "+kindOfKey(key), e.Text, question)
			}
		}
	}
	return x
}

// anyHasAll reports whether one of some texts has the words of every phrase.
func anyHasAll(texts []string, phrases ...string) bool {
	return slices.ContainsFunc(texts, func(t string) bool { return containsAll(t, phrases) })
}

// compressed asks a question in a context and in a search. It returns the lines of the context and
// the texts of the hits.
func (sim *Simulation) compressed(question, session string) (x Compressed, lines, hits []string) {
	found := must(sim.engine().Search(sim.ctx, sim.caller, engine.SearchInput{Query: question, TopK: topK, User: User}))
	made := must(sim.engine().Context(sim.ctx, sim.caller, engine.ContextInput{Session: session, User: User, Query: question, Preview: true}))
	for _, h := range found.Hits {
		hits = append(hits, h.Memory.Content)
	}
	lines = strings.Split(made.Text, "\n- ")
	x.Context, x.placed = made.TotalTokens, made.Items
	var ids []graph.ID
	for _, c := range found.Clusters() {
		if len(ids) < clustersOfQuestion {
			ids = append(ids, c.ID)
		}
	}
	seen := map[graph.ID]bool{}
	for _, c := range must(sim.engine().ClustersByID(sim.ctx, sim.caller, ids)) {
		if c == nil {
			continue
		}
		for _, member := range c.Members(0) {
			x.History += sim.tokensAsTold(member.ID, seen)
		}
	}
	return x, lines, hits
}

// tokensAsTold counts the tokens of what was told: of a derived memory those of its sources. Each
// memory counts once.
func (sim *Simulation) tokensAsTold(id graph.ID, seen map[graph.ID]bool) int {
	if seen[id] {
		return 0
	}
	seen[id] = true
	m := sim.memory(id)
	if m.SourceKind != graph.FromConsolidation {
		return prompt.Count(m.Content)
	}
	n := 0
	for _, source := range sim.sourcesOf(id) {
		n += sim.tokensAsTold(source, seen)
	}
	return n
}

// sourcesOf returns the memories that a memory was derived from.
func (sim *Simulation) sourcesOf(id graph.ID) (ids []graph.ID) {
	check(sim.in.Store.View(sim.ctx, graph.Scope{Tenant: sim.caller.Tenant}, func(r graph.Reader) error {
		ids = nil
		edges, err := r.Edges(id, graph.Out, graph.DerivedFrom)
		for _, e := range edges {
			ids = append(ids, e.To)
		}
		return err
	}))
	return ids
}
