package distil

import "slices"

// Decided reports whether a text states a decision, by the cues of the digest of a project.
func Decided(text string) bool {
	return slices.ContainsFunc(unitsOf(0, Source{Text: text}), func(u *unit) bool { return !u.unusable && sectionOf(u) == "decision" })
}
