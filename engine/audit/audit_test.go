package audit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

var scope = graph.Scope{Tenant: "default"}

// secrets keeps keys in memory. After fail more writes, writes fail.
type secrets struct {
	mu   sync.Mutex
	kept map[string][]byte
	fail int // negative: never
}

func newSecrets() *secrets { return &secrets{kept: map[string][]byte{}, fail: -1} }

func (s *secrets) Read(name string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept[name], nil
}

func (s *secrets) Damaged(name, what string) error {
	return &graph.DamagedKeysError{Path: "keys/" + name, Err: fmt.Errorf("%w: %s", graph.ErrIntegrity, what)}
}

func (s *secrets) Fill(b []byte) error {
	for i := range b {
		b[i] = byte(i)
	}
	return nil
}

var errDied = errors.New("the process died")

func (s *secrets) Write(name string, content []byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail == 0 {
		return errDied
	}
	s.fail--
	s.kept[name] = slices.Clone(content)
	return nil
}

// dying is a store whose Update fails after some more calls, before or after the commit.
type dying struct {
	graph.Store
	left      int // negative: never
	committed bool
}

func (d *dying) Update(ctx context.Context, scope graph.Scope, fn func(graph.Tx) error) (graph.Cursor, error) {
	if d.left == 0 {
		if d.committed {
			if _, err := d.Store.Update(ctx, scope, fn); err != nil {
				return 0, err
			}
		}
		return 0, errDied
	}
	d.left--
	return d.Store.Update(ctx, scope, fn)
}

type world struct {
	t     *testing.T
	store *dying
	keys  *secrets
	now   time.Time
	log   *audit.Log
	ids   *graph.IDSource
	seed  *rand.ChaCha8
	keep  time.Duration
}

