package resolvers

import (
	"testing"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/places"
)

// If all places of sockets without a credential are taken, the address with most of them loses its oldest; a socket that sends
// connection_init is not lost to those that are silent.
func TestSilentSocketsEndBeforeOthers(t *testing.T) {
	s := newSeats(16) // 4 before connection_init, 1 of one address
	s.perHost = 3
	ended := ""
	take := func(name, host string) *seat {
		return s.takeOpening(host, func(cause error) {
			if graph.CodeOf(cause) != graph.CodeUnavailable {
				t.Errorf("%s ends with %v", name, cause)
			}
			ended += name + " "
		})
	}
	all := map[string]*seat{}
	for _, name := range []string{"a1", "b1", "a2", "a3"} {
		all[name] = take(name, name[:1])
	}
	all["a4"] = take("a4", "a") // a has 3
	all["c1"] = take("c1", "c") // all 4 are taken
	all["d1"] = take("d1", "d")
	all["e1"] = take("e1", "e") // each has 1
	if ended != "a1 a2 a3 b1 " {
		t.Errorf("ended: %s", ended)
	}
	if err := all["a1"].settle(places.Principal{}); graph.CodeOf(err) != graph.CodeUnavailable {
		t.Errorf("one that has ended: %v", err)
	}
	if err := all["c1"].settle(places.Principal{}); err != nil {
		t.Error(err)
	}
	for _, x := range all {
		x.leave()
	}
	if s.open() != 0 || len(s.waiting) != 0 {
		t.Errorf("%d are open after all have left, %v", s.open(), s.waiting)
	}
}
