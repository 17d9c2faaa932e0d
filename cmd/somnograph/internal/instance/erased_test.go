package instance

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
	"github.com/somnograph/somnograph/graph/recess"
)

// A server process erases a user here and is killed: the test binary runs itself as that server.
const (
	forgetDir   = "SOMNOGRAPH_FORGET"      // the directory above the data and the keys of a child
	forgetInput = "SOMNOGRAPH_FORGET_WHAT" // JSON of its engine.ForgetInput
	forgetAt    = "SOMNOGRAPH_FORGET_AT"
)

const (
	erasedUser  = "zuqoruser"
	erasedAgent = "zuqoragent"
)

// forgetInChild opens the instance, erases, prints the receipt and waits to be killed.
func forgetInChild(dir, what, at string) error {
	now, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return err
	}
	var in engine.ForgetInput
	if err := json.Unmarshal([]byte(what), &in); err != nil {
		return err
	}
	x, err := Open(context.Background(), erasedOptions(dir, clockAt(now)))
	if err != nil {
		return err
	}
	r, err := x.Engine.Forget(context.Background(), engine.Loopback(), in)
	if err != nil {
		return err
	}
	fmt.Println("receipt", r.Status, r.Count)
	select {} // until it is killed
}

func erasedOptions(dir string, clock *movable) Options {
	o := options(filepath.Join(dir, "data"))
	o.Keys, o.Seal, o.Source = filepath.Join(dir, "keys"), true, clock.now
	o.Sizes.MemTable = 4 << 20
	return o
}

// erasedLife is a store with all that one user, and an agent for that user, can write.
type erasedLife struct {
	tracesOf
	t     *testing.T
	dir   string
	clock *movable
	in    *Instance
	ids   []graph.ID // of the user's memories
	kept  graph.ID   // of another user
}

func newErasedLife(t *testing.T) *erasedLife {
	t.Helper()
	l := &erasedLife{t: t, dir: t.TempDir(), clock: clockAt(now)}
	l.words = []string{erasedUser, erasedAgent}
	l.in = open(t, erasedOptions(l.dir, l.clock))
	return l
}

func (l *erasedLife) check(err error) {
	l.t.Helper()
	if err != nil {
		l.t.Fatal(err)
	}
}

func (l *erasedLife) remember(in engine.RememberInput) *engine.View {
	l.t.Helper()
	in.User, in.Consent = erasedUser, graph.ConsentExplicit
	r, err := l.in.Engine.Remember(l.t.Context(), engine.Loopback(), in)
	l.check(err)
	l.clock.advance(time.Minute)
	return r.Memory
}

