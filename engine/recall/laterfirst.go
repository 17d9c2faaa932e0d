package recall

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/rank"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/claimkey"
	"github.com/somnograph/somnograph/engine/recall/holding"
	"github.com/somnograph/somnograph/engine/recall/phrase"
	"github.com/somnograph/somnograph/engine/temporal"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/english"
)

// Of two hits that make a statement about one matter the later one comes first, unless the question
// asks for the past. The relation of the two texts decides (see package reader). It is read for
// short statements only: among the many clauses of two long texts some pair always looks alike.
const (
	statementBytes     = 240 // of both texts together
	statementSentences = 4   // product of the numbers of sentences of the two texts
	rivalSentences     = 2   // the same, of texts that are only rivals
)

// rivalRelevance is the relevance, relative to the earlier statement, from which a later one that
// may be about the same matter comes first. What the question is not about is no rival.
const rivalRelevance = 0.6

// leastCosine is the cosine of two hits from which their relation is read. The foremost two are read in any case. What a
// write has linked needs no reading.
const leastCosine = 0.2

// If the relation is undecided, the second hit may still state what holds now instead of the first.
const (
	likelyRelevance = 0.3  // least, relative to the first
	likelyCosine    = 0.05 // of the two texts; with less they hardly have anything in common
	phraseCosine    = 0.1  // the same for a query that is no question: "basin depth" does not say what kind of value it asks for
)

// laterFirst moves each later statement in front of the earlier ones on the same matter. It gets
// the relevance of the foremost, because it answers the same. Scores do not change. What feedback marked irrelevant stays. A later
// statement in the slot of a hit that was not chosen itself is inserted, and the last hit is
// dropped if there are more than limit.
func (svc *Service) laterFirst(ctx context.Context, q *query, hits []scored, limit int) ([]scored, error) {
	tense := temporal.TenseOf(q.in.Query)
	if q.window.Bounded() || tense == temporal.Before {
		return hits, nil
	}
	texts, err := svc.hitsStored(ctx, q, hits)
	if err != nil {
		return nil, err
	}
	all := append(slices.Clone(hits), svc.inSlotsOf(q, hits, texts)...)
	more, err := svc.hitsStored(ctx, q, all[len(hits):])
	if err != nil {
		return nil, err
	}
	texts = append(texts, more...)
	out := slices.Clone(hits)
	at := q.in.Access.ValidInstant(q.now)
	for j := range all {
		if q.marked[all[j].Doc.ID] > 0 {
			continue
		}
		for i := range hits[:min(j, len(hits))] {
			if texts[i] == nil || texts[j] == nil || !laterOne(all[i], all[j]) || !short(texts[i].Content, texts[j].Content) || lifecycle.ComesNotYet(texts[i], texts[j], at) {
				continue
			}
			if weighed(texts[i], texts[j]) {
				continue
			}
			if revisedBy(texts[i], all[j].Doc.ID, q.now) {
				if !q.asksRest(texts[i], texts[j], -1) {
					out = before(out, all[j], all[i].Doc.ID)
				}
				continue
			}
			foremost := i == 0 && j == 1 && len(hits) > 1
			if !foremost && unlike(all[i], all[j]) {
				continue
			}
			r := svc.Said.Relate(q.t.Scope.Tenant, texts[i], texts[j])
			switch {
			case !givesWay(texts[i], texts[j], r), r.Certainty >= reader.Rivals && q.asksRest(texts[i], texts[j], r.Earlier):
				continue
			case r.Certainty >= reader.Revises:
			case phrase.Sentences(texts[i].Content)*phrase.Sentences(texts[j].Content) > rivalSentences:
				continue
			case r.Certainty >= reader.Rivals && j < len(hits) && hits[j].relevance >= rivalRelevance*hits[i].relevance && (tense == temporal.Present || r.Kind == reader.Corrected):
			case foremost && tense == temporal.Present && q.mayReplace(hits[0], hits[1], texts[0], texts[1], r, false):
			default:
				continue
			}
			out = before(out, all[j], all[i].Doc.ID)
		}
	}
	svc.weighMore(ctx, q, all[len(hits):])
	out = svc.higherFirst(q, out, all, texts, at)
	if tense == temporal.Present {
		out = q.overLast(out, hits, texts, at)
	}
	return svc.patternsStay(q, out, all, texts)[:min(len(out), limit)], nil
}

