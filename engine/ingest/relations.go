package ingest

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/distil"
	"github.com/somnograph/somnograph/engine/gate"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/pattern"
	"github.com/somnograph/somnograph/engine/policy"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/toponym"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// Bounds of the conflict of two rivals, [0,1]: above lifecycle.ContestedAbove, below
// lifecycle.SurelyContested.
const rivalsFrom, rivalsTo = 0.5, 0.69

// vetoLanguage is the veto of the relation model for texts that are not in English.
const vetoLanguage reader.Veto = "language"

// statement is a memory and its reading.
type statement struct {
	memory   *graph.Memory
	said     *reader.Prepared
	analysis *conflict.Analysis
}

// Relations reads how the statement m, drafted as d, relates to its neighbours, under the
// rules of revision (docs/revision.md). It changes nothing. The neighbours may have been
// searched before this transaction began: of a memory with newer versions the last one counts.
func (s *WriteTx) Relations(d *Draft, m *graph.Memory, near []Neighbour) (Relations, error) {
	var out Relations
	if d.said == nil || lifecycle.IsTask(m) {
		return out, nil
	}
	at := lifecycle.FirstTime(m.OccurredAt, m.ValidFrom, s.Now)
	begins := lifecycle.IsYetToCome(m, lifecycle.Later(at, s.Now))
	seen, work := map[graph.ID]bool{m.ID: true}, 0
	if err := s.relateCorrected(&out, d, m, seen); err != nil {
		return out, err
	}
	if err := s.relateIntroduced(&out, d, m, at, seen); err != nil {
		return out, err
	}
	said := toldBy(d, near)
	for i := range near {
		n := &near[i]
		if n.said == nil || !readAlike(said, n.said) {
			continue
		}
		if work += n.said.Work(said); work > maxWork {
			continue
		}
		if r, err := s.relation(m.Namespace, said, n.said, at.Before(n.occurredAt)); err != nil {
			return out, err
		} else if r.Certainty < reader.Rivals {
			if begins {
				out.gone = append(out.gone, n.ID) // until then the other one holds
			}
			continue
		}
		other, err := s.lastActive(n.ID)
		if err != nil {
			return out, err
		}
		if other == nil || other.ID != n.ID {
			out.gone = append(out.gone, n.ID)
		}
		if other == nil || seen[other.ID] || other.Status() != graph.Active || isOver(other, at) {
			continue
		}
		seen[other.ID] = true
		known := statement{other, n.said, n.analysis}
		if other.ID != n.ID {
			known = s.statementOf(other)
		}
		if err := s.relateTo(&out, statement{m, said, &d.analysis}, known, at, standsInSeries(d, n, near)); err != nil {
			return out, err
		}
	}
	if err := s.relateRenamed(&out, d, m, at, seen); err != nil {
		return out, err
	}
	out.oneIllness()
	if err := s.redate(out.onePlan()); err != nil {
		return out, err
	}
	slices.SortStableFunc(out.Revised, func(a, b Revision) int {
		return cmp.Or(cmp.Compare(b.certainty, a.certainty), b.memory.OccurredAt.Compare(a.memory.OccurredAt))
	})
	out.Revised = out.Revised[:min(len(out.Revised), maxRevised)]
	if out.Past != nil {
		out.Revised = nil // what holds instead was compared with the others when it was written
	}
	return out, nil
}

// toldBy returns the statement of a draft. If it tells of a move to a name that may be one of a place or of a tool, other statements of the same
// user decide it: they tell that it is a place, or that it is used.
func toldBy(d *Draft, near []Neighbour) *reader.Prepared {
	name, kind := d.said.MovedTo(), toponym.Untold
	for i := 0; i < len(near) && name != "" && kind != toponym.Tool; i++ {
		if n := &near[i]; n.said != nil && n.user == d.Memory.User {
			kind = max(kind, toponym.Told(n.said.Text(), name))
		}
	}
	if kind == toponym.Untold {
		return d.said
	}
	return d.said.As(kind)
}

// statementOf reads a stored memory.
func (s *WriteTx) statementOf(m *graph.Memory) statement {
	x := conflict.Analyse(workspace.StatementOf(m))
	return statement{m, s.svc.Said.Read(s.t.Scope.Tenant, m), &x}
}