// write writes memories of every kind with the name of an entity in each.
func (l *erasedLife) write(who string) {
	t, e, c := l.t, l.in.Engine, engine.Loopback()
	t.Helper()
	w := func(kind string) string { return l.word(kind, 0) }
	meta, err := json.Marshal(map[string]string{"k": w("meta")})
	l.check(err)
	for i := range 6 {
		l.remember(engine.RememberInput{
			Content: fmt.Sprintf("%s says that the %s of %s is number %d.", who, l.word("content", i), w("place"), i),
			Subject: w("subject"), Predicate: w("predicate"), Object: l.word("object", i), Source: w("source"), Entities: []string{who, strings.ToUpper(l.word("entity", i))},
			Tags: []string{w("tag")}, Meta: meta, OnDuplicate: engine.Insert, Session: w("rememberedin"), Project: w("project"), Agent: erasedAgent,
			IdempotencyKey: l.word("key", i), ExternalID: l.word("external", i), Important: i == 0,
		})
	}
	l.remember(engine.RememberInput{Content: who + " repairs the " + w("procedure") + ".", Type: graph.Procedural, Trigger: w("trigger"), Steps: []string{"turn the " + w("step"), "look"}, Entities: []string{who}})
	l.remember(engine.RememberInput{Content: who + " dislikes " + w("private") + ".", Agent: erasedAgent, Private: true, Entities: []string{who}})
	shared := l.remember(engine.RememberInput{Content: who + " likes the " + w("shared") + ".", Agent: erasedAgent, Private: true, Entities: []string{who}})
	_, err = e.Share(t.Context(), c, shared.ID, engine.ToUser)
	l.check(err)

	v := l.remember(engine.RememberInput{Content: who + " lives in " + w("former") + ".", Entities: []string{who}})
	_, err = e.Supersede(t.Context(), c, engine.SupersedeInput{ID: v.ID, Content: who + " lives in " + w("next") + ".", Reason: w("reason"), Source: w("newsource"), IdempotencyKey: w("newkey")})
	l.check(err)
	v = l.remember(engine.RememberInput{Content: who + " owns a " + w("thing") + ".", Entities: []string{who}})
	_, err = e.Update(t.Context(), c, engine.UpdateInput{ID: v.ID, Tags: []string{w("newtag")}, SetTags: true, Meta: json.RawMessage(`{"k":"` + w("newmeta") + `"}`), SetMeta: true})
	l.check(err)
	_, err = e.Feedback(t.Context(), c, engine.FeedbackInput{Query: "where is the " + w("query"), ID: v.ID, User: erasedUser})
	l.check(err)
	_, err = e.Feedback(t.Context(), c, engine.FeedbackInput{Query: "when is the " + w("otherquery"), ID: l.kept, User: erasedUser})
	l.check(err)
	for i, outcome := range []float64{.9, .1} {
		_, err = e.Adjudicate(t.Context(), c, engine.AdjudicateInput{
			Fact: who + " owns a " + l.word("fact", i) + ".", Subject: w("factsubject"), Consent: graph.ConsentExplicit, User: erasedUser, IdempotencyKey: l.word("factkey", i),
			Evidence: []engine.Evidence{{Source: l.word("evidence", i), Weight: outcome, Confidence: outcome}},
		})
		l.check(err)
	}
	if facts, err := e.Facts(t.Context(), c, engine.FactsInput{Subject: who, User: erasedUser}); err != nil || len(facts) == 0 {
		t.Fatalf("%d claims, %v", len(facts), err)
	} else {
		object := w("corrected")
		_, err = e.CorrectClaim(t.Context(), c, engine.CorrectClaimInput{ID: facts[0].ID, Object: &object})
		l.check(err)
	}
	l.document(who)
	l.converse(who)
}

// document ingests two versions of a document, and one that is removed again.
func (l *erasedLife) document(who string) {
	l.t.Helper()
	path := l.word("path", 0) + ".md"
	for i := range 2 {
		_, err := l.in.Engine.Ingest(l.t.Context(), engine.Loopback(), engine.IngestInput{
			Path: path, User: erasedUser, Consent: graph.ConsentExplicit, Project: l.word("project", 1),
			Content: fmt.Appendf(nil, "# %s\n\n%s keeps the %s in a shed.\n", l.word("title", i), who, l.word("chunk", i)),
		})
		l.check(err)
		l.clock.advance(time.Minute)
	}
	r, err := l.in.Engine.Ingest(l.t.Context(), engine.Loopback(), engine.IngestInput{
		Path: l.word("removedpath", 0) + ".md", User: erasedUser, Consent: graph.ConsentExplicit, Content: fmt.Appendf(nil, "# %s\n\n%s keeps bees.\n", l.word("removedtitle", 0), who),
	})
	l.check(err)
	_, err = l.in.Engine.RemoveDocument(l.t.Context(), engine.Loopback(), r.Document.ID)
	l.check(err)
}