// Limits for what stands higher, if the relation of the two is undecided.
const (
	higherCertainty = 0.15 // least certainty
	higherRelevance = 0.75 // least relevance, relative to the lower statement
)

// higherFirst moves each statement in front of those on the same matter that have a lower standing, and of those that say the
// same as these or have the same value, whichever is the later one: what an assistant says, or somebody with less authority, does
// not come before what a user said. What the lower one has ended, and what is over while the lower one holds, stays. texts are the memories of
// all.
func (svc *Service) higherFirst(q *query, out, all []scored, texts []*graph.Memory, at time.Time) []scored {
	order := slices.Clone(out) // those that are moved keep it
	for _, x := range all {
		if !among(order, x.Doc.ID) {
			order = append(order, x)
		}
	}
	for _, x := range order {
		j := slices.IndexFunc(all, func(k scored) bool { return k.Doc.ID == x.Doc.ID })
		high := texts[j]
		for i, low := range texts {
			if low == nil || high == nil || !higherOne(all[i], all[j]) || changes(low, high) || q.marked[high.ID] > 0 || !among(out, low.ID) || !short(low.Content, high.Content) || lifecycle.ComesNotYet(low, high, at) || revisedBy(high, low.ID, q.now) ||
				weighed(low, high) || (i >= slotHits || j >= slotHits) && unlike(all[i], all[j]) && !phrase.BothName(q.in.Query, low.Content, high.Content) {
				continue
			}
			if r := svc.relateInTime(q, low, high); !givesWay(low, high, r) || !q.standsOver(all[i], all[j], low, high, r, svc.oneForm(q, low, high)) {
				continue
			}
			out = before(out, all[j], low.ID)
			for k, m := range texts {
				if m != nil && k != i && higherOne(all[k], all[j]) && !changes(m, high) && among(out, m.ID) && short(low.Content, m.Content) && (svc.relateInTime(q, low, m).Kind == reader.Same || q.oneValue(all[i], all[k], low, m, high)) {
					out = before(out, all[j], m.ID)
				}
			}
		}
	}
	return out
}

// weighed reports a pattern that was drawn, checked or kept by a person after a memory was recorded: what the memory says was weighed
// then, so it does not come before the pattern.
func weighed(p, m *graph.Memory) bool {
	return p.Pattern != nil && m.Pattern == nil && !m.RecordedAt.After(lifecycle.Later(p.CreatedAt, p.Pattern.ValidatedAt))
}

// patternsStay puts each pattern in front of what came before it only because it says again, later, what the pattern says, or what was
// weighed. all are the hits and what may come before them, and texts their memories.
func (svc *Service) patternsStay(q *query, out, all []scored, texts []*graph.Memory) []scored {
	place := map[graph.ID]int{}
	for i := range all {
		place[all[i].Doc.ID] = i
	}
	for i, p := range texts {
		if p == nil || p.Pattern == nil {
			continue
		}
		for _, k := range out {
			j := place[k.Doc.ID]
			if k.Doc.ID == p.ID {
				break
			}
			m := texts[j]
			if (j > i || all[j].place() <= all[i].place()) && m != nil && m.Pattern == nil && short(p.Content, m.Content) && svc.staysBefore(q, all[i], all[j], p, m) && among(out, p.ID) {
				out = before(out, all[i], k.Doc.ID)
				break
			}
		}
	}
	return out
}

// staysBefore reports that a memory is about the matter of a pattern, and no reason for the pattern to give way.
func (svc *Service) staysBefore(q *query, drawn, other scored, p, m *graph.Memory) bool {
	r := svc.relateInTime(q, p, m)
	one := r.Kind == reader.Same || r.Certainty >= reader.Rivals || !unlike(drawn, other) || slices.Contains(q.standsFor(drawn.Doc), m.ID)
	return one && (weighed(p, m) || !givesWay(p, m, r))
}