// secondReading is the logit by which the certainty of the relation model rises if the conflict
// scorer finds a contradiction too: two readings that agree err less often than one.
const secondReading = 0.6

// certaintyOf returns the certainty of a relation of two statements, [0,1], after both readings.
func certaintyOf(later, earlier statement, r reader.Relation) float64 {
	c := r.Certainty
	if c < reader.Rivals || c >= 1 || r.Veto == vetoLanguage || r.Unsure || !contradict(later, earlier) || r.Ground == reader.NoGround && takesSeveral(later, earlier) {
		return c
	}
	return 1 / (1 + (1-c)/c*math.Exp(-secondReading))
}

// contradict reports whether the conflict scorer finds a contradiction between two statements.
func contradict(later, earlier statement) bool {
	return conflict.Compare(*later.analysis, *earlier.analysis).Score > lifecycle.ContestedAbove
}

// aloneRevises is the certainty, [0,1], from which a statement revises another one by the reading alone: there is no
// ground, they do not meet in a slot of the table, and the conflict scorer finds no contradiction about one subject.
const aloneRevises = 0.76

// anchoredRevises is the same for two statements about one subject that have more than its name in common,
// if the later one does not say that something has ended: then what it names decides. Most that stands beside a statement is about its subject.
const anchoredRevises = 0.78

// severalAlone is the same for two texts of which one has several sentences.
const severalAlone = 0.78

// sure reports whether a relation with a certainty after both readings is sure enough to revise.
func sure(later, earlier statement, r reader.Relation, certainty float64) bool {
	if certainty < revisesFrom(later, earlier) || r.Partly {
		return false
	}
	alone := aloneRevises
	if later.said.Sentences()*earlier.said.Sentences() > 1 {
		alone = severalAlone
	} else if r.Anchored && !r.Bare && len(later.said.Ended()) == 0 {
		alone = anchoredRevises
	}
	// Notes of one form about several things look like another value of one thing.
	return certainty >= alone && !reader.OneForm(earlier.said, later.said) || r.Ground != reader.NoGround || r.Slot || r.Anchored && contradict(later, earlier) && !takesSeveral(later, earlier)
}

// contestedFrom is the certainty, [0,1], from which two statements are CONTESTED although they do not
// meet in a slot of the table and the conflict scorer finds no contradiction. Below it a search
// puts the later one first, and both stand.
const contestedFrom = 0.55

// contests reports whether two statements with a relation that does not revise are rivals.
func contests(later, earlier statement, r reader.Relation) bool {
	switch {
	case r.Veto != vetoLanguage && !later.said.Modality(r.Later).Holds() && later.said.Modality(r.Later) != earlier.said.Modality(r.Earlier):
		return false // a plan or what was so does not contradict what is so
	case r.Partly, !r.Slot && r.Ground == reader.NoGround && takesSeveral(later, earlier):
		return false
	case r.Certainty >= contestedFrom && r.Anchored && (!r.Bare || r.Certainty > reader.Doubtful), r.Veto == vetoLanguage, r.Slot:
		return true
	}
	return contradict(later, earlier)
}

// takesSeveral reports whether two statements give one subject two values of an active verb that the table of the reader does not
// declare single-valued: the second value stands beside the first one, and a search puts it first. "The library supports Go" is no rival
// of "the library supports Python".
func takesSeveral(later, earlier statement) bool {
	u, ok := earlier.said.Undeclared(later.said)
	return ok && u.Acts
}

// isEpisode reports whether a memory is a record of what was so at its time, which no statement
// revises: the caller stored it as an episode, or a sleep made it of others.
func isEpisode(m *graph.Memory) bool {
	return m.Typed && m.Type == graph.Episodic || m.SourceKind == graph.FromConsolidation
}

// recordsOfTwoDays reports whether the caller stored two memories as episodes, and they are of different days. Then a change contradicts
// nothing: both say what was so on their day.
func recordsOfTwoDays(a, b *graph.Memory) bool {
	return a.Typed && b.Typed && a.Type == graph.Episodic && b.Type == graph.Episodic && graph.Day(a.OccurredAt) != graph.Day(b.OccurredAt)
}

// maxSentencePairs is the number of pairs of sentences of two texts up to which they are compared:
// among many sentences some pair always looks alike.
const maxSentencePairs = 4

