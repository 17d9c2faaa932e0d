package main

import (
	"strings"
	"testing"
)

// What a forgotten user said of memories of others, in feedback and to the gate, does not come back with a restore or an import.
func TestTracesOfAForgottenUserStayErased(t *testing.T) {
	p := newPlace(t)
	s := start(t, p.at("data"), "--keys", p.at("keys"))
	do := func(query string, in map[string]any, out any) {
		t.Helper()
		if err := s.client().Do(t.Context(), query, in, out); err != nil {
			t.Fatal(err)
		}
	}
	var written struct {
		Remember struct{ Memory struct{ ID string } }
	}
	const write = `mutation($i:RememberInput!){remember(input:$i){memory{id}}}`
	do(write, map[string]any{"i": map[string]any{"content": "I moor in the north basin.", "consent": "EXPLICIT", "user": "ana"}}, &written)
	do(write, map[string]any{"i": map[string]any{"content": "The bakery opens at nine.", "consent": "EXPLICIT", "subject": "bakery"}}, &written)
	do(`mutation($id:ID!){feedback(id:$id,query:"Who bakes for Ana?",relevant:false,user:"ana"){id}}`, map[string]any{"id": written.Remember.Memory.ID}, &struct{}{})
	do(`mutation($i:AdjudicateInput!){adjudicate(input:$i){decision}}`, map[string]any{"i": map[string]any{
		"fact": "The bakery does not open at nine.", "subject": "bakery", "consent": "EXPLICIT", "user": "ana", "evidence": []any{map[string]any{"source": "Ana saw it", "weight": .1, "confidence": .1}},
	}}, &struct{}{})
	traces := func() (found []string) {
		t.Helper()
		all := exportOf(t, s)
		for _, x := range []string{`"Kind":"FEEDBACK"`, `"Kind":"DECISION"`} {
			if strings.Contains(all, x) {
				found = append(found, x)
			}
		}
		return found
	}
	if len(traces()) != 2 {
		t.Fatalf("before the erasure: %q", traces())
	}
	p.succeeds("backup", "--addr", s.url, "--to", p.at("bk"))
	exportFrom(t, s, p.at("all.ndjson"))
	do(`mutation{forget(input:{user:"ana"}){receipt{status}}}`, nil, &struct{}{})
	if left := traces(); len(left) > 0 {
		t.Errorf("after the erasure: %q", left)
	}
	s.stop()
	p.succeeds("restore", "--from", p.at("bk"), "--keys", p.at("keys"), "--data", p.at("restored"))
	s = start(t, p.at("restored"), "--keys", p.at("keys"))
	if left := traces(); len(left) > 0 {
		t.Errorf("restored: %q", left)
	}
	s.stop()
	s = start(t, p.at("other"), "--keys", p.at("keys"))
	p.succeeds("import", "--addr", s.url, p.at("all.ndjson"))
	if left := traces(); len(left) > 0 {
		t.Errorf("imported: %q", left)
	}
	s.stop()
}