// givesWay reports whether a statement may come before an earlier one for their relation. A pattern is said again by each of its sources,
// and gives way only to a memory that surely revises it.
func givesWay(earlier, later *graph.Memory, r reader.Relation) bool {
	return earlier.Pattern == nil || later.Pattern != nil || r.Certainty >= reader.Revises && (r.Kind == reader.Changed || r.Kind == reader.Corrected)
}

// relateInTime returns the relation of two memories in the order of their events.
func (svc *Service) relateInTime(q *query, a, b *graph.Memory) reader.Relation {
	if b.OccurredAt.Before(a.OccurredAt) {
		a, b = b, a
	}
	return svc.Said.Relate(q.t.Scope.Tenant, a, b)
}

// oneForm reports whether two memories differ in one place only, see reader.OneForm.
func (svc *Service) oneForm(q *query, a, b *graph.Memory) bool {
	x, y := svc.Said.Read(q.t.Scope.Tenant, a), svc.Said.Read(q.t.Scope.Tenant, b)
	return x != nil && y != nil && reader.OneForm(x, y)
}

// oneValue reports whether a statement has the value of a lower one that a higher one stands over, and is about as relevant: "Ada was
// moved to the tooling group" comes after what "Ada belongs to the tooling group" comes after.
func (q *query) oneValue(low, other scored, a, m, high *graph.Memory) bool {
	return low.relevance >= rivalRelevance*other.relevance && !revisedBy(high, m.ID, q.now) && phrase.SaysValue(q.in.Query, m.Content, a.Content, high.Content, objectsOf(a))
}

// weighMore sets the relevance and the vectors of candidates that were not chosen.
func (svc *Service) weighMore(ctx context.Context, q *query, more []scored) {
	if len(more) == 0 {
		return
	}
	coverage := svc.Index.Coverage(q.t.Scope, q.ask.Filter.Namespaces, phrase.Matter(q.ask.Texts[0]), q.ask.Related, docsOf(more))
	vectors, err := svc.Index.Vectors(ctx, q.t.Scope, docsOf(more))
	if err != nil { // they are compared without
		vectors = make([][]float32, len(more))
	}
	for i := range more {
		e := rank.Evidence{Semantic: q.scale.apply(more[i].parts.Semantic), Keyword: more[i].parts.Keyword, Coverage: coverage[i]}
		more[i].relevance, more[i].aboveFloor, more[i].coverage, more[i].vector = rank.Relevance(e), e.AboveFloor(q.floor), e.Coverage, vectors[i]
	}
}

// standsOver reports whether a statement of higher standing is on the matter of a lower one, and about as relevant. Statements
// that are less surely rivals, or less relevant, are also compared by what the question asks for; both may answer it.
func (q *query) standsOver(low, high scored, a, b *graph.Memory, r reader.Relation, oneForm bool) bool {
	switch {
	case r.Kind == reader.Same:
		return false
	case r.Certainty < reader.Revises && phrase.SaysAskedNoun(q.in.Query, a.Content) && !phrase.SaysAskedNoun(q.in.Query, b.Content):
		return false // "Which room?" is answered by what says "room"
	case q.facts[low.Doc.ID] && q.facts[high.Doc.ID], r.Certainty >= reader.Revises, r.Certainty >= reader.Rivals && !r.Bare && high.relevance >= rivalRelevance*low.relevance:
		return true
	}
	least := likelyRelevance
	if r.Bare || r.Certainty < reader.Rivals {
		least = higherRelevance
	}
	return r.Veto == "" && r.Certainty >= higherCertainty && high.relevance >= least*low.relevance && q.mayReplace(low, high, a, b, r, oneForm)
}

// higherOne reports whether b has a higher standing than a, see lifecycle.ComparePrecedence: more authority, and it is not
// somebody else's word against a user's.
func higherOne(a, b scored) bool {
	x, y := a.Doc, b.Doc
	switch {
	case !a.active || !b.active || x.ID == y.ID || x.User != "" && y.User != "" && x.User != y.User || x.Project != "" && y.Project != "" && x.Project != y.Project || x.Type == graph.Document || y.Type == graph.Document:
		return false
	case x.SourceKind == graph.FromUser && y.SourceKind != graph.FromUser && y.SourceKind != graph.FromSystem:
		return false
	}
	c := workspace.CompareRivals(y, x)
	return c > 0 || c == 0 && y.Authority > x.Authority
}

