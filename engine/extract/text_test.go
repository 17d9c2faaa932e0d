package extract

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/graph"
)

func TestTypeGuess(t *testing.T) {
	for want, texts := range map[graph.Type][]string{
		graph.Semantic: {
			"I live in Berlin.", "My dog's name is Rex.", "Mara prefers tea over coffee.", "The capital of France is Paris.", "I'm allergic to peanuts.",
			"The API listens on port 8080.", "We decided to use Postgres for the ledger.", "The launch is scheduled for 5 June.", "The harbour light is red.",
			"Bram Hollis is launch master. Nothing flies without his yes.", "My favourite colour is green.",
		},
		graph.Procedural: {
			"Always restart the gateway after changing the config.", "To deploy, run make release.", "When the alarm sounds, close the valve.",
			"Never share the vault code with vendors.", "IMPORTANT: never share the vault code!", "Before you sail, check the weather.",
			"Make sure the kiln is off.", "How to bleed a radiator: open the valve a quarter turn.", "Kites above 120 metres must carry a light.",
			"Don't store tokens in the repository.", "First close the hatch. Then start the pump.", "1. Open the hatch.",
			"Backups should always be encrypted.", "Measure under load, never slack.", "To restore the store: stop the intake, unpack the night.",
			"New rule for spending: two of us sign.",
		},
		graph.Episodic: {
			"Walked along the pier and watched the gulls.", "We had dinner with Ana yesterday.", "The wheelchair motor drowned in front of everyone.",
			"Do you live in Berlin?", "Thanks, that helped a lot.", "", "?!", "Ines flew stunt kites for nine years.", "The market was busy.",
			"I never saw him again.", "When did you arrive?", "I always forget where it is.", "Don't forget to ask Ana.", "Don't worry about the rain.", "Take care!",
		},
	} {
		for _, text := range texts {
			if got := Text(text, Hints{}).Type; got != want {
				t.Errorf("%q: %s, want %s", text, got, want)
			}
		}
	}
}

// ranked are texts with their importance for a later reader: 1 is small talk, 3 must be kept.
var ranked = []struct {
	rank int
	text string
}{
	{3, "I'm severely allergic to peanuts, please never order satay for me."},
	{3, "My daughter Lena was born on 3 June 2021."},
	{3, "We decided to use Postgres for the ledger, not SQLite."},
	{3, "The deadline for the grant application is Friday 5 May at noon."},
	{3, "Correction: the meeting is on Thursday at 15:00, not Wednesday."},
	{3, "I moved to Lisbon last month and work at Orbit Labs now."},
	{3, "IMPORTANT: rotate the signing key before 1 March!"},
	{3, "I promised Ana to send the contract by Monday."},
	{3, "My blood type is AB negative and I take 5 mg of warfarin daily."},
	{3, "Tomas prefers to be called by phone, he hates email."},
	{3, "The vault code changed to 4417 on Tuesday."},
	{3, "Remember that Bram is diabetic and carries insulin."},
	{3, "We agreed that Priya leads the data team from July."},
	{3, "My wife's name is Ingrid and our anniversary is 12 September."},
	{3, "The production database lost 300 rows in the outage on 4 April."},
	{2, "We walked to the lighthouse with Zuri after lunch."},
	{2, "The new sail is orange and a little heavier than the old one."},
	{2, "I read a book about rivers in Norway."},
	{2, "Tomas brought rhubarb cake to the shed."},
	{2, "The heated guide comes on when it is cold."},
	{2, "We looked at three flats in the old town."},
	{2, "The tests were slow again on the second machine."},
	{2, "My neighbour has a loud drum kit."},
	{2, "We painted the boat house over the weekend."},
	{2, "The ferry was late because of fog."},
	{2, "I tried the noodle place at the corner."},
	{2, "Odile showed the children how the winch works."},
	{2, "There is a draught from the north window."},
	{2, "The printer is out of paper."},
	{2, "They are rebuilding the pier."},
	{1, "ok"}, {1, "haha nice"}, {1, "Hey, how are you?"}, {1, "Thanks a lot!"}, {1, "Good morning!"}, {1, "Sure, sounds good."}, {1, "wow cool"},
	{1, "Really?"}, {1, "What do you mean?"}, {1, "lol yes"}, {1, "hmm"}, {1, "Great, thank you so much!"}, {1, "See you later."}, {1, "Yeah, me too."},
	{1, "How was it?"},
}