// severalRevise is the certainty, [0,1], from which a text revises another one if either has several
// sentences and was a turn of a chat. The turns of a chat take up what was said before far more
// often than they change it.
const severalRevise = 0.75

// revisesFrom returns the certainty, [0,1], from which one of two statements revises the other one.
func revisesFrom(a, b statement) float64 {
	if (wasTurn(a.memory) || wasTurn(b.memory)) && a.said.Sentences()*b.said.Sentences() > 1 {
		return severalRevise
	}
	return reader.Revises
}

// wasTurn reports whether a memory was a turn of an observed session.
func wasTurn(m *graph.Memory) bool { return len(m.History) > 0 && m.History[0].Tier == graph.L0 }

// maxWork is the work up to which a new statement is compared with its neighbours, see reader.Work: about 26 ms, 500 pairs of short
// statements. The other writes of the tenant have to wait for it.
const maxWork = 8 * reader.MaxWork

// readAlike reports whether two texts are short enough to be compared. Comparing long texts takes
// longer than everything else in a write.
func readAlike(a, b *reader.Prepared) bool { return a.Sentences()*b.Sentences() <= maxSentencePairs }

// eventRevises is the certainty, [0,1], from which an event ends a state: "we painted the kitchen green"
// does, "we cooked in the kitchen" does not.
const eventRevises = 0.8

// relationOf relates a new statement to another one, or the other one to it if the new one is
// late. Texts that are not recognised as English are rivals where English ones would be more.
func relationOf(said, other *reader.Prepared, late bool) reader.Relation {
	earlier, later := other, said
	if late {
		earlier, later = said, other
	}
	r := earlier.Relate(later)
	switch {
	case r.Veto == vetoLanguage:
		r.Certainty = max(r.Certainty, reader.Rivals)
	case r.AtOnce, r.Off, r.Lifts: // two plans, one that is called off, or two sentences of what is to be done
	case earlier.Facts()+later.Facts() == 0 && r.Kind != reader.Corrected, // two notes without a verb
		r.Kind != reader.Corrected && (happened(earlier, r.Earlier) || earlier.Modality(r.Earlier) == reader.Past):
		r.Certainty = min(r.Certainty, reader.Rivals/2) // what happened stays true
	case r.Kind != reader.Corrected && happened(later, r.Later) && r.Certainty < eventRevises && r.Ground == reader.NoGround:
		r.Certainty = min(r.Certainty, reader.Rivals/2) // what happens ends no state, if nothing says so
	}
	return r
}

// happened reports whether a clause states an event, and no change of a state.
func happened(said *reader.Prepared, clause int) bool {
	return said.Modality(clause) == reader.Event
}

