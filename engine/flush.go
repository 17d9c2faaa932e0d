package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// leaveRetries is how often a turn that could not become L1 is tried again: after 0, 1
// and 5 s where Options.Retry is the default, SPEC section 5. Then it is given up: it
// stays in L0, can be found and read, and health names it.
const leaveRetries = 3

// leaveWait is how long the next try waits after so many failed ones.
func (e *Engine) leaveWait(tries int) time.Duration {
	switch tries {
	case 0, 1:
		return 0
	case 2:
		return e.retry / 5
	}
	return e.retry
}

// Importance of what extraction reads, SPEC section 5: a share of the confidence for
// what is true and what is preferred, a value for what happened.
const (
	factImportance       = 0.8
	preferenceImportance = 0.9
	eventImportance      = 0.6
)

// errAgain says that some turns are to be tried again.
var errAgain = errors.New("some turns did not become L1")

// buffered reads the rings and the open tasks back from the store, once: a turn whose
// tier is L0 is in the ring of its conversation, whatever process put it there.
func (e *Engine) buffered(ctx context.Context, t *tenant) error {
	t.buffer.loading.Lock()
	defer t.buffer.loading.Unlock()
	if t.buffer.loaded {
		return nil
	}
	if err := t.Current(ctx); err != nil {
		return err
	}
	var ids []graph.ID
	e.index.Docs(t.scope, func(d *index.Doc) bool {
		if s := d.History[len(d.History)-1]; s.Status == graph.Active && (s.Tier == graph.L0 || d.Type == graph.Working && slices.Contains(d.Tags, taskTag)) {
			ids = append(ids, d.ID)
		}
		return true
	})
	slices.Sort(ids) // ascending ids are the order of recording
	var found []*graph.Memory
	var damaged []graph.ID
	err := t.View(ctx, func(r graph.Reader) error {
		found, damaged = nil, nil
		for _, id := range ids {
			m, err := r.Memory(id)
			if graph.CodeOf(err) == graph.CodeIntegrityFailure {
				damaged = append(damaged, id)
				continue
			}
			if err != nil {
				return err
			}
			found = append(found, m)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, m := range found {
		if inBuffer(m) {
			t.buffer.push(conversationOf(m), slot{m.ID, prompt.Count(m.Content)}, m.CreatedAt)
		}
	}
	t.buffer.tasked(opened(found...))
	t.buffer.gone(0, nil, damaged)
	t.buffer.loaded = true
	return nil
}

// inBuffer reports a turn that is in L0 and stands.
func inBuffer(m *graph.Memory) bool {
	return m.Status() == graph.Active && m.State().Tier == graph.L0
}

// runBuffer reads the tasks out of turns and takes what leaves its ring into L1, until
// Close.
func (e *Engine) runBuffer(t *tenant) {
	for {
		select {
		case <-e.ctx.Done():
			return
		case <-t.buffer.wake:
		}
		for {
			err := e.flush(e.ctx, t)
			if err == nil {
				err = e.heard(e.ctx, t)
			}
			if err == nil {
				break
			}
			if e.ctx.Err() != nil {
				return
			}
			wait := e.retry
			if next := t.buffer.waiting(1); errors.Is(err, errAgain) && len(next) > 0 {
				wait = e.leaveWait(next[0].tries)
			}
			e.log.Warn("[WRITE] turns were not read or did not reach L1; will retry", "retry", wait, "error", err)
			if !e.pause(wait) {
				return
			}
		}
	}
}

// runIdle takes idle conversations out of L0 until Close.
func (e *Engine) runIdle(t *tenant) {
	tick := time.NewTicker(e.sweep)
	defer tick.Stop()
	for {
		select {
		case <-e.ctx.Done():
			return
		case <-tick.C:
		}
		if err := e.sweepIdle(e.ctx, t); err != nil && e.ctx.Err() == nil {
			e.log.Warn("[WRITE] idle conversations did not leave L0; will retry", "error", err)
		}
	}
}

// sweepIdle takes the turns of conversations into L1 that nothing came into for the time
// to live of L0.
func (e *Engine) sweepIdle(ctx context.Context, t *tenant) error {
	if err := e.buffered(ctx, t); err != nil {
		return err
	}
	if len(t.buffer.take(idle(t.Now().Add(-e.sessionIdle)))) == 0 {
		return nil
	}
	return e.flush(ctx, t)
}

// flush takes the turns that had left their rings by now into L1, in order. A turn that
// fails alone goes to the end of the queue and is given up in the end; where the store
// fails, all stay. What stays is tried again in the background.
func (e *Engine) flush(ctx context.Context, t *tenant) (err error) {
	b := t.buffer
	b.flushing.Lock()
	defer b.flushing.Unlock()
	defer func() {
		if err != nil {
			b.rouse()
		}
	}()
	for n := b.length(); n > 0; {
		due := b.waiting(min(n, maxBatch))
		n -= len(due)
		drafts, faults, down := e.leavers(ctx, t, due)
		if down != nil {
			return down
		}
		results, down := e.submit(ctx, t, drafts)
		if down != nil {
			return down
		}
		for i, r := range results {
			if r.Error != nil && r.Error.Code == graph.CodeUnavailable {
				return r.Error // nothing is wrong with the turn
			}
			if r.Error != nil {
				faults[drafts[i].memory.ID] = r.Error
			}
		}
		if e.settleQueue(t, due, faults) {
			err = errAgain
		}
	}
	b.tidy()
	return err
}

// settleQueue takes the turns that were tried off the queue, and reports whether some of
// those with a fault are to be tried again.
func (e *Engine) settleQueue(t *tenant, due []leaver, faults map[graph.ID]error) bool {
	var again []leaver
	var dead []graph.ID
	for _, l := range due {
		fault := faults[l.id]
		if fault == nil {
			continue
		}
		if l.tries++; l.tries <= leaveRetries {
			again = append(again, l)
			continue
		}
		e.log.Error("[WRITE] a turn can't become L1; it stays in L0", "id", l.id, "error", fault)
		dead = append(dead, l.id)
	}
	t.buffer.gone(len(due), again, dead)
	return len(again) > 0
}

// stuck are the turns of the caller that can't become L1, for people to look at.
func (e *Engine) stuck(c Caller, t *tenant) []graph.ID {
	return slices.DeleteFunc(t.buffer.stuck(), func(id graph.ID) bool {
		d, ok := e.index.Doc(t.scope, id)
		return !ok || !c.sees(d.Namespace, d.User) || d.History[len(d.History)-1].Tier != graph.L0
	})
}

// leavers drafts the turns that are still in L0 as remember would: read, and embedded
// where that was not done while they waited. faults are those that can't be read.
func (e *Engine) leavers(ctx context.Context, t *tenant, due []leaver) (drafts []*draft, faults map[graph.ID]error, err error) {
	var bare []*draft
	err = t.View(ctx, func(r graph.Reader) error {
		drafts, bare, faults = nil, nil, map[graph.ID]error{}
		for _, l := range due {
			d, err := e.leaver(r, t.buffer, l.id)
			switch {
			case graph.CodeOf(err) == graph.CodeIntegrityFailure:
				faults[l.id] = err
			case err != nil:
				return err
			case d != nil:
				drafts = append(drafts, d)
				if d.vector == nil {
					bare = append(bare, d)
				}
			}
		}
		return nil
	})
	if err == nil {
		e.embed(ctx, bare)
	}
	return drafts, faults, err
}

// leaver drafts one turn; nil where it was superseded, dismissed or erased meanwhile.
func (e *Engine) leaver(r graph.Reader, b *buffer, id graph.ID) (*draft, error) {
	m, err := r.Memory(id)
	if err != nil || !inBuffer(m) {
		return nil, err
	}
	d := e.departing(b, m)
	if m.EmbeddingModel != "" {
		d.vector, err = r.Embedding(id)
	}
	return d, err
}

// departing reads the text of a turn by rule, as remember does.
func (e *Engine) departing(b *buffer, row *graph.Memory) *draft {
	text := extract.Text(row.Content, extract.Hints{Speaker: speaker(row)})
	d := &draft{named: text.Entities, item: &passage{buffer: b, row: row.ID}}
	at := firstTime(row.OccurredAt, row.ValidFrom, e.Now())
	text.Statement = d.whose(conflict.Statement{Text: row.Content, At: at}, speaker(row), text.Statement)
	m := *row
	m.Subject = extract.Canonical(text.Statement.Subject)
	m.Predicate, m.Object = text.Statement.Predicate, text.Statement.Object
	m.Salience = text.Salience
	m.Type, m.Importance = valued(text, row.Confidence)
	m.DecayClass = decayClassOf(m.Type)
	d.memory, d.statement = &m, text.Statement
	d.readAs(&m, at)
	return d
}

// valued is the type of what extraction read and its importance, SPEC section 5: facts,
// preferences and rules, events.
func valued(text extract.Result, confidence float64) (graph.Type, float64) {
	switch {
	case text.Type == graph.Procedural, text.Type == graph.Semantic && extract.Preference(text.Statement.Predicate):
		return graph.Procedural, preferenceImportance * confidence
	case text.Type == graph.Semantic:
		return graph.Semantic, factImportance * confidence
	}
	return graph.Episodic, eventImportance
}

// Store takes a turn into L0 or out of it.
func (p *passage) Store(s *storing, d *draft, near []neighbour) (RememberResult, error) {
	if p.Enters() {
		return enter(s, d)
	}
	m, err := s.tx.Memory(p.row)
	if err != nil {
		return RememberResult{}, err
	}
	if !inBuffer(m) { // it left meanwhile, one way or another
		return RememberResult{Memory: view(m, Access{}, s.now)}, nil
	}
	return p.leave(s, d, m, near)
}

// leave takes a turn from L0 to L1, or to L2 where its score allows: the row stays, and
// gets what remember gives to a new one. What was changed by hand meanwhile is kept.
func (p *passage) leave(s *storing, d *draft, m *graph.Memory, near []neighbour) (RememberResult, error) {
	read := d.memory
	rules, err := s.policy(m.Namespace)
	if err != nil {
		return RememberResult{}, err
	}
	m.Type, m.DecayClass = read.Type, read.DecayClass
	bindPolicy(m, rules)
	m.Subject, m.Predicate, m.Object = read.Subject, read.Predicate, read.Object
	m.Salience = max(m.Salience, read.Salience)
	if m.Importance == defaultImportance {
		m.Importance = read.Importance
	}
	m.UpdatedAt = s.now
	fresh := m.EmbeddingModel == "" && d.vector != nil
	if fresh {
		m.EmbeddingModel = s.e.embedder.Name()
	}
	// A turn is compared with what is beyond L0, never with itself or with a later turn.
	near = slices.DeleteFunc(slices.Clone(s.withFresh(d, near)), func(n neighbour) bool { return n.tier == graph.L0 || n.chain == m.Chain })
	clashes, duplicate := s.compare(d, near)
	departuresOf(s, p.buffer).count(m)
	vector := d.vector
	if !fresh {
		vector = nil // stored already, or still to come
	}
	if duplicate != nil {
		if r, folded, err := fold(s, m, vector, duplicate.id); folded || err != nil {
			return r, err
		}
	}
	r, err := s.assess(m, d, near, clashes)
	if err != nil {
		return RememberResult{}, err
	}
	kind := graph.EventUpdated
	m.SetState(s.now, func(st *graph.State) {
		if st.Tier = graph.L1; r.Promoted {
			st.Tier, kind = graph.L2, graph.EventPromoted
		}
	})
	if clashes, err = unsaid(s, m, clashes); err != nil {
		return RememberResult{}, err
	}
	if err := s.putAs(kind, m, vector, clashes); err != nil {
		return RememberResult{}, err
	}
	s.wrote(m, d)
	r.Memory = view(m, Access{}, s.now)
	return r, nil
}

// unsaid are the clashes that were not written down from the other side, while the turn
// was in L0.
func unsaid(s *storing, m *graph.Memory, clashes []clash) ([]clash, error) {
	var left []clash
	for _, c := range clashes {
		switch _, err := s.tx.Edge(c.id, graph.Contradicts, m.ID); {
		case errors.Is(err, graph.ErrNotFound):
			left = append(left, c)
		case err != nil:
			return nil, err
		}
	}
	return left, nil
}

// fold lays a turn that only repeats a memory into that one, which it strengthens. What
// an assistant repeats came out of memory and strengthens nothing, nor does a tool's echo. It is not folded
// where the memory left ACTIVE meanwhile.
func fold(s *storing, m *graph.Memory, vector []float32, into graph.ID) (r RememberResult, folded bool, err error) {
	same, err := s.tx.Memory(into)
	if err != nil || same.Status() != graph.Active {
		return RememberResult{}, false, err
	}
	m.Consolidated = into
	m.SetState(s.now, func(st *graph.State) { st.Status, st.Tier, st.Core = graph.Consolidated, graph.L1, false })
	if err := settle(s.tx, m, s.now); err != nil {
		return RememberResult{}, false, err
	}
	if err := s.putAs(graph.EventConsolidated, m, vector, nil); err != nil {
		return RememberResult{}, false, err
	}
	if err := s.tx.PutEdge(graph.Edge{From: m.ID, Kind: graph.ConsolidatedInto, To: into, Weight: 1, At: s.now}); err != nil {
		return RememberResult{}, false, err
	}
	echo, err := s.echoed(&draft{memory: m})
	if err != nil {
		return RememberResult{}, false, err
	}
	if m.SourceKind != graph.FromAssistant && echo == nil {
		if same, err = s.tx.Memory(into); err != nil { // settling may have changed it
			return RememberResult{}, false, err
		}
		if err := s.strengthen(same); err != nil {
			return RememberResult{}, false, err
		}
	}
	p, err := s.policy(same.Namespace)
	if err != nil {
		return RememberResult{}, false, err
	}
	return RememberResult{Memory: view(m, Access{}, s.now), DuplicateOf: into, Score: score(same, p)}, true, nil
}