func newWorld(t *testing.T) *world {
	t.Helper()
	s, err := badgerstore.Open("", badgerstore.Options{InMemory: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	w := &world{t: t, store: &dying{Store: s, left: -1}, keys: newSecrets(), now: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), seed: rand.NewChaCha8([32]byte{1})}
	w.ids = graph.NewIDSource(w.seed)
	w.start()
	return w
}

// start begins a new process over the same store and keys.
func (w *world) start() {
	w.store.left, w.keys.fail = -1, -1
	w.log = audit.New(audit.Options{
		Store: w.store, Keys: w.keys, Now: func() time.Time { return w.now }, NewID: w.ids.New, Keep: w.keep,
	})
}

// write runs a call that writes a setting.
func (w *world) write(verb string) error {
	call := audit.NewCall("key1", verb)
	_, err := w.log.Update(audit.With(w.t.Context(), call), w.store, scope, func(tx graph.Tx) error { return tx.PutSetting("s", []byte(verb)) })
	w.log.End(scope, call, err)
	return err
}

func (w *world) read(principal, verb string, err error) {
	w.log.End(scope, audit.NewCall(principal, verb), err)
}

func (w *world) seal() bool {
	w.t.Helper()
	open, err := w.log.Seal(w.t.Context(), scope)
	if err != nil {
		w.t.Fatal(err)
	}
	return open
}

func (w *world) list(f audit.Filter) []audit.Entry {
	w.t.Helper()
	entries, _, err := w.log.List(w.t.Context(), scope, f)
	if err != nil {
		w.t.Fatal(err)
	}
	return entries
}

func (w *world) verify() *audit.Verification {
	w.t.Helper()
	var v *audit.Verification
	err := w.store.View(w.t.Context(), scope, func(r graph.Reader) (err error) { v, err = audit.Verify(r, w.keys, scope); return err })
	if err != nil {
		w.t.Fatal(err)
	}
	return v
}

func (w *world) intact(rows int) {
	w.t.Helper()
	v := w.verify()
	if !v.Intact() || len(v.Chains) != 1 || v.Chains[0].Rows != rows || v.Chains[0].Last != uint64(rows) || v.Chains[0].Waiting != 0 || !v.Chains[0].Keys {
		w.t.Fatalf("want %d intact rows: %+v", rows, v)
	}
}

func TestWriteHasRowInItsCommit(t *testing.T) {
	w := newWorld(t)
	if err := w.write("remember"); err != nil {
		t.Fatal(err)
	}
	w.seal()
	rows := w.list(audit.Filter{})
	if len(rows) != 1 || rows[0].Seq != 1 || rows[0].Verb != "remember" || rows[0].Principal != "key1" || rows[0].Outcome != audit.OK || rows[0].Count != 1 || !rows[0].At.Equal(w.now) {
		t.Fatalf("%+v", rows)
	}
	w.intact(1)
	boom := errors.New("boom")
	_, err := w.log.Update(t.Context(), w.store, scope, func(tx graph.Tx) error { return errors.Join(tx.PutSetting("s", []byte("x")), boom) })
	if !errors.Is(err, boom) {
		t.Fatal(err)
	}
	if _, err := w.log.Update(t.Context(), w.store, scope, func(graph.Tx) error { return nil }); err != nil {
		t.Fatal(err)
	}
	w.seal()
	w.intact(1) // neither a failed nor an empty transaction has a row
}

func TestTransactionOfTwoCallsHasTwoRows(t *testing.T) {
	w := newWorld(t)
	a, b := audit.NewCall("ada", "remember"), audit.NewCall("bo", "remember")
	_, err := w.log.Update(t.Context(), w.store, scope, func(tx graph.Tx) error {
		audit.Attribute(tx, a)
		err := tx.PutSetting("a", []byte("1"))
		audit.Attribute(tx, b)
		return errors.Join(err, tx.PutSetting("b", []byte("1")))
	})
	if err != nil {
		t.Fatal(err)
	}
	var who []string
	for _, e := range w.list(audit.Filter{OldestFirst: true}) {
		who = append(who, e.Principal)
	}
	if slices.Sort(who); !slices.Equal(who, []string{"ada", "bo"}) {
		t.Error(who)
	}
}

func TestReadsAreCountedByMinute(t *testing.T) {
	w := newWorld(t)
	for range 3 {
		w.read("ada", "search", nil)
	}
	if !w.seal() {
		t.Error("the minute is not over")
	}
	w.read("ada", "search", nil)
	w.read("bo", "search", nil)
	w.read("bo", "forget", graph.Errorf(graph.CodeForbidden, "no"))
	if got := w.list(audit.Filter{Principal: "ada"}); len(got) != 1 || got[0].Count != 4 || got[0].Seq != 0 || !got[0].Counted {
		t.Fatalf("%+v", got)
	}
	w.now = w.now.Add(time.Minute)
	if w.seal() {
		t.Error("the minute is over")
	}
	w.intact(3)
	if got := w.list(audit.Filter{Outcome: "FORBIDDEN"}); len(got) != 1 || got[0].Verb != "forget" {
		t.Fatalf("%+v", got)
	}
}

// A process that ends leaves no row that is not sealed.
func TestAllRowsAreSealedAtTheEnd(t *testing.T) {
	w := newWorld(t)
	if err := w.write("remember"); err != nil {
		t.Fatal(err)
	}
	w.read("ada", "search", nil)
	w.seal()
	if v := w.verify(); len(v.Chains) != 1 || v.Chains[0].Waiting != 1 {
		t.Fatalf("the row of the present minute is sealed while it can grow: %+v", v.Chains)
	}
	if err := w.log.SealAll(t.Context(), scope); err != nil {
		t.Fatal(err)
	}
	if v := w.verify(); !v.Intact() || v.Chains[0].Waiting != 0 || v.Chains[0].Rows != 2 {
		t.Errorf("%+v", v.Chains)
	}
	w.start()
	w.read("ada", "search", nil) // in the same minute
	if err := w.log.SealAll(t.Context(), scope); err != nil {
		t.Fatal(err)
	}
	if v := w.verify(); !v.Intact() || v.Chains[0].Rows != 3 {
		t.Errorf("%+v", v.Chains)
	}
}

// A world of several days for the tests of changes: 30 rows a day.
func threeDays(t *testing.T) *world { return newWorld(t).threeDays() }

// threeDaysIn is threeDays in a directory.
func threeDaysIn(t *testing.T, dir, keys string) *world {
	w := newWorld(t)
	w.onDisk(keys, dir)
	w.start()
	return w.threeDays()
}

func (w *world) threeDays() *world {
	t := w.t
	for range 3 {
		for i := range 30 {
			if err := w.write(fmt.Sprintf("verb%d", i)); err != nil {
				t.Fatal(err)
			}
			if i%7 == 0 {
				w.seal()
			}
		}
		w.seal()
		w.now = w.now.Add(24 * time.Hour)
	}
	w.seal()
	w.intact(90)
	if v := w.verify(); v.Chains[0].Roots != 3 {
		t.Fatalf("%d roots", v.Chains[0].Roots)
	}
	return w
}

type sealed struct {
	MAC []byte    `json:"mac"`
	Row audit.Row `json:"row"`
}

type block struct {
	Chain string   `json:"chain"`
	Epoch int      `json:"epoch"`
	First uint64   `json:"first"`
	Rows  []sealed `json:"rows"`
}

// tamper changes the blocks of the store; a block without rows is removed.
func (w *world) tamper(change func(bs []*block)) {
	w.t.Helper()
	_, err := w.store.Update(w.t.Context(), scope, func(tx graph.Tx) error {
		notes, err := tx.Notes(graph.NoteAuditBlock, "", false, graph.MaxPage)
		if err != nil {
			return err
		}
		var bs []*block
		for _, n := range notes {
			var b block
			if err := json.Unmarshal(n.Data, &b); err != nil {
				return err
			}
			bs = append(bs, &b)
		}
		change(bs)
		for i, b := range bs {
			if len(b.Rows) == 0 {
				if err := tx.DeleteNote(graph.NoteAuditBlock, notes[i].ID); err != nil {
					return err
				}
				continue
			}
			if notes[i].Data, err = json.Marshal(b); err != nil {
				return err
			}
			if err := tx.PutNote(*notes[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
}

// at is the row with a number, and its block.
func at(bs []*block, seq uint64) (*block, int) {
	for _, b := range bs {
		if seq >= b.First && seq < b.First+uint64(len(b.Rows)) {
			return b, int(seq - b.First)
		}
	}
	return nil, 0
}

func TestChangesAreFoundAtTheirNumber(t *testing.T) {
	for name, c := range map[string]struct {
		seq    uint64
		change func(bs []*block)
	}{
		"altered principal":       {17, func(bs []*block) { b, i := at(bs, 17); b.Rows[i].Row.Principal = "mallory" }},
		"altered in the last day": {77, func(bs []*block) { b, i := at(bs, 77); b.Rows[i].Row.Verb = "search" }},
		"altered mac":             {40, func(bs []*block) { b, i := at(bs, 40); b.Rows[i].MAC[3] ^= 1 }},
		"removed":                 {33, func(bs []*block) { b, i := at(bs, 33); b.Rows = slices.Delete(b.Rows, i, i+1) }},
		"removed block":           {31, func(bs []*block) { b, _ := at(bs, 31); b.Rows = nil }},
		"swapped": {20, func(bs []*block) {
			b, i := at(bs, 20)
			b.Rows[i], b.Rows[i+1] = b.Rows[i+1], b.Rows[i]
		}},
		"swapped texts": {51, func(bs []*block) {
			a, i := at(bs, 51)
			b, j := at(bs, 60)
			a.Rows[i].Row, b.Rows[j].Row = b.Rows[j].Row, a.Rows[i].Row
		}},
		"added": {45, func(bs []*block) {
			b, i := at(bs, 45)
			b.Rows = slices.Insert(b.Rows, i, sealed{b.Rows[i].MAC, audit.Row{Verb: "search", Count: 1}})
		}},
		"cut tail": {88, func(bs []*block) { b, i := at(bs, 88); b.Rows = b.Rows[:i] }},
		"cut last days": {31, func(bs []*block) {
			for _, b := range bs {
				if b.First > 30 {
					b.Rows = nil
				}
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := threeDays(t)
			w.tamper(c.change)
			v := w.verify()
			if v.Intact() {
				t.Fatal("the change was not found")
			}
			if got := v.Chains[0].Problems[0]; got.Seq != c.seq {
				t.Errorf("found at %d (%s), want %d", got.Seq, got.What, c.seq)
			}
		})
	}
}

// Without the keys, the tail is known by the last root.
func TestCutTailWithoutKeys(t *testing.T) {
	w := threeDays(t)
	w.tamper(func(bs []*block) { b, i := at(bs, 88); b.Rows = b.Rows[:i] })
	w.keys = newSecrets()
	v := w.verify()
	if v.Intact() || v.Chains[0].Keys || v.Chains[0].Problems[0].Seq != 88 {
		t.Errorf("%+v", v)
	}
}

// Who steals the keys of today can compute the MACs of rows again, and not sign the roots of days
// before.
func TestStolenKeysCanNotSignThePast(t *testing.T) {
	w := threeDays(t)
	_, err := w.store.Update(t.Context(), scope, func(tx graph.Tx) error {
		notes, err := tx.Notes(graph.NoteAuditRoot, "", false, 10)
		if err != nil {
			return err
		}
		n := notes[1]
		var r struct {
			Text              string `json:"text"`
			Public, Signature []byte
		}
		if err := json.Unmarshal(n.Data, &r); err != nil {
			return err
		}
		r.Text = strings.Replace(r.Text, "\n60\n", "\n59\n", 1)
		if n.Data, err = json.Marshal(r); err != nil {
			return err
		}
		return tx.PutNote(*n)
	})
	if err != nil {
		t.Fatal(err)
	}
	if w.verify().Intact() {
		t.Error("a changed root was not found")
	}
}

// A row that was put into the store without the keys is not sealed, and named.
func TestForgedRowIsNotSealed(t *testing.T) {
	w := threeDays(t)
	id, err := w.ids.New(w.now)
	if err != nil {
		t.Fatal(err)
	}
	chain := w.verify().Chains[0].Chain
	_, err = w.store.Update(t.Context(), scope, func(tx graph.Tx) error {
		return tx.PutNote(graph.Note{Kind: graph.NoteAudit, ID: id, At: w.now, Data: json.RawMessage(`{"chain":"` + chain + `","mac":"AAAA","row":{"verb":"forget","count":1}}`)})
	})
	if err != nil {
		t.Fatal(err)
	}
	w.seal()
	v := w.verify()
	if v.Chains[0].Rows != 90 || v.Chains[0].Waiting != 1 || v.Intact() {
		t.Errorf("%+v", v)
	}
}

// A row whose bytes were changed so that another reader reads something else, and a lenient one the same, is not sealed, and named.
func TestRowThatReadsTwoWaysIsNotSealed(t *testing.T) {
	for name, x := range map[string]struct {
		change func(text string) string
		sealed bool
	}{
		"as written":         {func(s string) string { return s }, true},
		"with a space":       {func(s string) string { return strings.Replace(s, `,"row":`, `, "row":`, 1) }, true},
		"two rows":           {func(s string) string { return strings.Replace(s, `,"row":`, `,"row":{"verb":"forget"},"row":`, 1) }, false},
		"a row in capitals":  {func(s string) string { return strings.Replace(s, `,"row":`, `,"ROW":{"verb":"forget"},"row":`, 1) }, false},
		"two verbs":          {func(s string) string { return strings.Replace(s, `"verb":`, `"verb":"forget","verb":`, 1) }, false},
		"a verb in capitals": {func(s string) string { return strings.Replace(s, `"verb":`, `"VERB":"forget","verb":`, 1) }, false},
	} {
		w := threeDays(t)
		before := w.verify().Chains[0].Rows
		if err := w.write("remember"); err != nil {
			t.Fatal(err)
		}
		_, err := w.store.Update(t.Context(), scope, func(tx graph.Tx) error {
			page, err := tx.Notes(graph.NoteAudit, "", true, 1)
			if err != nil {
				return err
			}
			n := *page[0]
			n.Data = json.RawMessage(x.change(string(n.Data)))
			return tx.PutNote(n)
		})
		if err != nil {
			t.Fatal(err)
		}
		w.seal()
		v := w.verify()
		if sealed := v.Chains[0].Rows == before+1; sealed != x.sealed || v.Intact() != x.sealed {
			t.Errorf("%s: sealed %v, intact %v, %+v", name, sealed, v.Intact(), v)
		}
	}
}

// The process dies at each write of the store, before and after the commit, and at each write of
// the keys. After the next start no acknowledged write is without a row, and the chain is intact.
func TestCrashAtEveryStepLeavesNoGap(t *testing.T) {
	day := func(w *world, acked *int) error {
		for i := range 5 {
			if err := w.write("remember"); err != nil {
				return err
			}
			*acked++
			if i%2 == 1 {
				if _, err := w.log.Seal(w.t.Context(), scope); err != nil {
					return err
				}
			}
		}
		w.now = w.now.Add(24 * time.Hour)
		_, err := w.log.Seal(w.t.Context(), scope)
		return err
	}
	for _, kind := range []string{"before commit", "after commit", "keys"} {
		for step := 0; ; step++ {
			w := newWorld(t)
			acked := 0
			if err := day(w, &acked); err != nil {
				t.Fatal(err)
			}
			w.start()
			switch kind {
			case "keys":
				w.keys.fail = step
			default:
				w.store.left, w.store.committed = step, kind == "after commit"
			}
			err := day(w, &acked)
			w.start()
			w.seal()
			v := w.verify()
			rows := v.Chains[0].Rows
			if !v.Intact() || len(v.Chains) != 1 || v.Chains[0].Waiting != 0 || rows < acked || rows > acked+1 {
				t.Fatalf("%s, step %d (%v): %d acknowledged, %+v", kind, step, err, acked, v)
			}
			if err == nil {
				if step < 3 {
					t.Fatalf("%s: only %d steps", kind, step)
				}
				break
			}
		}
	}
}

func TestOldRowsAreRemovedAndTheRestVerifies(t *testing.T) {
	w := newWorld(t)
	w.keep = 20 * 24 * time.Hour
	w.start()
	for range 30 {
		if err := w.write("remember"); err != nil {
			t.Fatal(err)
		}
		w.seal()
		w.now = w.now.Add(24 * time.Hour)
	}
	w.seal()
	v := w.verify()
	if !v.Intact() || v.Chains[0].Rows > 21 || v.Chains[0].Rows < 20 || v.Chains[0].Last != 30 || v.Chains[0].First != uint64(31-v.Chains[0].Rows) {
		t.Fatalf("%+v", v)
	}
	first := v.Chains[0].First
	w.tamper(func(bs []*block) { bs[0].Rows = nil })
	if v := w.verify(); v.Intact() || v.Chains[0].Problems[0].Seq != first {
		t.Errorf("a row that should be kept was removed: %+v", v)
	}
}

func TestListPages(t *testing.T) {
	w := threeDays(t)
	w.read("ada", "search", nil)
	for _, oldest := range []bool{true, false} {
		var seen []uint64
		f := audit.Filter{First: 7, OldestFirst: oldest}
		for {
			entries, more, err := w.log.List(t.Context(), scope, f)
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				seen = append(seen, e.Seq)
			}
			if !more {
				break
			}
			f.After = entries[len(entries)-1].Cursor
		}
		if !oldest {
			slices.Reverse(seen)
		}
		if len(seen) != 91 || seen[0] != 1 || seen[89] != 90 || seen[90] != 0 || !slices.IsSorted(seen[:90]) {
			t.Errorf("oldest first %v: %v", oldest, seen)
		}
	}
	if got := w.list(audit.Filter{Verb: "verb3"}); len(got) != 3 {
		t.Errorf("%d rows of the verb", len(got))
	}
	day := time.Date(2026, 3, 3, 0, 0, 0, 0, time.UTC)
	if got := w.list(audit.Filter{Since: day, Until: day.Add(24 * time.Hour)}); len(got) != 30 {
		t.Errorf("%d rows of the day", len(got))
	}
	for _, f := range []audit.Filter{{After: "x"}, {First: -1}, {First: 1001}} {
		if _, _, err := w.log.List(t.Context(), scope, f); err == nil {
			t.Errorf("%+v was accepted", f)
		}
	}
}

// A row that counts calls before midnight and is sealed after the root of the day belongs to the
// next day: a day has one root.
func TestOneRootADay(t *testing.T) {
	w := newWorld(t)
	w.now = time.Date(2026, 3, 2, 23, 59, 30, 0, time.UTC)
	if err := w.write("remember"); err != nil {
		t.Fatal(err)
	}
	w.read("ada", "search", nil)
	w.seal()
	w.now = w.now.Add(time.Minute)
	w.seal()
	w.now = w.now.Add(24 * time.Hour)
	w.seal()
	w.intact(2)
	if v := w.verify(); v.Chains[0].Roots != 2 {
		t.Errorf("%+v", v)
	}
}
