package reader

import "testing"

func TestSupports(t *testing.T) {
	for _, c := range []struct {
		turn, statement string
		want            bool
	}{
		{"I moved to Bergen last week.", "The user lives in Bergen.", true},
		{"I moved to Bergen last week.", "Ana lives in Bergen.", true},
		{"My manager is Priya now, by the way.", "The user's manager is Priya.", true},
		{"Hi! I don't eat meat, and I live in Bergen.", "The user does not eat meat.", true},
		{"We deploy to staging on port 9090.", "The team deploys to staging on port 9090.", false}, // "team" was not said
		{"We deploy to staging on port 9090.", "They deploy to staging on port 9090.", true},
		{"I moved to Bergen last week.", "The user lives in Oslo.", false},
		{"I moved from Oslo to Bergen.", "The user lives in Oslo.", false},
		{"I don't eat meat.", "The user eats meat.", false},
		{"My birthday is on 5 May, not on 3 May.", "The user's birthday is on 5 May.", true},
		{"My birthday is on 5 May, not on 3 May.", "The user's birthday is on 3 May.", false},
		{"I no longer work at Siemens, I work at Equinor now.", "The user works at Equinor.", true},
		{"I no longer work at Siemens, I work at Equinor now.", "The user works at Siemens.", false},
		{"Do I live in Bergen?", "The user lives in Bergen.", false},
		{"I wish I lived in Lisbon.", "The user lives in Lisbon.", false},
		{"Tom says that I live in Paris.", "The user lives in Paris.", false},
		{"The server listens on port 8080.", "The server listens on port 9090.", false},
		{"Yes, exactly.", "The user lives in Bergen.", false},
		{"Thanks, go on.", "The user agrees.", false},
	} {
		turn := Prepare(Statement{Text: c.turn, Speaker: "ana"})
		if got := turn.Supports(Prepare(Statement{Text: c.statement, Speaker: "bot"})); got != c.want {
			t.Errorf("%q supports %q: %v", c.turn, c.statement, got)
		}
	}
}
