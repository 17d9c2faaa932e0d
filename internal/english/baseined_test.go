package english

import "testing"

func TestBaseInEd(t *testing.T) {
	for word, want := range map[string]bool{
		"feed": true, "bleed": true, "breed": true, "speed": true, "seed": true, "need": true, "heed": true, "weed": true, "shed": true, "wed": true, "embed": true,
		"proceed": true, "exceed": true, "shred": true,
		"fled": false, "bled": false, "bred": false, "sped": false, "pled": false, "emceed": false, "agreed": false, "freed": false, "guaranteed": false, "used": false, "tried": false, "dyed": false, "opened": false, "rested": false, "ed": false, "feeds": false, "": false,
	} {
		if BaseInEd(word) != want {
			t.Errorf("%q: %v", word, !want)
		}
	}
}
