package resolvers_test

import (
	"fmt"
	"testing"
	"time"
)

// A claim is read, asked for, corrected and withdrawn over the API; the past stays as it was.
func TestClaimsOverTheAPI(t *testing.T) {
	s := start(t)
	id := s.remember("My dog is called Biscuit and I live in Oslo.", vars{"user": "ana"})
	a := s.must(`query($id: ID!) { memory(id: $id) { claims(first: 1) { id subject predicate object negated confidence current modality speaker qualifiers attribute contestedBy { id } memory { id } } } }`, vars{"id": id})
	claim := a.at(t, "memory.claims.0").(map[string]any)
	confidence, _ := claim["confidence"].(float64)
	if confidence <= 0 || confidence > 1 {
		t.Errorf("confidence %v", claim["confidence"])
	}
	delete(claim, "confidence")
	same(t, "the first claim", claim, fmt.Sprintf(`{"attribute":"name","contestedBy":[],"current":true,"id":"%s.1","memory":{"id":"%s"},"modality":"ASSERTED","negated":false,"object":"Biscuit","predicate":"is called","qualifiers":[],"speaker":"ana","subject":"ana's dog"}`, id, id))

	before := s.Now().Format(time.RFC3339Nano)
	s.Clock.Advance(time.Hour)
	facts := `query($s: String!, $p: String, $u: String, $at: AsOf) { facts(subject: $s, predicate: $p, user: $u, asOf: $at) { object validTo memory { id } } }`
	same(t, "the home", s.must(facts, vars{"s": "user", "p": "lives in", "u": "ana"}).at(t, "facts"), fmt.Sprintf(`[{"memory":{"id":"%s"},"object":"Oslo","validTo":null}]`, id))

	a = s.must(`mutation($id: ID!) { correctClaim(id: $id, object: "Bergen") { id object corrected current memory { content } } }`, vars{"id": id + ".2"})
	same(t, "the corrected", a.at(t, "correctClaim"), fmt.Sprintf(`{"corrected":true,"current":true,"id":"%s.2","memory":{"content":"My dog is called Biscuit and I live in Oslo."},"object":"Bergen"}`, id))
	same(t, "as known before", s.must(facts, vars{"s": "ana", "p": "residence", "at": vars{"recorded": before}}).at(t, "facts.0.object"), `"Oslo"`)

	s.Clock.Advance(time.Hour)
	s.must(`mutation($id: ID!) { correctClaim(id: $id, wrong: true) { current withdrawn } }`, vars{"id": id + ".2"})
	same(t, "after it was withdrawn", s.must(facts, vars{"s": "ana", "p": "residence"}).at(t, "facts"), `[]`)

	a = s.must(`mutation($id: ID!) { confirmClaim(id: $id) { confirmed corrected confidence } }`, vars{"id": id + ".1"})
	same(t, "the confirmed", a.at(t, "confirmClaim"), `{"confidence":1,"confirmed":true,"corrected":false}`)
	known := s.must(`{ known(user: "ana", first: 1) { total lines { claim { subject object } memory { id } } } }`, nil)
	same(t, "what is known", known.at(t, "known"), fmt.Sprintf(`{"lines":[{"claim":{"object":"Biscuit","subject":"ana's dog"},"memory":{"id":"%s"}}],"total":1}`, id))

	for field, q := range map[string]string{
		"user":    `{ known(user: "") { total } }`,
		"subject": `{ facts(subject: "?") { id } }`,
		"first":   `{ facts(subject: "ana", first: 1001) { id } }`,
		"offset":  `{ facts(subject: "ana", offset: -1) { id } }`,
		"id":      `mutation { correctClaim(id: "7", wrong: true) { id } }`,
	} {
		if a := s.ask(q, nil); a.code() != "INVALID_REQUEST" || a.field() != field {
			t.Errorf("%s: %s", field, a.Body)
		}
	}
}
