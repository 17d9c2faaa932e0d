package reader

import "testing"

// TestAnotherRuleRevises checks rules that are replaced or withdrawn, and rules that stand beside each other.
func TestAnotherRuleRevises(t *testing.T) {
	for _, p := range [][2]string{
		{"Always answer in Dutch.", "Always answer in English."},
		{"Always answer in Dutch.", "Answer in English from now on."},
		{"Never call me before 9.", "You can call me before 9 now."},
		{"Never use emojis.", "Emojis are fine again."},
		{"Never use emojis.", "You may use emojis."},
		{"Don't call me at work.", "You can call me at work."},
		{"Never mention my weight.", "You may mention my weight."},
	} {
		if r := Relate(Statement{Text: p[0], Speaker: "ana"}, Statement{Text: p[1], Speaker: "ana"}); r.Certainty < Revises || r.Ground == NoGround {
			t.Errorf("%q and %q: certainty %.2f, ground %d", p[0], p[1], r.Certainty, r.Ground)
		}
	}
	for _, p := range [][2]string{
		{"Always answer in Dutch.", "Always answer in full sentences."},
		{"Never call me before 9.", "Never call me on Sundays."},
		{"Never use emojis.", "Never use tables."},
		{"Never share my address with anyone.", "You can share my address with Kim."},
		{"Don't call me at work.", "You can call me at work in an emergency."},
		{"Never use emojis.", "You may use tables."},
		{"Always answer in Dutch.", "Write mails to Kim in English."},
		{"Never use emojis in commits.", "Emojis are fine in chats."},
	} {
		if r := Relate(Statement{Text: p[0], Speaker: "ana"}, Statement{Text: p[1], Speaker: "ana"}); r.Certainty >= Revises && r.Ground != NoGround || r.Certainty >= 0.82 {
			t.Errorf("%q and %q: certainty %.2f, ground %d", p[0], p[1], r.Certainty, r.Ground)
		}
	}
}
