package reader

import "testing"

func TestExcludes(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"I live in Oslo.", "I live in Rome.", true},
		{"Rent 950", "Rent 1000", true},
		{"I live in Oslo.", "Do I live in Rome?", false},
		{"I live in Oslo.", "Tom says that I live in Rome.", false},
		{"I live in Oslo.", "In my novel I live in Rome.", false},
		{"I live in Oslo.", "This week I am staying in Rome.", false},
		{"This week I am staying in Rome.", "This week I am staying in Bern.", true},
		{"I live in Oslo.", "I live in Rome now. Do you like it?", true},
		{"Ich wohne in Bergen und arbeite dort.", "Wohne ich in Rom oder in Bergen?", true},
	} {
		a, b := Prepare(Statement{Text: c.a, Speaker: "ana"}), Prepare(Statement{Text: c.b, Speaker: "ana"})
		if a.Excludes(b) != c.want || b.Excludes(a) != c.want {
			t.Errorf("%q, %q: %v", c.a, c.b, !c.want)
		}
	}
}
