package resolvers_test

import "testing"

// TestSearchSaysThatNothingSurelyAnswers has hits that only share topics with the question, an answer, and no hit at all.
func TestSearchSaysThatNothingSurelyAnswers(t *testing.T) {
	s := start(t)
	for _, text := range []string{"I drive a red Toyota Yaris.", "I take the number 42 bus to work.", "I gave Paul my old tent for his camping trip.", "I am afraid of flying, so I book an aisle seat.", "We are flying to Lisbon on 12 May."} {
		if a := s.ask(`mutation($c: String!) { remember(input: {content: $c, consent: EXPLICIT, user: "ana"}) { memory { id } } }`, map[string]any{"c": text}); len(a.Errors) > 0 {
			t.Fatalf("%s", a.Body)
		}
	}
	for query, want := range map[string][3]bool{"Where did I park?": {true, false, true}, "When do we fly to Lisbon?": {false, false, true}, "xq zzkr wvvb": {false, true, false}} {
		a := s.ask(`query($q: String!) { search(input: {query: $q, user: "ana"}) { unsure noMatch hits { score } } }`, map[string]any{"q": query})
		if got := [3]bool{a.at(t, "search.unsure").(bool), a.at(t, "search.noMatch").(bool), len(a.listOf(t, "search.hits")) > 0}; got != want {
			t.Errorf("%q: unsure, noMatch and hits are %v, want %v", query, got, want)
		}
	}
}