// converse holds conversations: one that is closed, one that stays open, and one of the past.
func (l *erasedLife) converse(who string) {
	t, e, c := l.t, l.in.Engine, engine.Loopback()
	t.Helper()
	turn := func(session, role, text string, calls ...graph.ToolCall) engine.Observation {
		l.clock.advance(time.Minute)
		return engine.Observation{Session: session, User: erasedUser, Agent: erasedAgent, Role: role, Text: text, Consent: graph.ConsentExplicit, ToolCalls: calls,
			IdempotencyKey: fmt.Sprint(l.word("turnkey", len(l.words)))}
	}
	for _, session := range []string{l.word("closed", 0), l.word("open", 0)} {
		for _, o := range []engine.Observation{
			turn(session, "user", "I am "+who+" and my "+l.word("turn", len(l.words))+" broke today. Remind me to call the "+l.word("task", len(l.words))+" tomorrow."),
			turn(session, "assistant", "I looked it up.", graph.ToolCall{Name: l.word("tool", len(l.words)), Arguments: `{"q":"` + l.word("argument", len(l.words)) + `"}`, Result: l.word("result", len(l.words))}),
		} {
			_, err := e.Observe(t.Context(), c, o)
			l.check(err)
		}
		_, err := e.Context(t.Context(), c, engine.ContextInput{Session: session, User: erasedUser, Query: "what about the " + l.word("contextquery", len(l.words))})
		l.check(err)
	}
	_, err := e.CloseSession(t.Context(), c, l.word("closed", 0), "")
	l.check(err)
	past := turn(l.word("past", 0), "user", "My brother of "+l.word("pastturn", 0)+" came by.")
	past.OccurredAt = now.Add(-72 * time.Hour)
	_, err = e.ObservePast(t.Context(), c, []engine.Observation{past})
	l.check(err)
}

// live makes similar memories, uses and deep sleeps, so that there are summaries, clusters, engrams and
// what a sleep says of them.
func (l *erasedLife) live() {
	t, e, c := l.t, l.in.Engine, engine.Loopback()
	t.Helper()
	for day := range 3 {
		for i := range 4 {
			l.remember(engine.RememberInput{Content: fmt.Sprintf("On day %d the %s in the %s was repaired by hand, for the %d. time.", day, l.word("pump", 0), l.word("mill", 0), 4*day+i), OnDuplicate: engine.Insert})
		}
		_, err := e.Search(t.Context(), c, engine.SearchInput{Query: "repaired " + l.word("pump", 0), User: erasedUser})
		l.check(err)
		l.clock.advance(24 * time.Hour)
		_, err = e.Sleep(t.Context(), c, engine.SleepInput{Deep: true, Wait: true})
		l.check(err)
	}
	_, err := e.Consolidate(t.Context(), c, engine.ConsolidateInput{Strategy: engine.StrategyAge, User: erasedUser, Project: l.word("project", 0), OlderThanDays: new(int)})
	l.check(err)
	l.clock.advance(24 * time.Hour)
	_, err = e.Sleep(t.Context(), c, engine.SleepInput{Deep: true, Wait: true})
	l.check(err)
}

// note notes the ids and vectors of what belongs to the user, and engraves some of it.
func (l *erasedLife) note() {
	l.t.Helper()
	kinds := map[graph.Type]int{}
	l.check(l.in.Store.View(l.t.Context(), mainScope, func(r graph.Reader) error {
		for m, err := range graph.AllMemories(r, graph.MemoryQuery{}) {
			if err != nil {
				return err
			}
			if m.ID == l.kept {
				continue
			}
			kinds[m.Type]++
			l.ids = append(l.ids, m.ID)
			v, err := r.Embedding(m.ID)
			if known, err := graph.Found(err); err != nil {
				return err
			} else if known {
				l.vectors = append(l.vectors, partOf(v), codesOf(v))
			}
			if len(l.ids)%3 == 0 {
				if err := (archive{Recess: l.in.Recess}).Engrave(l.t.Context(), mainScope, m, v, l.clock.now()); err != nil {
					return err
				}
			}
		}
		return nil
	}))
	l.check(archive{Recess: l.in.Recess}.Seal(l.t.Context(), mainScope))
	l.t.Logf("%d memories %v, %d words, %d vectors", len(l.ids), kinds, len(l.words), len(l.vectors))
}

// codesOf is the 8-bit codes of a vector, as the index has them.
func codesOf(v []float32) []byte {
	largest := float32(0)
	for _, f := range v {
		largest = max(largest, float32(math.Abs(float64(f))))
	}
	b := make([]byte, len(v))
	for i, f := range v {
		b[i] = byte(int8(math.Round(float64(f / largest * 127))))
	}
	return b
}

// storedText is a row of the store as somebody reads it who has the files and the keys.
type storedText struct {
	key     string
	payload []byte
}