// The top quarter by salience is above the bottom quarter.
func TestSalienceOrder(t *testing.T) {
	type scored struct {
		rank  int
		score float64
		text  string
	}
	all := make([]scored, len(ranked))
	for i, r := range ranked {
		all[i] = scored{r.rank, Text(r.text, Hints{}).Salience, r.text}
	}
	// A pair is right if the text of higher importance has the higher score.
	right, pairs := 0, 0
	for _, a := range all {
		for _, b := range all {
			if a.rank > b.rank {
				pairs++
				if a.score > b.score {
					right++
				}
			}
		}
	}
	if share := float64(right) / float64(pairs); share < 0.95 {
		t.Errorf("%d of %d pairs are in order, %.3f", right, pairs, share)
	}
	slices.SortFunc(all, func(a, b scored) int { return int(1e6 * (b.score - a.score)) })
	quarter := len(all) / 4
	for _, s := range all[:quarter] {
		if s.rank < 3 {
			t.Errorf("in the top quarter: %.2f %q", s.score, s.text)
		}
	}
	for _, s := range all[len(all)-quarter:] {
		if s.rank > 1 {
			t.Errorf("in the bottom quarter: %.2f %q", s.score, s.text)
		}
	}
}

func TestMoreCuesRaiseSalience(t *testing.T) {
	ladder := []string{"", "ok", "We walked home.", "We walked home with Ana.", "We decided to sell the boat with Ana.", "We decided to sell the boat with Ana on 5 May.", "IMPORTANT: we decided to sell the boat with Ana on 5 May."}
	last := -1.0
	for _, text := range ladder {
		got := Text(text, Hints{}).Salience
		if got <= last || got >= 1 {
			t.Errorf("%q: %.3f, the one before %.3f", text, got, last)
		}
		last = got
	}
}

func TestEveryTextIsRead(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("a", 100_000), strings.Repeat("A ", 50_000), strings.Repeat("Ana of ", 10_000), strings.Repeat(".", 10_000), strings.Repeat("my dog's ", 10_000),
		strings.Repeat("I live in ", 10_000), strings.Repeat("and ", 20_000), "日本語のテキスト。東京に住んでいます。", "\x00\x01", strings.Repeat("'s", 9_000), "I'm", "I've", "i'm i'm i'm i'm",
	} {
		r := Text(text, Hints{Speaker: "Caro"})
		if r.Salience < 0 || r.Salience > 1 || !r.Type.Valid() || len(r.Entities) > maxEntities {
			t.Errorf("%.20q…: %+v", text, r)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, r := range ranked {
		f.Add(r.text, "Caro")
	}
	f.Add("I'm Ana's dog's “name” & C++ /a/b.go 5 o'clock", "")
	f.Fuzz(func(t *testing.T, text, speaker string) {
		r := Text(text, Hints{Speaker: speaker})
		if !(r.Salience >= 0 && r.Salience <= 1) || !r.Type.Valid() {
			t.Fatalf("%q: %+v", text, r)
		}
		for _, e := range r.Entities {
			if e.Canonical == "" || e.Start < 0 || e.End <= e.Start || e.End > len(text) {
				t.Fatalf("%q: %+v", text, e)
			}
		}
		for _, s := range Statements(text, Hints{Speaker: speaker}) {
			if s.Subject == "" || s.Predicate == "" || s.Object == "" {
				t.Fatalf("%q: %+v", text, s)
			}
		}
		if !SameFacts(text, text) {
			t.Fatalf("%q differs from itself", text)
		}
	})
}

func BenchmarkText(b *testing.B) {
	i := 0
	for b.Loop() {
		Text(ranked[i%len(ranked)].text, Hints{Speaker: "Caro"})
		i++
	}
}

func ExampleText() {
	r := Text("I moved to Lisbon and work at Orbit Labs.", Hints{Speaker: "Caro"})
	fmt.Println(r.Type, r.Statement.Subject, r.Statement.Predicate, r.Statement.Object)
	for _, e := range r.Entities {
		fmt.Println(e.Name, e.Type)
	}
	// Output:
	// SEMANTIC Caro lives_in Lisbon
	// Lisbon PLACE
	// Orbit Labs ORGANIZATION
}