// changes reports a later statement of who said the earlier one, or one that replaces what belongs to no user: it needs no more authority.
func changes(later, earlier *graph.Memory) bool {
	return later.SourceKind == earlier.SourceKind && later.Principal == earlier.Principal && later.Agent == earlier.Agent && (later.User == earlier.User || earlier.User == "") && later.OccurredAt.After(earlier.OccurredAt)
}

// overLast moves what holds in front of what was over at an instant, such as a bounded stay, and of what begins later in the
// same slot, if it is about as relevant. texts begins with the memories of hits.
func (q *query) overLast(out, hits []scored, texts []*graph.Memory, at time.Time) []scored {
	for i := range hits {
		if texts[i] == nil {
			continue
		}
		soon := lifecycle.IsYetToCome(texts[i], at)
		if !soon && !lifecycle.IsOver(texts[i], at) {
			continue
		}
		for j := i + 1; j < len(hits); j++ {
			if soon && !lifecycle.SharesSlotKey(texts[i], texts[j]) {
				continue
			}
			if texts[j] != nil && hits[j].active && q.marked[hits[j].Doc.ID] == 0 && texts[j].User == texts[i].User && !lifecycle.IsYetToCome(texts[j], at) && hits[j].relevance >= rivalRelevance*hits[i].relevance && !lifecycle.IsOver(texts[j], at) {
				out = before(out, hits[j], hits[i].Doc.ID)
			}
		}
	}
	return out
}

// Limits of the search for other statements in the slots of the hits.
const (
	slotHits   = 5 // hits whose slots are searched
	slotClaims = 4 // claims of a hit
	slotEach   = 4 // memories in a slot, the latest
)

// inSlotsOf returns candidates that were not chosen, with a claim in a slot of one of the first
// hits and about a later event. texts are the memories of the hits.
func (svc *Service) inSlotsOf(q *query, hits []scored, texts []*graph.Memory) (out []scored) {
	known := make(map[graph.ID]*scored, len(q.kept)+len(q.unlike))
	for _, list := range [][]scored{q.kept, q.unlike} {
		for i := range list {
			known[list[i].Doc.ID] = &list[i]
		}
	}
	for i := range hits {
		delete(known, hits[i].Doc.ID)
	}
	take := func(k *scored) {
		out = append(out, *k)
		delete(known, k.Doc.ID)
	}
	var later []graph.ID
	for i, m := range texts[:min(slotHits, len(texts))] {
		if m == nil || len(m.Claims) == 0 || len(m.Content) > statementBytes {
			continue
		}
		later = later[:0]
		for id, k := range known {
			if laterOne(hits[i], *k) || higherOne(hits[i], *k) {
				later = append(later, id)
			}
		}
		slices.SortFunc(later, func(a, b graph.ID) int { return cmp.Compare(b, a) })
		for n := range m.Claims[:min(slotClaims, len(m.Claims))] {
			s := m.Claims[n].State()
			if s.RevisedBy != "" && !s.ValidTo.After(q.now) && !among(hits, s.RevisedBy) && !among(out, s.RevisedBy) {
				if k, found := svc.candidate(q, s.RevisedBy); found {
					take(&k)
				}
			}
			if s.Subject == "" {
				continue
			}
			left := slotEach
			for _, d := range svc.Index.ClaimingAmong(q.t.Scope, m.Namespace, claimkey.Claim(s.Subject, s.Predicate, s.Object), later) {
				if k := known[d.ID]; k != nil && left > 0 {
					take(k)
					left--
				}
			}
		}
	}
	return out
}

// revisedBy reports whether a memory has a claim that another memory has ended.
func revisedBy(m *graph.Memory, by graph.ID, now time.Time) bool {
	return slices.ContainsFunc(m.Claims, func(c graph.Claim) bool {
		s := c.State()
		return s.RevisedBy == by && !s.ValidTo.After(now)
	})
}

func among(hits []scored, id graph.ID) bool {
	return slices.ContainsFunc(hits, func(k scored) bool { return k.Doc.ID == id })
}

