package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/network"
	"github.com/somnograph/somnograph/engine/recall/phrase"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// What recall shows is an exposure. A use is more: in a conversation whose turns are observed, the
// answer says something of the memory; elsewhere, the memory answers a question about as well as
// the best hit does. Only uses reinforce. ADR 62.

const (
	usedFrom       = 0.75               // share of the best relevance from which a hit of an unobserved question is used
	answerWithin   = time.Hour          // after a question, in which its answer is expected
	observesFor    = 7 * 24 * time.Hour // after an observed turn, in which its source observes conversations
	conversingFor  = 24 * time.Hour     // after its last turn, in which a conversation is observed
	maxQuestions   = 16                 // that wait for an answer, per session
	maxAwaiting    = 4096               // sessions with waiting questions
	maxSharedEnds  = 64                 // entities of memories used together
	relatedByUsage = 1.0                // similarity of two ends that were used together, for network.Hebb
)

// asking is a question whose hits are shown.
type asking struct {
	text       string
	session    string // conversation in which it is asked; empty: unknown
	user       string // as asked for; empty: any
	namespaces []string
	at         time.Time
	prompts    bool // the hits go into a prompt of the session, so its answer decides
}

// source names who asks.
func (a asking) source(c workspace.Caller) string { return cmp.Or(a.user, c.User, c.Name) }

// matches returns the filter of the conversations in which the question may be asked.
func (a asking) matches(c workspace.Caller) func(workspace.Conversation) bool {
	user := cmp.Or(a.user, c.User)
	return func(k workspace.Conversation) bool {
		return k.Session == a.session && c.Sees(k.Namespace, k.User) && (user == "" || user == graph.UserOf(k.User)) &&
			(len(a.namespaces) == 0 || slices.Contains(a.namespaces, k.Namespace))
	}
}

// recalled is a hit that its question may use, or an open task in a prompt.
type recalled struct {
	id      graph.ID
	content string
	objects []string // of its claims
	owners  []string // words of the names of who speaks; an answer that says one addresses him
	best    bool     // at least usedFrom of the best relevance
}

// answersOf returns the hits that the question may use: above the floor and still believed.
func answersOf(hits []Hit) []recalled {
	best := 0.0
	for _, h := range hits {
		best = max(best, h.Relevance)
	}
	var out []recalled
	for _, h := range hits {
		status := h.Memory.Status()
		if !h.AboveFloor || h.Relevance == 0 || status != graph.Active && !(status == graph.Archived && h.Label == Faded) {
			continue
		}
		out = append(out, recalledOf(h.Memory.Memory, h.Relevance >= usedFrom*best))
	}
	return out
}

// recalledOf returns what an answer may say of a memory.
func recalledOf(m *graph.Memory, best bool) recalled {
	return recalled{m.ID, m.Content, objectsOf(m), phrase.Words(graph.UserOf(m.User) + " " + m.Agent), best}
}

// objectsOf returns the objects of what a memory says now.
func objectsOf(m *graph.Memory) []string {
	var objects []string
	if m.Object != "" {
		objects = append(objects, m.Object)
	}
	for i := range m.Claims {
		if s := m.Claims[i].State(); s.Object != "" && s.Object != m.Object && s.RevisedBy == "" && !s.Withdrawn {
			objects = append(objects, s.Object)
		}
	}
	return objects
}

// use counts the uses of what answers a question, now or when the answer is heard. It reports
// whether the store accepted that.
func (svc *Service) use(ctx context.Context, t *tenant, c workspace.Caller, a asking, answers []recalled) bool {
	if !phrase.Asks(a.text) || len(answers) == 0 {
		return true
	}
	if a.session != "" {
		observed, person, err := svc.sessions.Heard(ctx, t.Tenant, a.matches(c), a.at.Add(-conversingFor))
		if err == nil && !observed && !a.prompts { // a source that observes conversations will observe this one
			anywhere := func(k workspace.Conversation) bool {
				b := a
				b.session = k.Session
				return k.User == cmp.Or(a.user, c.User) && b.matches(c)(k)
			}
			_, a.prompts, err = svc.sessions.Heard(ctx, t.Tenant, anywhere, a.at.Add(-observesFor))
		}
		switch {
		case err != nil:
			svc.Log.WarnContext(ctx, "[READ] the turns of a conversation are away, so its question counts no use", "error", err)
			return true
		case observed && !person:
			return true // an agent talks to itself
		case observed || a.prompts:
			t.awaiting.add(openQuestion{asking: a, caller: c, answers: answers})
			return true
		}
	}
	if t.asked.Polls(a.source(c), strings.Join(phrase.Words(a.text), " "), a.at) {
		return true
	}
	return svc.count(ctx, t, c, a, slices.DeleteFunc(answers, func(h recalled) bool { return !h.best }))
}

// count counts a use of each memory in the session of the question, brings back what was archived,
// and strengthens the relations between what was used together.
func (svc *Service) count(ctx context.Context, t *tenant, c workspace.Caller, a asking, used []recalled) bool {
	if len(used) == 0 {
		return true
	}
	source := a.source(c)
	u := workspace.Use{Source: source, Session: workspace.SessionOf(source, a.session, a.at), At: a.at}
	for _, h := range used {
		u.Memories = append(u.Memories, h.id)
	}
	counted, ok := svc.CountUses(ctx, t.Tenant, u)
	t.Expose(-len(counted))
	revived := svc.revive(ctx, t, u.Memories)
	if err := svc.relate(ctx, t, counted, a.at); err != nil {
		svc.Log.WarnContext(ctx, "[READ] relations of memories used together were not strengthened", "error", err)
	}
	return ok && revived
}

