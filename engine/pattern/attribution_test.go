package pattern

import "testing"

// What somebody else thinks is not what holds.
func TestAPatternKeepsWhoThinksSo(t *testing.T) {
	for want, texts := range map[string][]string{
		"My boss thinks that we must wear ties.": repeated(6, "My boss thinks that we must wear ties."),
		"We must wear ties.":                     append(repeated(5, "We must wear ties."), "My boss thinks that we must wear ties."),
		"The alarm must be on at night.":         repeated(6, "Tomas told us that the alarm must be on at night."),
	} {
		found, refused := Find(onOwnDays(t, 0, .8, texts...), nil)
		if len(found) != 1 || found[0].Text != want {
			t.Errorf("%q, want %q, refused %+v", said(found), want, refused)
		}
	}
}