// laterOne reports whether b is about a later event than a and may stand against it: it has at least
// as much authority, and its speaker is the same one, or is a user where a's is.
func laterOne(a, b scored) bool {
	x, y := a.Doc, b.Doc
	switch {
	case !a.active || !b.active || !y.OccurredAt.After(x.OccurredAt) || x.User != y.User || x.Project != "" && y.Project != "" && x.Project != y.Project || x.Type == graph.Document || y.Type == graph.Document:
		return false
	case y.Authority < x.Authority || workspace.CompareRivals(y, x) < 0:
		return false
	case x.SourceKind == y.SourceKind && x.Agent == y.Agent:
		return true
	case x.SourceKind == graph.FromUser && y.SourceKind != graph.FromUser && y.SourceKind != graph.FromSystem:
		return false
	}
	return true
}

// unlike reports whether two hits with known vectors have little in common.
func unlike(a, b scored) bool {
	return a.vector != nil && b.vector != nil && cosineOf(a.vector, b.vector) < leastCosine
}

// asksRest reports that a question is about what a memory says besides what a later one changes of it: what that one ended, or
// the claim with a number. A claim in a slot of the question decides, then the words of the question, then its topics.
func (q *query) asksRest(m, by *graph.Memory, claim int) bool {
	changed, rest := holding.Parts(m, by.ID, claim, q.now)
	if rest == "" {
		return false
	}
	if a, b := q.facts[m.ID], q.facts[by.ID]; a != b {
		return a
	}
	changed += " " + by.Content
	return phrase.Nearer(q.in.Query, rest, changed) > 0
}

// mayReplace reports whether the second hit probably states what holds now instead of the first, though their relation is
// undecided: it has to do with the question, and has all names and numbers that the first shares with the question. It does
// not if the first says a value of the kind that the question asks for and the second says no such value ("The meeting room
// is upstairs", "The meeting went on for three hours"), or if the first is the claim that answers the question, and the
// second neither contradicts it nor says such a value. Two statements of one form say values of one kind, if the question does not
// name the kind.
func (q *query) mayReplace(first, second scored, a, b *graph.Memory, r reader.Relation, oneForm bool) bool {
	alike := likelyCosine
	if !phrase.IsQuestion(q.in.Query) {
		alike = phraseCosine
	}
	if !r.Veto.Undecided() && !r.Veto.Happened() || r.Kind == reader.Same || second.relevance < likelyRelevance*first.relevance || cosineOf(first.vector, second.vector) < alike {
		return false
	}
	says, both := phrase.SayAsked(q.in.Query, a.Content, b.Content)
	if oneForm && phrase.AsksOpenly(q.in.Query) {
		both = true
	}
	if says && !both || !both && q.facts[first.Doc.ID] && !q.facts[second.Doc.ID] && r.Kind != reader.Contradicting && r.Kind != reader.Corrected {
		return false
	}
	inFirst, inSecond := wordSetOf(a.Content), phrase.WordsOf(b.Content)
	for i, w := range phrase.Parts(q.in.Query) {
		if low := english.Lower(w); phrase.IsNameAt(w, i) && inFirst[low] && !inSecond[low] && !inSecond[english.Lemma(low)] {
			return false
		}
	}
	return true
}

func wordSetOf(text string) map[string]bool {
	words := map[string]bool{}
	for _, w := range phrase.Parts(text) {
		words[english.Lower(w)] = true
	}
	return words
}

// short reports whether two texts are statements whose relation can be read.
func short(a, b string) bool {
	return len(a)+len(b) <= statementBytes && phrase.Sentences(a)*phrase.Sentences(b) <= statementSentences
}

// before puts a hit directly before another one, unless it is before it already, and raises its
// relevance to that of the other one.
func before(hits []scored, later scored, earlier graph.ID) []scored {
	place := func(id graph.ID) int {
		return slices.IndexFunc(hits, func(k scored) bool { return k.Doc.ID == id })
	}
	l, e := place(later.Doc.ID), place(earlier)
	if l >= 0 {
		later = hits[l]
	}
	later.relevance, later.aboveFloor = max(later.relevance, hits[e].relevance), later.aboveFloor || hits[e].aboveFloor
	switch {
	case l < 0:
		return slices.Insert(hits, e, later)
	case l < e:
		hits[l] = later
		return hits
	}
	return slices.Insert(slices.Delete(hits, l, l+1), e, later)
}
