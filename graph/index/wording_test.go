package index

import "testing"

// What is looked at among very many hangs on them all together, and on who asks.
func TestLooksAmongMany(t *testing.T) {
	parts := func(sizes ...int) (out []*partQuery) {
		for _, n := range sizes {
			out = append(out, &partQuery{view: &view{n: n}})
		}
		return out
	}
	for _, c := range []struct {
		name  string
		q     Query
		parts []*partQuery
		want  int
	}{
		{"few", Query{}, parts(1000, 2000), 0},
		{"one fewer than many", Query{}, parts(wideFrom/2, wideFrom/2-1), 0},
		{"many in two namespaces", Query{}, parts(wideFrom/2, wideFrom/2), wideLooks},
		{"many, thorough", Query{Thorough: true}, parts(2 * wideFrom), 0},
		{"many, in brief", Query{Brief: true}, parts(2 * wideFrom), briefLooks},
		{"few, in brief", Query{Brief: true}, parts(10), briefLooks},
	} {
		if got := (&recall{q: &c.q, parts: c.parts}).looks(); got != c.want {
			t.Errorf("%s: %d looks, want %d", c.name, got, c.want)
		}
	}
}