// readable returns every version of every row in the files of a store that the keys can open, also those
// that were deleted. Both directories are copied before.
func readable(t *testing.T, data, keys string) (all []storedText) {
	t.Helper()
	data, keys = copyOf(t, data), copyOfKeys(t, keys)
	rings, err := filepath.Glob(filepath.Join(keys, "*", "rings"))
	if err != nil || len(rings) != 1 {
		t.Fatalf("rings %v, %v", rings, err)
	}
	k, err := keyring.Open(rings[0], keyring.Options{Existing: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = k.Close() }()
	logs, err := filepath.Glob(filepath.Join(data, "store", "graph", "*.mem"))
	if err != nil {
		t.Fatal(err)
	}
	for _, log := range logs {
		if f, err := os.Stat(log); err != nil || f.Size() == 0 && os.Remove(log) != nil { // the next log, which has only blocks yet
			t.Fatalf("%s: %v", log, err)
		}
	}
	db, err := badger.OpenManaged(badger.DefaultOptions(filepath.Join(data, "store", "graph")).WithLogger(nil).WithNumVersionsToKeep(math.MaxInt32).WithNumCompactors(0).WithMemTableSize(32 << 20).WithValueLogFileSize(2 << 20).WithValueThreshold(1 << 20))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	txn := db.NewTransactionAt(math.MaxUint64, false)
	defer txn.Discard()
	it := txn.NewIterator(badger.IteratorOptions{AllVersions: true})
	defer it.Close()
	for it.Rewind(); it.Valid(); it.Next() {
		item := it.Item()
		key := item.KeyCopy(nil)
		v, err := item.ValueCopy(nil)
		if err != nil {
			t.Fatal(err)
		}
		if payload := opened(t, k, txn, key, v); payload != nil {
			all = append(all, storedText{string(key), payload})
		}
	}
	return all
}

// opened returns the payload of a stored value as docs/formats/badgerstore.md describes it; nil: its key
// is destroyed.
func opened(t *testing.T, k *keyring.Keyring, txn *badger.Txn, key, v []byte) []byte {
	t.Helper()
	const head, parts, sealed = 9, 1, 0x80
	if len(v) < head {
		return nil // a deletion
	}
	form, payload := v[8], v[head:]
	if form&sealed == 0 {
		return payload
	}
	tenant, tail, _ := bytes.Cut(key, []byte{0})
	if form&parts != 0 {
		n := binary.BigEndian.Uint16(payload)
		payload = slices.Clone(payload[2:])
		for i := range n {
			part := slices.Concat(tenant, []byte{0, 'z'}, tail, binary.BigEndian.AppendUint16(nil, i))
			item, err := txn.Get(part)
			if err != nil {
				return nil
			}
			b, err := item.ValueCopy(nil)
			if err != nil {
				t.Fatal(err)
			}
			payload = append(payload, b[head:]...)
		}
	}
	ring, err := k.Ring(graph.Tenant(tenant))
	if err != nil {
		t.Fatal(err)
	}
	one, err := ring.Key(binary.BigEndian.Uint64(payload))
	if errors.Is(err, keyring.ErrDestroyed) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	b, err := one.Open(nil, payload[8:], key)
	if err != nil {
		t.Fatalf("row %q: %v", tail[:1], err)
	}
	return b
}

// keyed fails if the keys open a row of the files that has a trace.
func (l *erasedLife) keyed(data, keys, when string) {
	l.t.Helper()
	found := map[string]int{}
	for _, x := range readable(l.t, data, keys) {
		_, tail, _ := strings.Cut(x.key, "\x00")
		lower := bytes.ToLower(x.payload)
		for _, w := range l.words {
			if bytes.Contains(lower, []byte(w)) || strings.Contains(strings.ToLower(x.key), w) {
				found[fmt.Sprintf("row %q: %s", tail[:1], w)]++
			}
		}
		for _, v := range l.vectors {
			if bytes.Contains(x.payload, v) {
				found[fmt.Sprintf("row %q: a vector", tail[:1])]++
			}
		}
	}
	for what, n := range found {
		l.t.Errorf("%s the keys open %s (%d times)", when, what, n)
	}
}

// unengraved fails if the recess in a data directory gives out an engram of the user.
func (l *erasedLife) unengraved(data, keys, when string) {
	l.t.Helper()
	data, keys = copyOf(l.t, data), copyOfKeys(l.t, keys)
	dirs, err := filepath.Glob(filepath.Join(keys, "*", "recess"))
	if err != nil || len(dirs) != 1 {
		l.t.Fatalf("keys of the recess %v, %v", dirs, err)
	}
	x, err := recess.Open(recess.Options{Dir: filepath.Join(data, "recess"), Keys: dirs[0]})
	l.check(err)
	defer func() { _ = x.Close() }()
	for _, id := range l.ids {
		if e, err := x.Read(l.t.Context(), mainScope, id); err == nil {
			l.t.Errorf("%s the recess reads %q", when, e.Memory.Content)
		}
	}
}

// unindexed fails if the keys open a vector of the user in the files of the index, or a snapshot of it.
func (l *erasedLife) unindexed(data, keys, when string) {
	l.t.Helper()
	rings, err := filepath.Glob(filepath.Join(copyOfKeys(l.t, keys), "*", "rings"))
	if err != nil || len(rings) != 1 {
		l.t.Fatalf("rings %v, %v", rings, err)
	}
	k, err := keyring.Open(rings[0], keyring.Options{Existing: true})
	l.check(err)
	defer func() { _ = k.Close() }()
	ring, err := k.Ring(mainScope.Tenant)
	l.check(err)
	l.check(filepath.WalkDir(filepath.Join(data, "index"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.HasPrefix(b, []byte("SOMNOVEC")) {
			for _, v := range l.vectorsIn(ring, b) {
				if slices.ContainsFunc(l.vectors, func(x []byte) bool { return bytes.Contains(v, x) }) {
					l.t.Errorf("%s the keys open a vector in %s", when, filepath.Base(path))
				}
			}
		}
		return err
	}))
}

// vectorsIn returns the vectors in a file of the index that the keys open. Its layout is in
// docs/formats/index-vectors.md.
func (l *erasedLife) vectorsIn(ring *keyring.Ring, b []byte) (vectors [][]byte) {
	l.t.Helper()
	const head, recordHead, number = 64, 8, 8
	if version := binary.LittleEndian.Uint32(b[8:]); version != 2 {
		l.t.Fatalf("a vector file of version %d is not sealed", version)
	}
	sealed := keyring.Overhead + 4*int(binary.LittleEndian.Uint32(b[12:]))
	size := (recordHead + number + sealed + 8 + 7) &^ 7
	for b = b[head:]; len(b) >= size; b = b[size:] {
		n := binary.LittleEndian.Uint64(b[recordHead:])
		one, err := ring.Key(n)
		if n == 0 || errors.Is(err, keyring.ErrDestroyed) {
			continue
		}
		l.check(err)
		if v, err := one.Open(nil, b[recordHead+number:][:sealed], b[:recordHead]); err == nil {
			vectors = append(vectors, v)
		}
	}
	return vectors
}

// unread fails if the store of an open instance gives out a trace by any list that it has.
func (l *erasedLife) unread(in *Instance, when string) {
	l.t.Helper()
	l.served(l.t, in, when)
	for _, scope := range []graph.Scope{mainScope, graph.ServerScope()} {
		l.check(in.Store.View(l.t.Context(), scope, func(r graph.Reader) error {
			all, err := listAll(r, l.ids)
			for _, x := range all {
				b, err := json.Marshal(x)
				if err != nil {
					return err
				}
				for _, w := range l.words {
					if bytes.Contains(bytes.ToLower(b), []byte(w)) {
						l.t.Errorf("%s the store says %s in %.200s", when, w, b)
					}
				}
			}
			return err
		}))
	}
}

// listAll reads what a store has beside memories.
func listAll(r graph.Reader, ids []graph.ID) (all []any, err error) {
	for _, kind := range graph.NoteKinds {
		for n, err := range graph.AllNotes(r, kind, "", false) {
			if err != nil {
				return nil, err
			}
			all = append(all, n.Namespace, string(n.Data))
		}
	}
	entities, err := r.ListEntities(graph.EntityQuery{Limit: graph.MaxPage})
	if err != nil {
		return nil, err
	}
	for _, e := range entities {
		relations, err := r.Relations(e.ID, graph.Both, "", graph.MaxPage)
		if err != nil {
			return nil, err
		}
		all = append(all, e, relations)
	}
	for _, id := range ids {
		if v, err := r.Embedding(id); err == nil {
			all = append(all, fmt.Sprint("vector of an erased memory ", erasedUser, len(v)))
		}
		edges, err := r.Edges(id, graph.Both)
		if err != nil {
			return nil, err
		}
		if len(edges) > 0 {
			all = append(all, fmt.Sprint("edges of an erased memory ", erasedUser, edges))
		}
	}
	return all, nil
}

// forgetAndKill erases with a server process, looks into its files while it runs, and kills it.
func (l *erasedLife) forgetAndKill(in engine.ForgetInput, whileRunning func()) {
	t := l.t
	t.Helper()
	what, err := json.Marshal(in)
	l.check(err)
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^$")
	child.Env = append(os.Environ(), forgetDir+"="+l.dir, forgetInput+"="+string(what), forgetAt+"="+l.clock.now().Format(time.RFC3339))
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	l.check(err)
	l.check(child.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(line, "receipt COMPLETE ") {
		t.Fatalf("the server says %q, %v", line, err)
	}
	t.Log(strings.TrimSpace(line))
	whileRunning()
	l.check(child.Process.Kill())
	if err := child.Wait(); err == nil {
		t.Fatal("the server ended before it was killed")
	}
}

// keepOther writes the memory of another user.
func (l *erasedLife) keepOther() {
	l.t.Helper()
	r, err := l.in.Engine.Remember(l.t.Context(), engine.Loopback(), engine.RememberInput{Content: "The ferry to Brodno leaves at noon.", User: "tomas", Consent: graph.ConsentExplicit})
	l.check(err)
	l.kept = r.Memory.ID
}

// Whatever a user can write is erased: after the receipt is complete its words, names and vectors are in
// no file, the keys of today open no row with them, in the files of a server that runs, that was killed,
// that was started again, and in a copy from before.
func TestWhatAUserWroteIsErased(t *testing.T) {
	l := newErasedLife(t)
	l.keepOther()
	l.write("Zoraquoxa")
	l.live()
	l.note()
	shut(t, l.in)
	l.in = open(t, erasedOptions(l.dir, l.clock))
	l.remember(engine.RememberInput{Content: "The " + l.word("late", 0) + " sticks."})
	l.eraseAndLook(engine.ForgetInput{User: erasedUser, IdempotencyKey: "erase it"})
}

// What is erased by an entity leaves nothing that the keys open either, and what others wrote stays.
func TestWhatSaysANameIsErased(t *testing.T) {
	l := newErasedLife(t)
	l.words = nil
	l.keepOther()
	for i := range 4 {
		l.remember(engine.RememberInput{
			Content: fmt.Sprintf("Zoraquoxa says that the %s is number %d.", l.word("content", i), i), Object: l.word("object", i), Source: l.word("source", i),
			Entities: []string{"Zoraquoxa", strings.ToUpper(l.word("entity", i))}, Tags: []string{l.word("tag", i)}, OnDuplicate: engine.Insert, Session: l.word("session", 0),
			IdempotencyKey: l.word("key", i), ExternalID: l.word("external", i),
		})
	}
	l.words = append(l.words, "zoraquoxa")
	l.note()
	shut(t, l.in)
	data, keys := filepath.Join(l.dir, "data"), filepath.Join(l.dir, "keys")
	before := copyOf(t, data)
	l.forgetAndKill(engine.ForgetInput{Entity: "Zoraquoxa"}, func() { l.lacks(t, data, "while the server runs") })
	for dir, when := range map[string]string{data: "after it was killed", before: "in a copy from before"} {
		l.keyed(dir, keys, when)
		l.unengraved(dir, keys, when)
		l.unindexed(dir, keys, when)
	}
}
