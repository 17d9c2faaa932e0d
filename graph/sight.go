package graph

import "slices"

// Sight is the part of a tenant that a credential shows. The zero Sight shows everything. A
// [Reader] of a [Scope] with a Sight returns what it would return if the store had nothing else:
// an invisible id is [ErrNotFound], like one that never existed. Writes ignore it, since they
// judge a statement by all that is known; the caller of a write tests its targets.
//
// A Sight is not changed after it was made.
type Sight struct {
	Namespaces  []string    // any of; empty: all
	User        string      // what belongs to this user and to nobody; empty: to anybody
	Agent       string      // with what this agent keeps private, see [PrivateOwner]; empty: with that of no agent, or of all where User is empty
	Consents    []Consent   // any of; empty: all
	Sensitivity Sensitivity // the highest; empty: any
	// Receipts is the principal, with its agent, whose receipts are visible; empty: those of all. See
	// [PrincipalMark].
	Receipts string
	// Administers shows, besides the receipts of the principal, complete ones of others whose erased
	// memories were all in visible namespaces.
	Administers bool
}

// Whole reports whether the sight shows every row of the tenant but, perhaps, the receipts of
// other principals.
func (s Sight) Whole() bool {
	return len(s.Namespaces) == 0 && !s.LimitsOwners() && !s.LimitsClasses()
}

// LimitsOwners reports whether the sight shows only some of the owners in a visible namespace.
func (s Sight) LimitsOwners() bool { return s.User != "" || s.Agent != "" }

// LimitsClasses reports whether memories of one owner may differ in visibility. Then an entity is
// visible only if a visible memory mentions it.
func (s Sight) LimitsClasses() bool { return len(s.Consents) > 0 || s.Sensitivity != "" }

// Owner reports whether the sight shows what belongs to the owner in the namespace. Nobody is the
// empty owner.
func (s Sight) Owner(namespace, owner string) bool {
	if !s.Namespace(namespace) || !s.LimitsOwners() {
		return s.Namespace(namespace)
	}
	user, agent := SplitOwner(owner)
	return (s.User == "" || user == "" || user == s.User) && (agent == "" || agent == s.Agent)
}

// Namespace reports whether the sight shows anything of the namespace.
func (s Sight) Namespace(name string) bool {
	return len(s.Namespaces) == 0 || slices.Contains(s.Namespaces, name)
}

// Class reports whether the sight shows memories of the consent and sensitivity.
func (s Sight) Class(c Consent, x Sensitivity) bool {
	return (len(s.Consents) == 0 || slices.Contains(s.Consents, c)) &&
		(s.Sensitivity == "" || slices.Index(Sensitivities, x) <= slices.Index(Sensitivities, s.Sensitivity))
}

// Memory reports whether the sight shows a memory. The stub of a FORGOTTEN memory belongs to
// nobody: it has neither user nor consent any more.
func (s Sight) Memory(m *Memory) bool {
	if m.Status() == Forgotten {
		return s.Namespace(m.Namespace)
	}
	return s.Owner(m.Namespace, m.User) && s.Class(m.Consent, m.Sensitivity)
}

// Users are the owners that the sight shows; nil: any, or more than can be listed.
func (s Sight) Users() []string {
	switch {
	case s.User == "":
		return nil
	case s.Agent == "":
		return []string{"", s.User}
	}
	return []string{"", s.User, PrivateOwner(s.User, s.Agent), PrivateOwner("", s.Agent)}
}

// Key is equal for two sights of rows that show the same, and empty for one that shows all. It
// has no separator problem, since no name has a byte 0.
func (s Sight) Key() string {
	if s.Whole() {
		return ""
	}
	b := []byte(s.User + "\x00" + s.Agent + "\x00" + string(s.Sensitivity))
	for _, n := range s.Namespaces {
		b = append(append(b, 0), n...)
	}
	b = append(b, 0)
	for _, c := range s.Consents {
		b = append(append(b, 0), c...)
	}
	return string(b)
}

// Equal reports whether two sights show the same.
func (s Sight) Equal(o Sight) bool {
	return s.User == o.User && s.Agent == o.Agent && s.Sensitivity == o.Sensitivity && s.Receipts == o.Receipts && s.Administers == o.Administers &&
		slices.Equal(s.Namespaces, o.Namespaces) && slices.Equal(s.Consents, o.Consents)
}

// narrow returns the values that are in both lists, of which an empty one means all. ok is false
// if there are none.
func narrow(asked, shown []string) (both []string, ok bool) {
	switch {
	case len(shown) == 0:
		return asked, true
	case len(asked) == 0:
		return shown, true
	}
	for _, x := range asked {
		if slices.Contains(shown, x) {
			both = append(both, x)
		}
	}
	return both, len(both) > 0
}
