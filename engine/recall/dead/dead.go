// Package dead tells of whom a memory speaks, and whether it says that somebody died. What is printed of the dead is printed with their death.
package dead

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/claimkey"
	"github.com/somnograph/somnograph/graph"
)

// maxNames is the number of names of a memory that are looked up.
const maxNames = 8

// Spoken returns the canonical names of whom a memory speaks, apart from its user: the subjects of its claims, and whose something is, "paul" of
// "Paul's birthday".
func Spoken(m *graph.Memory) (names []string) {
	add := func(name string) {
		if name != "" && !reader.FirstPerson(name) && name != reader.User && name != extract.Canonical(graph.UserOf(m.User)) && len(names) < maxNames && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for i := range m.Claims {
		s := m.Claims[i].State()
		if s.Withdrawn {
			continue
		}
		for subject := s.Subject; subject != ""; {
			for _, name := range claimkey.Names(m, subject) {
				add(name)
			}
			at := max(strings.LastIndex(subject, "'s "), strings.LastIndex(subject, "’s "), 0)
			subject = subject[:at]
		}
	}
	return names
}

// Tells reports whether a memory says for sure that whom a name names has died.
func Tells(m *graph.Memory, name string) bool {
	return slices.ContainsFunc(m.Claims, func(c graph.Claim) bool {
		s := c.State()
		if s.Withdrawn || s.Negated || c.Modality != reader.Asserted.String() && c.Modality != reader.Event.String() {
			return false
		}
		said := strings.TrimPrefix(strings.TrimPrefix(s.Predicate+" "+s.Object+" ", "has "), "had ")
		died := strings.HasPrefix(said, "died ") || strings.HasPrefix(said, "passed away ") || said == "is dead " || said == "is deceased "
		return died && slices.Contains(claimkey.Names(m, s.Subject), name)
	})
}
