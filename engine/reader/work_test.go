package reader

import "testing"

// TestRoleAndPlaceAreNoRivals checks that an occupation and an employer stand beside each other, and that
// another occupation or another employer does not.
func TestRoleAndPlaceAreNoRivals(t *testing.T) {
	for _, pair := range [][2]string{
		{"Tamsin works as a puppeteer", "Tamsin is employed by the city archive"},
		{"Tamsin works as a puppeteer", "Tamsin works at Fenwick Tools"},
		{"I work as a welder.", "I work for the council."},
		{"Odile freelances as an illustrator", "Odile works for Brandt Books"},
	} {
		for _, p := range [][2]string{pair, {pair[1], pair[0]}} {
			if r := Relate(Statement{Text: p[0]}, Statement{Text: p[1]}); r.Certainty >= Rivals {
				t.Errorf("%q and %q: certainty %.2f, want less than %v", p[0], p[1], r.Certainty, Rivals)
			}
		}
	}
	for _, p := range [][2]string{
		{"Tamsin works as a puppeteer", "Tamsin works as a baker"},
		{"Rasmus works at Oak Ltd", "Rasmus works at Fenwick Tools"},
	} {
		if r := Relate(Statement{Text: p[0]}, Statement{Text: p[1]}); r.Certainty < Revises {
			t.Errorf("%q and %q: certainty %.2f, want at least %v", p[0], p[1], r.Certainty, Revises)
		}
	}
	p := [2]string{"Tamsin works as a puppeteer", "Tamsin now works at the bakery instead"}
	if r := Relate(Statement{Text: p[0]}, Statement{Text: p[1]}); r.Certainty < Rivals {
		t.Errorf("%q and %q: certainty %.2f, want at least %v: the words say that something changed", p[0], p[1], r.Certainty, Rivals)
	}
}

// TestKinshipIsNoWork checks that becoming a relative of somebody is not read as an occupation.
func TestKinshipIsNoWork(t *testing.T) {
	for _, text := range []string{"Rasmus became a parent of Rufus", "Ilse became the godmother of Tom.", "Noor became an aunt."} {
		for _, c := range Read(text, Hints{}) {
			if Predicate(c.Predicate) == "work" {
				t.Errorf("%q: claim %s %s %s is about work", text, c.Subject, c.Predicate, c.Object)
			}
		}
	}
	r := Relate(Statement{Text: "Rasmus became a parent of Rufus"}, Statement{Text: "Rasmus works at Fenwick Tools"})
	if r.Slot || r.Certainty >= 0.5 {
		t.Errorf("a parent and an employer: slot %v, certainty %.2f", r.Slot, r.Certainty)
	}
	claims := Read("Rasmus became a baker", Hints{})
	if len(claims) != 1 || Predicate(claims[0].Predicate) != "work" {
		t.Errorf("became a baker: %+v, want a claim about work", claims)
	}
}
