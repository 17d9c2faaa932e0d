package reader

// Undecided reports whether the veto leaves open if two statements are about one matter: there is
// none, they share too few words, the earlier one says nothing that holds now, or one is not
// recognised as English. All other vetoes say that both statements stand.
func (v Veto) Undecided() bool {
	return v == "" || v == vetoUnrelated || v == vetoEarlier || v == vetoLanguage
}

// Happened reports whether the veto says that one of two statements tells of what happened once. What happened can have ended
// what the other one says ("She came home from hospital"), which a revision does not conclude.
func (v Veto) Happened() bool { return v == vetoEvent || v == vetoOnce }

// Apart reports whether the veto says that two statements are about two persons, things, occasions,
// attributes or details.
func (v Veto) Apart() bool {
	switch v {
	case vetoEntity, vetoOwner, vetoSubject, vetoModifier, vetoQualifier, vetoAlso, vetoOccasion, vetoDenied, vetoName, vetoPreference, vetoTask:
		return true
	}
	return false
}
