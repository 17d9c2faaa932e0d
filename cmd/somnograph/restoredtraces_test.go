package main

import (
	"strings"
	"testing"
)

// said is a server to which users say things of memories of others, in feedback and to the gate.
type said struct {
	t      *testing.T
	p      place
	s      *server
	bakery string // a memory of nobody
}

func newSaid(t *testing.T) *said {
	p := newPlace(t)
	x := &said{t: t, p: p, s: start(t, p.at("data"), "--keys", p.at("keys"))}
	x.bakery = x.remember(map[string]any{"content": "The bakery opens at nine.", "consent": "EXPLICIT", "subject": "bakery"})
	return x
}

func (x *said) do(query string, in map[string]any, out any) {
	x.t.Helper()
	if err := x.s.client().Do(x.t.Context(), query, in, out); err != nil {
		x.t.Fatal(err)
	}
}

func (x *said) remember(in map[string]any) (id string) {
	x.t.Helper()
	var written struct {
		Remember struct{ Memory struct{ ID string } }
	}
	x.do(`mutation($i:RememberInput!){remember(input:$i){memory{id}}}`, map[string]any{"i": in}, &written)
	return written.Remember.Memory.ID
}

// feedback is feedback of ana on the memory of nobody.
func (x *said) feedback() {
	x.t.Helper()
	x.do(`mutation($id:ID!){feedback(id:$id,query:"Who bakes for Ana?",relevant:false,user:"ana"){id}}`, map[string]any{"id": x.bakery}, &struct{}{})
}

// refuted is a fact of ana that the gate refuses.
func (x *said) refuted() {
	x.t.Helper()
	x.do(`mutation($i:AdjudicateInput!){adjudicate(input:$i){decision}}`, map[string]any{"i": map[string]any{
		"fact": "The bakery does not open at nine.", "subject": "bakery", "consent": "EXPLICIT", "user": "ana", "evidence": []any{map[string]any{"source": "Ana saw it", "weight": .1, "confidence": .1}},
	}}, &struct{}{})
}

// left checks how many of two traces the server has.
func (x *said) left(when string, want int) {
	x.t.Helper()
	all, found := exportOf(x.t, x.s), []string{}
	for _, trace := range []string{`"Kind":"FEEDBACK"`, `"Kind":"DECISION"`} {
		if strings.Contains(all, trace) {
			found = append(found, trace)
		}
	}
	if len(found) != want {
		x.t.Errorf("%s: %q, want %d", when, found, want)
	}
}

// save makes a backup and an export.
func (x *said) save() {
	x.t.Helper()
	x.p.succeeds("backup", "--addr", x.s.url, "--to", x.p.at("bk"))
	exportFrom(x.t, x.s, x.p.at("all.ndjson"))
}

// restored checks what a restore of the backup has.
func (x *said) restored(want int) {
	x.t.Helper()
	x.s.stop()
	x.p.succeeds("restore", "--from", x.p.at("bk"), "--keys", x.p.at("keys"), "--data", x.p.at("restored"))
	x.s = start(x.t, x.p.at("restored"), "--keys", x.p.at("keys"))
	x.left("restored", want)
}

// imported checks what an import of the export into another store has.
func (x *said) imported(want int) {
	x.t.Helper()
	x.s.stop()
	x.s = start(x.t, x.p.at("other"), "--keys", x.p.at("keys"))
	x.p.succeeds("import", "--addr", x.s.url, x.p.at("all.ndjson"))
	x.left("imported", want)
}

// What a forgotten user said of memories of others does not come back with a restore or an import. What the user says after the erasure stays.
func TestTracesOfAForgottenUserStayErased(t *testing.T) {
	for name, memories := range map[string]int{"with a memory": 1, "without memories": 0} {
		t.Run(name, func(t *testing.T) {
			x := newSaid(t)
			for range memories {
				x.remember(map[string]any{"content": "I moor in the north basin.", "consent": "EXPLICIT", "user": "ana"})
			}
			x.feedback()
			x.refuted()
			x.left("before the erasure", 2)
			x.save()
			x.do(`mutation{forget(input:{user:"ana"}){receipt{status}}}`, nil, &struct{}{})
			x.left("after the erasure", 0)
			x.feedback()
			x.s.stop()
			x.s = start(t, x.p.at("data"), "--keys", x.p.at("keys"))
			x.left("said after the erasure", 1)
			x.restored(0)
			x.imported(0)
			x.s.stop()
		})
	}
}

// An erasure of a memory by its id takes nothing else of its user, neither from a restored store nor from an import.
func TestAnErasureOfAPartStaysOneAfterARestore(t *testing.T) {
	x := newSaid(t)
	gone := x.remember(map[string]any{"content": "I moor in the north basin.", "consent": "EXPLICIT", "user": "ana"})
	x.feedback()
	x.refuted()
	x.save()
	x.do(`mutation($id:ID!){forget(input:{ids:[$id]}){receipt{status}}}`, map[string]any{"id": gone}, &struct{}{})
	x.left("after the erasure", 2)
	x.restored(2)
	x.imported(2)
	if strings.Contains(exportOf(t, x.s), "north basin") {
		t.Error("the erased memory is back")
	}
	x.s.stop()
}

// An erasure of a user on a store that was restored to an earlier instant holds for the history that the restore left too: for the original
// data directory, a backup of it and an export of it. What the user says afterwards stays, also if the erasure was made with the clock ahead.
func TestAnErasureHoldsForEveryHistoryOfTheStore(t *testing.T) {
	x := newSaid(t)
	x.p.succeeds("backup", "--addr", x.s.url, "--to", x.p.at("earlier"))
	x.remember(map[string]any{"content": "I moor in the north basin.", "consent": "EXPLICIT", "user": "ana"})
	x.remember(map[string]any{"content": "I moor in the south basin.", "consent": "EXPLICIT", "user": "bo"})
	x.save()
	x.s.stop()
	x.p.succeeds("restore", "--from", x.p.at("earlier"), "--keys", x.p.at("keys"), "--data", x.p.at("restored"))
	x.s = start(t, x.p.at("restored"), "--keys", x.p.at("keys"), "--simulated-clock")
	x.do(`mutation{advanceClock(seconds:7200)}`, nil, &struct{}{})
	x.do(`mutation{forget(input:{user:"ana"}){receipt{status}}}`, nil, &struct{}{})
	x.s.stop()
	has := func(when string, north, east bool) {
		t.Helper()
		all := exportOf(t, x.s)
		for text, want := range map[string]bool{"north basin": north, "south basin": true, "east basin": east} {
			if strings.Contains(all, text) != want {
				t.Errorf("%s: %q is there: %v", when, text, !want)
			}
		}
	}
	x.s = start(t, x.p.at("data"), "--keys", x.p.at("keys"))
	has("the original directory", false, false)
	x.remember(map[string]any{"content": "I moor in the east basin.", "consent": "EXPLICIT", "user": "ana"})
	x.feedback()
	x.s.stop()
	x.s = start(t, x.p.at("data"), "--keys", x.p.at("keys"))
	has("after the user came back", false, true)
	x.left("after the user came back", 1)
	x.s.stop()
	x.p.succeeds("restore", "--from", x.p.at("bk"), "--keys", x.p.at("keys"), "--data", x.p.at("newest"))
	x.s = start(t, x.p.at("newest"), "--keys", x.p.at("keys"))
	has("the newest backup", false, false)
	x.imported(0)
	has("the export", false, false)
	x.s.stop()
}
