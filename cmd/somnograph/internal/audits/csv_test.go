package audits_test

import (
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/audits"
)

// A cell is a formula also if what a reader does not see stands before its sign, or if the sign is a wide one.
func TestSafeCell(t *testing.T) {
	for _, before := range []string{"", " ", "\n", "\t", "\r", "\r\n \t", "\x00", "\x1f", "\u00a0", "\u0085", "\u3000", "\ufeff", "\u200b", "\u202e", "\u2060", "\U000e0041", " \u200d\x01 "} {
		for _, sign := range []string{"=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20"} {
			if cell := before + sign + "1"; audits.SafeCell(cell) != "'"+cell {
				t.Errorf("%+q is %+q", cell, audits.SafeCell(cell))
			}
		}
	}
	for _, cell := range []string{"", " ", "\u200b", "words", " words", "1", "a=b", "\u200ba@b", "'=1"} {
		if got := audits.SafeCell(cell); got != cell {
			t.Errorf("%+q is %+q", cell, got)
		}
	}
	for _, cell := range []string{"\t", "\rwords"} {
		if got := audits.SafeCell(cell); got != "'"+cell {
			t.Errorf("%+q is %+q", cell, got)
		}
	}
}
