package graph

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func drawSight(t *rapid.T) (s Sight) {
	s.Namespaces = rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 2, rapid.ID[string]).Draw(t, "namespaces")
	s.User = rapid.SampledFrom([]string{"", "ada", "bo"}).Draw(t, "user")
	s.Consents = rapid.SliceOfNDistinct(rapid.SampledFrom(Consents), 0, 2, rapid.ID[Consent]).Draw(t, "consents")
	s.Sensitivity = rapid.SampledFrom(append([]Sensitivity{""}, Sensitivities...)).Draw(t, "sensitivity")
	return s
}

func drawMemory(t *rapid.T) *Memory {
	return &Memory{
		Namespace: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "namespace"), User: rapid.SampledFrom([]string{"", "ada", "bo"}).Draw(t, "owner"),
		Consent: rapid.SampledFrom(Consents).Draw(t, "consent"), Sensitivity: rapid.SampledFrom(Sensitivities).Draw(t, "class"),
		History: []State{{Status: rapid.SampledFrom(Statuses).Draw(t, "status")}},
	}
}

// The zero sight shows everything, and a sight shows no more than each of its parts.
func TestSightIsTheMeetOfItsParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, m := drawSight(t), drawMemory(t)
		if !(Sight{}).Memory(m) || !(Sight{}).Whole() {
			t.Fatal("the zero sight hides something")
		}
		all := (Sight{Namespaces: s.Namespaces}).Memory(m) && (Sight{User: s.User}).Memory(m) &&
			(Sight{Consents: s.Consents}).Memory(m) && (Sight{Sensitivity: s.Sensitivity}).Memory(m)
		if s.Memory(m) != all {
			t.Fatalf("%+v shows %+v: %v, its parts: %v", s, m, s.Memory(m), all)
		}
		if s.Whole() && !s.Memory(m) {
			t.Fatalf("%+v is whole and hides %+v", s, m)
		}
	})
}

// What belongs to nobody is visible to every user; what belongs to a user is not visible to another.
func TestSightOfAUser(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, m := drawSight(t), drawMemory(t)
		if m.Status() == Forgotten {
			return
		}
		if s.User != "" && m.User != "" && m.User != s.User && s.Memory(m) {
			t.Fatalf("%+v shows %+v", s, m)
		}
		open := *m
		open.User = ""
		if s.Memory(m) && !s.Memory(&open) {
			t.Fatalf("%+v shows %+v, but not if it belongs to nobody", s, m)
		}
		if users := s.Users(); s.Memory(m) && users != nil && !slices.Contains(users, m.User) {
			t.Fatalf("%+v shows a memory of %q, but lists the owners %q", s, m.User, users)
		}
	})
}

// A list that a filter and a sight narrow has what is in both; empty lists mean all.
func TestNarrow(t *testing.T) {
	all := []string{"a", "b", "c", "d"}
	pick := rapid.SliceOfNDistinct(rapid.SampledFrom(all), 0, 4, rapid.ID[string])
	rapid.Check(t, func(t *rapid.T) {
		asked, shown := pick.Draw(t, "asked"), pick.Draw(t, "shown")
		both, ok := narrow(asked, shown)
		for _, x := range all {
			want := (len(asked) == 0 || slices.Contains(asked, x)) && (len(shown) == 0 || slices.Contains(shown, x))
			if got := ok && (len(both) == 0 || slices.Contains(both, x)); got != want {
				t.Fatalf("%v and %v: %q is in both: %v", asked, shown, x, got)
			}
		}
	})
}
