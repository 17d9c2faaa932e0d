package main

import (
	"os"
	"path/filepath"
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

// newSaid starts the server, with further flags.
func newSaid(t *testing.T, flags ...string) *said {
	p := newPlace(t)
	x := &said{t: t, p: p, s: start(t, p.at("data"), append(flags, "--keys", p.at("keys"))...)}
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

// restored checks what a restore of the backup, with further flags, has.
func (x *said) restored(want int, flags ...string) {
	x.t.Helper()
	x.s.stop()
	flags = append(flags, "--keys", x.p.at("keys"))
	x.p.succeeds(append([]string{"restore", "--from", x.p.at("bk"), "--data", x.p.at("restored")}, flags...)...)
	x.s = start(x.t, x.p.at("restored"), flags...)
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

// A refused fact that an erasure of an entity or of a subject deleted does not come back with a restore or an import. Feedback stays.
func TestARefusedFactOfAPartStaysErased(t *testing.T) {
	for name, query := range map[string]string{
		"an entity":           `mutation{forget(input:{entity:"Ana"}){receipt{status}}}`,
		"a subject of a user": `mutation{forget(input:{user:"ana",subject:"bakery"}){receipt{status}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			x := newSaid(t)
			x.remember(map[string]any{"content": "I asked Ana about the north basin.", "consent": "EXPLICIT", "user": "ana"})
			x.feedback()
			x.refuted()
			x.left("before the erasure", 2)
			x.save()
			x.do(query, nil, &struct{}{})
			x.left("after the erasure", 1)
			x.restored(1)
			x.imported(1)
			if strings.Contains(exportOf(t, x.s), "DECISION") {
				t.Error("the refused fact is back")
			}
			x.s.stop()
		})
	}
}

// On a cluster erased facts that the gate refused don't come back either, with the backup of a cluster, a restore into another one, and an import.
func TestARefusedFactStaysErasedOnDgraph(t *testing.T) {
	over := func() []string { return []string{"--store", "dgraph", "--dgraph", startDgraph(t).Addr} }
	x := newSaid(t, over()...)
	x.remember(map[string]any{"content": "I asked Ana about the north basin.", "consent": "EXPLICIT", "user": "ana"})
	x.feedback()
	x.refuted()
	x.left("before the erasure", 2)
	x.save()
	x.do(`mutation{forget(input:{entity:"Ana"}){receipt{status}}}`, nil, &struct{}{})
	x.left("after the erasure", 1)
	x.restored(1, over()...)
	x.imported(1)
	if strings.Contains(exportOf(t, x.s), "DECISION") {
		t.Error("the refused fact is back")
	}
	x.s.stop()
}

// What a user erased of a namespace with a key of their own, without naming a user, does not come back with a restore or an import.
func TestTracesThatAUserErasedStayErased(t *testing.T) {
	x := newSaid(t)
	x.feedback()
	x.refuted()
	x.save()
	x.s.stop()
	ana := newKey(t, x.p.at("data"), "--keys", x.p.at("keys"), "--scopes", "memory:read,memory:write", "--user", "ana").Key
	x.s = start(t, x.p.at("data"), "--keys", x.p.at("keys"), "--auth", "keys")
	if err := x.s.withKey(ana).Do(t.Context(), `mutation{forget(input:{namespace:"default"}){receipt{status}}}`, nil, &struct{}{}); err != nil {
		t.Fatal(err)
	}
	x.s.stop()
	x.s = start(t, x.p.at("data"), "--keys", x.p.at("keys"))
	x.left("after the erasure", 0)
	x.restored(0)
	x.imported(0)
	x.s.stop()
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

// What was erased on a server takes nothing of an export of another one, that is imported where the data directory was.
func TestAnErasureTakesNothingOfAnotherStore(t *testing.T) {
	for name, query := range map[string]string{"a user": `mutation{forget(input:{user:"ana"}){receipt{status}}}`, "everybody": `mutation{forget(input:{tenant:true}){receipt{status}}}`} {
		t.Run(name, func(t *testing.T) {
			other := newSaid(t)
			other.remember(map[string]any{"content": "I moor in the north basin.", "consent": "EXPLICIT", "user": "ana"})
			other.feedback()
			other.refuted()
			other.save()
			other.s.stop()
			x := newSaid(t)
			x.do(query, nil, &struct{}{})
			x.s.stop()
			if err := os.RemoveAll(x.p.at("data")); err != nil {
				t.Fatal(err)
			}
			x.s = start(t, x.p.at("data"), "--keys", x.p.at("keys"))
			x.p.succeeds("import", "--addr", x.s.url, other.p.at("all.ndjson"))
			for _, when := range []string{"imported", "restarted"} {
				if !strings.Contains(exportOf(t, x.s), "north basin") {
					t.Errorf("%s: the memory is gone", when)
				}
				x.left(when, 2)
				x.s.stop()
				x.s = start(t, x.p.at("data"), "--keys", x.p.at("keys"))
			}
			x.s.stop()
		})
	}
}

// A damaged key of the audit of a tenant that a backup does not know does not stop its restore.
func TestARestoreBesideADamagedKeyOfAnotherTenant(t *testing.T) {
	x := newSaid(t)
	x.save()
	x.s.stop()
	dirs, err := filepath.Glob(filepath.Join(x.p.at("keys"), "*", "secrets"))
	if err != nil || len(dirs) != 1 {
		t.Fatal(dirs, err)
	}
	if err := os.WriteFile(filepath.Join(dirs[0], "audit-0123456789abcdef0123456789abcdef"), []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	x.p.succeeds("restore", "--from", x.p.at("bk"), "--keys", x.p.at("keys"), "--data", x.p.at("restored"))
	x.s = start(t, x.p.at("restored"), "--keys", x.p.at("keys"))
	x.s.stop()
}