// relate strengthens the relations between the entities of memories that were used together.
func (svc *Service) relate(ctx context.Context, t *tenant, used []graph.ID, at time.Time) error {
	var ends []graph.ID
	for _, id := range used {
		if d, known := svc.Index.Doc(t.Scope, id); known {
			ends = append(ends, d.Entities...)
		}
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	relations := svc.Index.RelationsAmong(t.Scope, ends[:min(len(ends), maxSharedEnds)])
	if len(relations) == 0 {
		return nil
	}
	return t.Update(ctx, func(tx graph.Tx) error {
		for _, id := range relations {
			r, err := tx.RelationByID(id)
			if known, err := graph.Found(err); !known {
				if err != nil {
					return err
				}
				continue // removed meanwhile
			}
			r.Strength, r.StrengthAt = network.Hebb(r.Strength, r.StrengthAt, relatedByUsage, at)
			if err := tx.PutRelation(r); err != nil {
				return err
			}
		}
		return nil
	})
}

// heard counts the uses that a turn of a conversation shows: the next turn of an assistant after a
// question says something of a memory, and a user agrees with what was recalled.
func (svc *Service) heard(wt *workspace.Tenant, turn *graph.Memory) {
	t := svc.tenants.Of(wt)
	assistant := turn.SourceKind == graph.FromAssistant
	if !assistant && turn.SourceKind != graph.FromUser {
		return
	}
	for _, q := range t.awaiting.take(workspace.ConversationOf(turn), assistant, turn.RecordedAt) {
		if _, person, err := svc.sessions.Heard(svc.Ctx, wt, q.matches(q.caller), turn.RecordedAt.Add(-conversingFor)); err != nil || !person {
			continue
		}
		q.at = turn.RecordedAt
		used := slices.DeleteFunc(slices.Clone(q.answers), func(h recalled) bool {
			if assistant {
				return !h.says(q.text, turn.Content)
			}
			return !h.best || !phrase.Affirms(turn.Content)
		})
		svc.count(audit.As(svc.Ctx, "countUses"), t, q.caller, q.asking, used)
	}
}

// openQuestion is a question that waits for its answer, or for the user's opinion of the answer.
type openQuestion struct {
	asking
	caller   workspace.Caller
	answers  []recalled
	answered bool
}

// questions holds the questions of observed conversations, by session. It is safe for concurrent
// use.
type questions struct {
	mu        sync.Mutex
	bySession map[string][]openQuestion
}

func (x *questions) add(q openQuestion) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.bySession == nil || len(x.bySession) >= maxAwaiting {
		x.bySession = map[string][]openQuestion{}
	}
	list := append(x.bySession[q.session], q)
	x.bySession[q.session] = list[max(0, len(list)-maxQuestions):]
}

// take returns the questions that a turn of a conversation answers, or on which a user's turn is an
// opinion; the latter are removed. It removes questions that waited too long.
func (x *questions) take(k workspace.Conversation, assistant bool, at time.Time) []openQuestion {
	x.mu.Lock()
	defer x.mu.Unlock()
	waiting := x.bySession[k.Session]
	if len(waiting) == 0 {
		return nil
	}
	var taken, kept []openQuestion
	for _, q := range waiting {
		switch {
		case at.Sub(q.at) > answerWithin:
			continue
		case !q.matches(q.caller)(k), assistant == q.answered:
			kept = append(kept, q)
			continue
		}
		taken = append(taken, q)
		if assistant {
			q.answered = true
			kept = append(kept, q)
		}
	}
	if x.bySession[k.Session] = kept; len(kept) == 0 {
		delete(x.bySession, k.Session)
	}
	return taken
}

func (x *questions) forget() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.bySession = nil
}

// keepRules renews the rules that a prompt shows, once a day, so that they do not fade. A rule that
// is in conflict is objected to, and so is one that feedback marked irrelevant.
func (svc *Service) keepRules(ctx context.Context, t *tenant, shown []*workspace.View, now time.Time) {
	objected := t.examples.memories()
	var renew []graph.ID
	for _, v := range shown {
		last := lifecycle.Later(lifecycle.Later(v.CreatedAt, v.AnchorAt), v.Usage.Last)
		if lifecycle.StandingRule(v.Memory) && v.State.Status == graph.Active && !objected[v.ID] && graph.Day(last) < graph.Day(now) {
			renew = append(renew, v.ID)
		}
	}
	if len(renew) == 0 {
		return
	}
	err := t.Update(ctx, func(tx graph.Tx) error {
		found, err := graph.Undamaged(tx, renew)
		if err != nil {
			return err
		}
		for _, m := range found {
			if m == nil || m.Status() != graph.Active || !lifecycle.StandingRule(m) {
				continue
			}
			m.AnchorAt, m.UpdatedAt = lifecycle.Later(m.AnchorAt, now), now
			if err := tx.PutMemory(m, graph.EventReinforced); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		svc.Log.WarnContext(ctx, "[READ] rules in a prompt were not renewed", "items", len(renew), "error", err)
	}
}
