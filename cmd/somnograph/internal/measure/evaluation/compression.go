package evaluation

import (
	"fmt"
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
	About: "A year in which facts, episodes and noise are told, a sleep every week; each fact is asked for about once a month, and an agent says by feedback which hits it used. At the end two questions for each fact, each in a context of a new session and in a search for 10 hits. " +
		"Counts the tokens of the contexts, the tokens of all ACTIVE members of the clusters that the searches name for the question, and the values of the facts that are in the context and in the hits.",
	run: runCompression,
}

// Compressed is the context for one question beside the history that it stands for.
type Compressed struct {
	Context int  // tokens of the context
	History int  // tokens of the members of the matching clusters; 0: no cluster matches
	Kept    bool // the context has the fact
	Found   bool // the search has the fact among its hits
}

// ScoreCompression returns the tokens of the contexts divided by those of the histories, over the
// questions that a cluster matches, their number, and the shares of facts in the contexts and among
// the hits, over all questions.
func ScoreCompression(all []Compressed) (tokens float64, matched int, kept, found float64) {
	contexts, histories := 0, 0
	for _, x := range all {
		if x.History > 0 {
			contexts, histories, matched = contexts+x.Context, histories+x.History, matched+1
		}
	}
	return share(contexts, histories), matched, shareOf(all, func(x Compressed) bool { return x.Kept }), shareOf(all, func(x Compressed) bool { return x.Found })
}

// Questions of a context name the clusters of its history; a search shows this many by default.
const clustersOfQuestion = 5

func runCompression(m *measurement) {
	w := NewWorld(m.lexicon, m.Seed+6, 3, 2)
	facts := w.Facts[:min(len(w.Facts), m.size(120, 30))]
	sim := m.simulate(w)
	told := sim.liveYear(facts)
	var all []Compressed
	for i, f := range facts {
		for n := range 2 {
			all = append(all, sim.compressed(f, told[i], f.Ask(i+n), fmt.Sprintf("year-%d-%d", i, n)))
		}
	}
	tokens, matched, kept, found := ScoreCompression(all)
	contexts, histories := 0, 0
	for _, x := range all {
		contexts, histories = contexts+x.Context, histories+x.History
	}
	m.figure("tokens of the context ÷ of its clusters", tokens, matched, Goal{"<=", 0.25}, fmt.Sprintf("%d and %d tokens for a question on average", contexts/max(1, len(all)), histories/max(1, matched)))
	m.figure("key facts kept in the context", kept, len(all), Goal{">=", found}, "the goal is the share that the first 10 hits of a search have")
	m.figure("… among the hits of a search", found, len(all), Goal{}, "")
	m.figure("tokens of active memory", float64(sim.tokens()), sim.Nights, Goal{}, "at the end of the year; the cases are sleeps")
}

// liveYear simulates the weeks. The facts are told over all of them, and so are the episodes.
func (sim *Simulation) liveYear(facts []Fact) []toldFact {
	weeks := sim.size(52, 8)
	around := append(sim.World.Episodes(2), sim.World.Repeats(2, weeks)...)
	told := make([]toldFact, len(facts))
	noise := sim.size(5, 4)
	for week := range weeks {
		if week%13 == 0 {
			sim.Note(fmt.Sprintf("compression: week %d of %d", week, weeks))
		}
		session := sim.now().Format(time.DateOnly)
		var in []engine.RememberInput
		var of []int
		for i := range facts {
			if i%weeks == week {
				in, of = append(in, sim.said(session, facts[i].Say(i))), append(of, i)
			}
		}
		for _, episodes := range around {
			if n := len(episodes); week*n/weeks < (week+1)*n/weeks {
				x := sim.said(session+"-"+episodes[0].Thing, episodes[week*n/weeks].Text)
				x.Type = graph.Episodic
				in = append(in, x)
			}
		}
		for i, id := range sim.remember(in) {
			if i < len(of) {
				told[of[i]] = toldFact{id, in[i].Content}
			}
		}
		for i, f := range facts {
			if i%weeks < week && (week+i)%4 == 0 {
				sim.use(f.Ask(week+i), told[i], f)
			}
		}
		sim.awake = true
		sim.days(6, noise)
		sim.awake = false
		sim.days(1, noise)
	}
	return told
}

// compressed asks for a fact in a context and in a search.
func (sim *Simulation) compressed(f Fact, told toldFact, question, session string) Compressed {
	found := must(sim.engine().Search(sim.ctx, sim.caller, engine.SearchInput{Query: question, TopK: topK, User: User}))
	made := must(sim.engine().Context(sim.ctx, sim.caller, engine.ContextInput{Session: session, User: User, Query: question, Preview: true}))
	x := Compressed{Context: made.TotalTokens}
	keys := []string{f.Of, f.Value}
	for _, h := range found.Hits {
		x.Found = x.Found || h.Memory.ID == told.id || containsAll(h.Memory.Content, keys)
	}
	for line := range strings.Lines(made.Text) {
		x.Kept = x.Kept || containsAll(line, keys)
	}
	clusters := found.Clusters()
	var ids []graph.ID
	for _, c := range clusters[:min(clustersOfQuestion, len(clusters))] {
		ids = append(ids, c.ID)
	}
	for _, c := range must(sim.engine().ClustersByID(sim.ctx, sim.caller, ids)) {
		if c == nil {
			continue
		}
		for _, member := range c.Members(0) {
			x.History += prompt.Count(sim.memory(member.ID).Content)
		}
	}
	if x.Found && !x.Kept {
		sim.miss("key facts kept in the context", "a hit of the search has it", told.text, question)
	}
	if !x.Found && !x.Kept {
		sim.miss("key facts kept in the context", sim.whyNot(question, told, f), told.text, question)
	}
	return x
}
