package extract

import "testing"

func TestSaysWho(t *testing.T) {
	for text, all := range map[string]bool{
		"the owner said": true, "Ada keeps saying": true, "she told us": true, "said Cleo": true, "said the site manager": true, "our old landlord explained it before": true,
		"the gauge warns": false, "the owner": false, "the owner said so because it rained": false, "the pump that failed said": false, "said": false, "vault owners said": false,
	} {
		ws := Sentences(text)[0].Words
		if got := SaysWho(ws, false) == len(ws); got != all {
			t.Errorf("%q: %v", text, got)
		}
	}
	if ws := Sentences("the gauge warns")[0].Words; SaysWho(ws, true) != 3 {
		t.Error("after as, a thing may say it")
	}
	if n := SaysWho(Sentences("the owner said the vault is open")[0].Words, true); n != 3 {
		t.Errorf("%d words of an aside before a statement, want 3", n)
	}
}