// relateTo adds the relation of a new statement of the event time at to another one. series says that
// others of one form stand beside the other one.
func (s *WriteTx) relateTo(out *Relations, new, other statement, at time.Time, series bool) error {
	late := at.Before(other.memory.OccurredAt)
	if !readAlike(new.said, other.said) {
		return nil
	}
	r, err := s.relation(new.memory.Namespace, new.said, other.said, late)
	if r.Veto == reader.Failed {
		s.svc.Log.Error("[WRITE] two statements could not be compared: a fault of the rules; both stand", "id", new.memory.ID, "other", other.memory.ID)
	}
	if err != nil || r.Certainty < reader.Rivals || r.Beside {
		return err
	}
	if undone, err := s.takenBack(new.memory.ID, other.memory.ID); undone || err != nil {
		return err
	}
	later, earlier := new, other
	if late {
		later, earlier = other, new
	}
	if pattern.SameRule(earlier.memory.Content, later.memory.Content) {
		return nil // a rule that is repeated, or holds under another condition too: a pattern counts each time that it was said
	}
	if a, b := earlier.memory, later.memory; a.Session != "" && a.Session == b.Session && distil.FollowsOn(a.Content, b.Content) {
		return nil // steps of one sequence
	}
	r.Certainty = certaintyOf(later, earlier, r)
	sure := sure(later, earlier, r, r.Certainty) && (r.Slot || !series)
	if sure && r.Kind == reader.Changed && recordsOfTwoDays(earlier.memory, later.memory) {
		out.gone = append(out.gone, other.memory.ID)
		return nil
	}
	if isEpisode(earlier.memory) || !sure && !workspace.MayReplace(later.memory, earlier.memory) {
		return nil // the answer of an assistant is no rival of what it repeats in other words
	}
	if !late {
		out.latest = lifecycle.Later(out.latest, other.memory.OccurredAt)
	}
	rules, err := s.Policy(new.memory.Namespace)
	if err != nil {
		return err
	}
	old := late && other.memory.OccurredAt.Sub(at) >= longAgo && r.Veto != vetoLanguage
	revises := (sure || old && r.Slot) && s.revises(rules, later, earlier, r, r.Certainty) && (late || !s.served(new.memory))
	x := Revision{memory: other.memory, certainty: r.Certainty, kind: r.Kind, from: saidFrom(later, r.Later, at), illness: r.Illness}
	if late {
		x.withinPeriod(later, r.Later, at, other.memory.OccurredAt)
	} else {
		x.withinPeriod(later, r.Later, lifecycle.Later(other.memory.OccurredAt, other.memory.ValidFrom), at)
	}
	if read, _ := later.said.Claim(r.Later); !late && !r.Off && r.Kind != reader.Corrected && len(later.said.Ended()) > 0 && !x.from.IsZero() && !read.Lasting && x.from.Before(other.memory.OccurredAt.AddDate(-1, 0, 0)) {
		return nil // "I sold a Golf in 1999" is about another one than that of which it was said since
	}
	if r.Off {
		revises = revises && !late && x.ofPlan(earlier, r, lifecycle.Later(at, s.Now))
		if !revises {
			return nil
		}
	} else if begins := saidToBegin(later, r.Later, lifecycle.Later(at, s.Now)); !late && !begins.IsZero() && r.AtOnce {
		x.begins = begins
	} else if !late && !begins.IsZero() {
		// Until then the earlier statement holds, and the two are no rivals.
		if x.claim = claimOf(earlier, r.Earlier); !revises || x.claim == 0 || r.Kind == reader.Corrected {
			out.gone = append(out.gone, other.memory.ID)
			return nil
		}
		x.from = begins
	} else if revises && earlier.said.Facts() > 1 {
		// Other facts of the earlier one still hold: only a claim of it ends.
		x.claim = claimOf(earlier, r.Earlier)
		revises = x.claim > 0
	}
	switch {
	case revises && late && x.partial():
		out.pastClaims = append(out.pastClaims, x)
	case revises && late:
		if out.Past == nil || other.memory.OccurredAt.Before(out.Past.memory.OccurredAt) {
			out.Past = &x
		}
	case revises:
		out.Revised = append(out.Revised, x)
	case old, !late && lapsed(other.memory, at): // what an old conversation says contests nothing that was said long after
		out.gone = append(out.gone, other.memory.ID)
	case sure || contests(later, earlier, r):
		out.Rivals = append(out.Rivals, Contradiction{ID: other.memory.ID, authority: other.memory.Authority, score: min(max(r.Certainty, rivalsFrom), rivalsTo), late: late})
	}
	if s.svc.Chat != nil && !revises && !late && !r.Off && !r.Partly && !series && s.revises(rules, later, earlier, r, 1) && !s.served(new.memory) {
		out.doubts = append(out.doubts, doubt{earlier: other.memory.ID, certainty: r.Certainty})
	}
	return nil
}

// redate adds to what a statement revises the claims that a plan ends of which it moves the day: they hold until the new day.
func (s *WriteTx) redate(out *Relations) error {
	for _, plan := range out.Revised {
		if plan.begins.IsZero() {
			continue
		}
		ended, err := s.endedBy(plan.memory.ID)
		if err != nil {
			return err
		}
		for _, m := range ended {
			i := slices.IndexFunc(m.Claims, func(c graph.Claim) bool { return c.State().RevisedBy == plan.memory.ID })
			if i < 0 {
				continue
			}
			out.Revised = slices.DeleteFunc(out.Revised, func(r Revision) bool { return r.memory.ID == m.ID })
			out.Revised = append(out.Revised, Revision{memory: m, certainty: plan.certainty, kind: reader.Changed, from: plan.begins, claim: m.Claims[i].N, instead: plan.memory.ID})
		}
	}
	return nil
}

