package graph

import "slices"

// Trust is what a memory may weigh and whom it may be shown to: bound when the memory is written,
// and changed afterwards by a quorum or a person only.
type Trust struct {
	Authority   float64 // [0,1]
	Consent     Consent
	Sensitivity Sensitivity
}

// Trust returns the trust of the memory.
func (m *Memory) Trust() Trust { return Trust{m.Authority, m.Consent, m.Sensitivity} }

// AtLeast reports whether t weighs as much as u and may be shown to everyone to whom u may be
// shown: its authority and consent are at least those of u, and its sensitivity at most that of
// u. Of two trusts, one, both (if they are equal) or neither may be at least the other.
func (t Trust) AtLeast(u Trust) bool {
	return t.Authority >= u.Authority && slices.Index(Consents, t.Consent) <= slices.Index(Consents, u.Consent) &&
		slices.Index(Sensitivities, t.Sensitivity) <= slices.Index(Sensitivities, u.Sensitivity)
}

// Least returns the lowest authority, the weakest consent and the highest sensitivity of two
// trusts: the trust of what is derived from both.
func (t Trust) Least(u Trust) Trust {
	t.Authority = min(t.Authority, u.Authority)
	if slices.Index(Consents, u.Consent) > slices.Index(Consents, t.Consent) {
		t.Consent = u.Consent
	}
	if slices.Index(Sensitivities, u.Sensitivity) > slices.Index(Sensitivities, t.Sensitivity) {
		t.Sensitivity = u.Sensitivity
	}
	return t
}
