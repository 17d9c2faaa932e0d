package resolvers_test

import "testing"

func TestExternalID(t *testing.T) {
	s := start(t)
	const remember = `mutation($content: String!, $ext: String) { remember(input: {content: $content, consent: EXPLICIT, namespace: "my-app/dev", externalId: $ext}) { replayed memory { id externalId namespace } } }`
	a := s.must(remember, vars{"content": "The kiln is fired on Fridays.", "ext": "kiln:1"})
	id := a.at(t, "remember.memory.id").(string)
	if a.at(t, "remember.memory.externalId") != "kiln:1" || a.at(t, "remember.memory.namespace") != "my-app/dev" {
		t.Errorf("remember: %s", a.Body)
	}
	if a := s.must(remember, vars{"content": "The kiln is fired on Fridays.", "ext": "kiln:1"}); a.at(t, "remember.replayed") != true || a.at(t, "remember.memory.id") != id {
		t.Errorf("again: %s", a.Body)
	}
	for content, want := range map[string]struct{ ext, code string }{
		"The kiln is fired on Mondays.": {"kiln:1", "VERSION_CONFLICT"}, "The kiln is red.": {"", "INVALID_REQUEST"},
	} {
		if e := s.ask(remember, vars{"content": content, "ext": want.ext}).Errors; len(e) != 1 || e[0].Extensions["code"] != want.code || e[0].Extensions["field"] != "externalId" {
			t.Errorf("%q: %v", content, e)
		}
	}
	const find = `query($ext: String!) { memoryByExternalId(externalId: $ext, namespace: "my-app/dev") { id content } }`
	next := s.must(`mutation($id: ID!) { supersede(input: {id: $id, content: "The kiln is fired on Sundays."}) { memory { id externalId } } }`, vars{"id": id})
	if a := s.must(find, vars{"ext": "kiln:1"}); a.at(t, "memoryByExternalId.id") != next.at(t, "supersede.memory.id") || next.at(t, "supersede.memory.externalId") != "kiln:1" {
		t.Errorf("the newest version: %s", a.Body)
	}
	if e := s.ask(find, vars{"ext": "kiln:2"}).Errors; len(e) != 1 || e[0].Extensions["code"] != "MEMORY_NOT_FOUND" {
		t.Errorf("an unknown one: %v", e)
	}
}

func TestSearchByScore(t *testing.T) {
	s := start(t)
	for _, text := range []string{
		"Heron 3 may fly in winds up to 15 metres per second.", "Heron 3 may fly in winds of up to 15 metres per second.", "Heron 3 flies in winds up to 15 metres.",
		"Heron 1 may fly in winds up to 9 metres per second.", "Winds of 15 metres per second came from the west.", "The winch of Heron 3 was oiled.",
	} {
		s.remember(text, vars{"onDuplicate": "INSERT"})
	}
	scores := func(order string) (out []float64) {
		a := s.must(`query($o: SearchOrder) { search(input: {query: "In what wind may Heron 3 fly?", order: $o, minScoreRatio: 0, track: false}) { hits { score } } }`, vars{"o": order})
		for _, h := range a.at(t, "search.hits").([]any) {
			out = append(out, h.(map[string]any)["score"].(float64))
		}
		return out
	}
	descends := func(s []float64) bool {
		for i := range s[1:] {
			if s[i+1] > s[i] {
				return false
			}
		}
		return true
	}
	if got := scores("SCORE"); len(got) < 5 || !descends(got) {
		t.Errorf("by score: %v", got)
	}
	if got := scores("DIVERSE"); descends(got) {
		t.Errorf("the diverse order has descending scores, so that this test shows nothing: %v", got)
	}
}