// served reports whether recall served the text of a memory within the last day, before it was said. Such a text revises nothing.
func (s *WriteTx) served(m *graph.Memory) bool {
	return s.servedFrom(m) != ""
}

// revises reports whether the rules allow that the later of two statements revises the earlier
// one, with a certainty of the reading.
func (s *WriteTx) revises(rules policy.Policy, later, earlier statement, r reader.Relation, certainty float64) bool {
	a, b := later.memory, earlier.memory
	switch {
	case rules.Revision != policy.RevisionOn:
		return false
	case a.Namespace != b.Namespace || a.User != b.User || a.Project != b.Project: // not one slot
		return false
	case lifecycle.IsTask(b) || b.SafetyCritical || a.Consent == graph.ConsentNone && b.Consent != graph.ConsentNone:
		return false
	case !hasStanding(a, b) || !knowsWho(later) || !knowsWho(earlier):
		return false
	case a.Type == graph.Document || b.Type == graph.Document: // a document is replaced by its next version
		return false
	case !r.AtOnce && !r.Off && !r.Lifts && (!statesFact(earlier, r.Earlier, r.Kind) || !statesFact(later, r.Later, r.Kind)):
		return false
	}
	return passesGate(rules, a, b, certainty)
}

// statesFact reports whether a statement says what is so. What a correction corrects may be of the past.
func statesFact(x statement, clause int, kind reader.Kind) bool {
	return x.said.Facts() > 0 || kind == reader.Corrected && x.said.Modality(clause) == reader.Past
}

// knowsWho reports whether it is known who "I" is in a statement.
func knowsWho(x statement) bool {
	return workspace.NamedSpeaker(x.memory) || !x.said.FirstPerson()
}

// hasStanding reports whether the speaker of a later memory may revise an earlier one: the
// same speaker, or one whose bound authority is at least that of the earlier memory. What a
// user said is revised by users and the system only, and a summary revises nothing.
func hasStanding(later, earlier *graph.Memory) bool {
	switch {
	case later.SourceKind == graph.FromConsolidation:
		return false
	case workspace.SameSpeaker(later, earlier):
		return true
	}
	return workspace.MayReplace(later, earlier) && later.Authority >= earlier.Authority
}

// passesGate reports whether a statement may replace a memory, which for an engram the gate
// decides. The statement is one piece of evidence, with its authority
// as the weight and the certainty of the reading as the confidence.
func passesGate(rules policy.Policy, later, earlier *graph.Memory, certainty float64) bool {
	if len(earlier.History) == 0 || earlier.State().Tier != graph.L3 { // a late statement is not stored yet
		return true
	}
	quorum := gate.Quorum([]gate.Evidence{{Principal: later.Principal, Grant: 1, Weight: later.Authority, Confidence: certainty}})
	return gate.Decide(gate.Candidate{Conflict: 1}, quorum, rules.Quorum) == gate.Replaced
}

// claimOf returns the number of the open claim that was read in a clause of a memory; 0 if the
// memory keeps no such claim.
func claimOf(x statement, clause int) int {
	read, ok := x.said.Claim(clause)
	if !ok {
		return 0
	}
	skipped := 0
	if at := strings.Index(x.memory.Content, x.said.Text()); at > 0 {
		skipped = at
	}
	for _, c := range x.memory.Claims {
		if c.Start == read.Start+skipped && c.End == read.End+skipped && c.State().RevisedBy == "" && c.State().ValidTo.IsZero() {
			return c.N
		}
	}
	return 0
}

// saidFrom returns the instant before at from which a claim of a statement holds, as its text
// says; zero: it says none.
func saidFrom(x statement, claim int, at time.Time) time.Time {
	c, ok := x.said.Claim(claim)
	if !ok || !c.ValidFrom.Before(at) {
		return time.Time{}
	}
	return graph.Millis(c.ValidFrom)
}

// saidToBegin returns the instant after at from which a claim of a statement holds, as its text says; zero: it holds already.
func saidToBegin(x statement, claim int, at time.Time) time.Time {
	c, ok := x.said.Claim(claim)
	if !ok || !c.ValidFrom.After(at) {
		return time.Time{}
	}
	return graph.Millis(c.ValidFrom)
}

