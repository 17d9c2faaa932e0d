package reader

import "testing"

func TestVetoesThatLeaveTheMatterOpen(t *testing.T) {
	for v, want := range map[Veto]bool{"": true, vetoUnrelated: true, vetoEarlier: true, vetoLanguage: true, vetoOwner: false, vetoSubject: false, vetoEntity: false, "question": false, "wish": false} {
		if v.Undecided() != want {
			t.Errorf("%q: %v", v, v.Undecided())
		}
	}
}
