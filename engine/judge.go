package engine

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/graph"
)

// Where the rules are in doubt whether two texts contradict each other, a language model
// may be asked. It can tip the scales and no more: ADR 35.
const (
	undecidedFrom = 0.2 // scores of the rules from here
	undecidedTo   = 0.7 // to here are in doubt
	judgeMoves    = 0.4 // how far the model moves a score at most
	judged        = 3   // beliefs that one adjudication asks about
	judgeWait     = 2 * time.Second
)

// Judgement is what a language model made of a doubt.
type Judgement struct {
	Model string  `json:"model"`
	Rules float64 `json:"rules"` // the score of the rules, [0,1]
	Said  float64 `json:"said"`  // the model's, [0,1]; 0.5 is no idea
	Score float64 `json:"score"` // that counts: at most 0.4 from the rules
}

// undecided reports whether the rules, which gave a score, leave a doubt: it says neither
// yes nor no, or they found no contradiction and yet the two give different values.
func undecided(score float64, a, b conflict.Analysis) bool {
	return score >= undecidedFrom && score <= undecidedTo || score < undecidedFrom && conflict.Differ(a, b)
}

// judge asks the model about two texts that the rules are in doubt about.
func (e *Engine) judge(ctx context.Context, a, b string, rules float64) (Judgement, error) {
	said, err := e.chat.Contradiction(ctx, a, b)
	if err != nil {
		return Judgement{}, err
	}
	moved := rules + judgeMoves*(2*said-1)
	return Judgement{Model: e.chat.Name(), Rules: rules, Said: said, Score: max(0, min(1, moved))}, nil
}

// opinion is a judgement about a belief as it was worded.
type opinion struct {
	Judgement
	checksum string
}

// opinions asks, before a decision, about the beliefs that it will be in doubt about,
// those first that decide. It waits 2 s in all; degraded says that the model was away,
// and that the rules decide what it did not answer.
func (e *Engine) opinions(ctx context.Context, c Caller, t *tenant, d *draft) (found map[graph.ID]opinion, degraded bool, err error) {
	if e.chat == nil {
		return nil, false, nil
	}
	now := t.Now()
	near, err := e.neighbours(ctx, t, []*draft{d}, now)
	if err != nil {
		return nil, false, err
	}
	type doubt struct {
		belief *graph.Memory
		rules  float64
		weight float64
	}
	var doubts []doubt
	err = t.View(ctx, func(r graph.Reader) error {
		doubts = nil
		s := &storing{e: e, t: t, now: now}
		beliefs, scores, err := s.beliefs(ctx, c, r, d, near[0])
		for i, m := range beliefs {
			if undecided(scores[i].Conflict, d.reading, e.readings.of(m)) {
				doubts = append(doubts, doubt{m, scores[i].Conflict, max(scores[i].Conflict, scores[i].Similarity)})
			}
		}
		return err
	})
	if err != nil {
		return nil, false, err
	}
	slices.SortStableFunc(doubts, func(a, b doubt) int { return cmp.Compare(b.weight, a.weight) })
	within, cancel := context.WithTimeout(ctx, judgeWait)
	defer cancel()
	found = map[graph.ID]opinion{}
	for _, x := range doubts[:min(len(doubts), judged)] {
		j, err := e.judge(within, x.belief.Content, d.memory.Content, x.rules)
		if ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		if err != nil {
			e.log.Warn("[RECONSOLIDATE] the language model is away: the rules decide", "id", x.belief.ID, "error", err)
			return found, true, nil
		}
		found[x.belief.ID] = opinion{j, x.belief.Checksum}
	}
	return found, false, nil
}

// rival is a memory of which the rules can't say whether it stands against another.
type rival struct {
	content string
	rules   float64 // score
	weight  float64 // of its authority against the other's, [0,1]
}

// withstands reports whether a memory withstands its rivals: none of them stands against
// it with the score or more. The model is asked as long as it answers and the night has time.
func (n *night) withstands(ctx context.Context, m *graph.Memory, rivals []rival, score float64) (bool, error) {
	for _, x := range rivals {
		counts := x.rules
		if n.asks() {
			var j Judgement
			err := n.wait(func() (err error) { j, err = n.e.judge(ctx, x.content, m.Content, x.rules); return err })
			if ctx.Err() != nil {
				return false, ctx.Err()
			}
			if err != nil {
				n.miss(m.ID, err)
			} else {
				counts = j.Score
			}
		}
		if counts*x.weight >= score {
			return false, nil
		}
	}
	return true, nil
}

// The patience of a night with the language model.
const (
	patience  = 10 * time.Minute // that it waits in all
	maxMisses = 3                // failed calls
)

// asks reports whether a night still asks the language model.
func (n *night) asks() bool {
	return n.e.chat != nil && n.misses < maxMisses && n.waited < patience && (n.c.MaxTime == 0 || n.spent() < n.c.MaxTime)
}

// wait makes a call of the language model, whose time is not the step's own.
func (n *night) wait(call func() error) error {
	from := n.e.Now()
	err := call()
	took := n.e.Now().Sub(from)
	n.idle, n.waited = n.idle+took, n.waited+took
	return err
}

// miss notes that the language model was away, for the report: what was asked is done
// without it.
func (n *night) miss(id graph.ID, err error) {
	n.e.log.Warn("[SLEEP] the language model is away", "id", id, "error", err)
	n.misses++
	if !slices.Contains(n.missed, PartChat) {
		n.missed = append(n.missed, PartChat)
	}
}