// isOver reports whether a memory had ended at an instant.
func isOver(m *graph.Memory, at time.Time) bool {
	end := m.State().ValidTo
	return !end.IsZero() && !end.After(at)
}

// lastActive returns a memory, or the last version of its chain; nil if it is not ACTIVE, or
// still in the session buffer.
func (s *WriteTx) lastActive(id graph.ID) (*graph.Memory, error) {
	var passed []graph.ID
	m, err := s.Tx.Memory(id)
	for err == nil && m.Status() == graph.Superseded && m.SupersededBy != "" {
		if slices.Contains(passed, m.ID) {
			return nil, errRing(m.ID)
		}
		passed = append(passed, m.ID)
		next := m.SupersededBy
		if known := s.lastVersions[m.ID]; known != "" {
			next = known
		}
		m, err = s.Tx.Memory(next)
	}
	if known, err := graph.Found(err); !known {
		return nil, err
	}
	if s.lastVersions == nil {
		s.lastVersions = map[graph.ID]graph.ID{}
	}
	for _, x := range passed {
		s.lastVersions[x] = m.ID
	}
	if m.Status() != graph.Active || m.State().Tier == graph.L0 || lifecycle.IsExpired(m, s.Now) {
		return nil, nil
	}
	return m, nil
}

// takenBack reports whether a revision between two memories was taken back, or their conflict
// dismissed.
func (s *WriteTx) takenBack(a, b graph.ID) (bool, error) {
	if a == "" || b == "" {
		return false, nil // one is not stored yet
	}
	for _, ends := range [][2]graph.ID{{a, b}, {b, a}} {
		edge, err := s.Tx.Edge(ends[0], graph.Revises, ends[1])
		known, err := graph.Found(err)
		if err != nil {
			return false, err
		}
		if known && edge.Weight == 0 {
			return true, nil
		}
	}
	return lifecycle.IsDismissed(s.Tx, a, b)
}

// confirmed returns the rivals of m that it revises now that its speaker repeats it in
// another session. The certainty is that of a confirmed reading: 1.
func (s *WriteTx) confirmed(d *Draft, m *graph.Memory) (Relations, error) {
	var out Relations
	if !workspace.SameSpeaker(d.Memory, m) || d.Memory.Session == m.Session || s.served(d.Memory) {
		return out, nil
	}
	if lifecycle.FirstTime(d.Memory.OccurredAt, d.Memory.ValidFrom, s.Now).Before(m.OccurredAt) {
		return out, nil // said before, so it repeats nothing
	}
	rules, err := s.Policy(m.Namespace)
	if err != nil {
		return out, err
	}
	edges, err := s.Tx.Edges(m.ID, graph.Out, graph.Contradicts)
	if err != nil {
		return out, err
	}
	later := s.statementOf(m)
	for _, edge := range edges {
		if edge.Weight <= lifecycle.ContestedAbove {
			continue
		}
		other, err := s.lastActive(edge.To)
		if err != nil {
			return out, err
		}
		if other == nil || other.ID != edge.To {
			continue
		}
		x, ok, err := s.pairOf(rules, later, s.statementOf(other), 1)
		if err != nil {
			return out, err
		}
		if ok {
			out.Revised = append(out.Revised, x)
		}
	}
	return out, nil
}

// pairOf returns the revision of an earlier statement by a stored later one, of which the certainty is known otherwise than by reading. ok is false if the
// rules of revision forbid it, or the reading does not take the two for rivals.
func (s *WriteTx) pairOf(rules policy.Policy, later, earlier statement, certainty float64) (x Revision, ok bool, err error) {
	if isOver(earlier.memory, s.Now) || isEpisode(earlier.memory) {
		return x, false, nil
	}
	r := relationOf(later.said, earlier.said, false)
	if undone, err := s.takenBack(later.memory.ID, earlier.memory.ID); err != nil || undone {
		return x, false, err
	}
	if r.Certainty < reader.Rivals || r.Veto == vetoLanguage || !s.revises(rules, later, earlier, r, certainty) {
		return x, false, nil
	}
	x = Revision{memory: earlier.memory, certainty: certainty, kind: r.Kind}
	if earlier.said.Facts() > 1 {
		x.claim = claimOf(earlier, r.Earlier)
		return x, x.claim > 0, nil
	}
	return x, true, nil
}
