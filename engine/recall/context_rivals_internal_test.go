package recall

import "testing"

// A corrected memory that is contested is still printed as corrected.
func TestTheMarkOfACorrectionStays(t *testing.T) {
	const contested = "contested by user ana 2026-03-02, later"
	for mark, want := range map[string]string{
		"":                           contested,
		"faded":                      contested,
		correctedMark + "2026-03-01": correctedMark + "2026-03-01, " + contested,
	} {
		if got := withRivals(mark, contested); got != want {
			t.Errorf("%q: %q, want %q", mark, got, want)
		}
		if got := withRivals(mark, ""); got != mark {
			t.Errorf("%q without rivals: %q", mark, got)
		}
	}
}
