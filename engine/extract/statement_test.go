package extract

import (
	"fmt"
	"strings"
	"testing"
)

// said formats statements as in the tables; a star marks a functional predicate.
func said(ss []Statement) string {
	var b []string
	for _, s := range ss {
		star := ""
		if s.Functional {
			star = "*"
		}
		b = append(b, fmt.Sprintf("%s|%s%s|%s", s.Subject, s.Predicate, star, s.Object))
	}
	return strings.Join(b, "; ")
}

func TestStatements(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		// attributes
		{"My dog's name is Rex", "Caro's dog|name*|Rex"},
		{"The name of my dog is Rex.", "Caro's dog|name*|Rex"},
		{"My name is Caroline.", "Caro|name*|Caroline"},
		{"Ana's birthday is 4 May", "Ana|birthday*|4 May"},
		{"The deadline for the grant is 5 May.", "grant|deadline*|5 May"},
		{"The grant deadline is 5 May.", "grant|deadline*|5 May"},
		{"The budget is 900 crowns.", "budget|budget*|900 crowns"},
		{"Our budget is 900 crowns.", "budget|budget*|900 crowns"},
		{"My favourite colour is green.", "Caro|favorite_color*|green"},
		{"My favorite food is ramen.", "Caro|favorite_food*|ramen"},
		{"My phone number is 555-0199.", "Caro|phone*|555-0199"},
		{"My wife is Lena.", "Caro|wife*|Lena"},
		{"My boss is a runner.", "Caro's boss|is_a|runner"},
		{"The capital of France is Paris.", "France|capital*|Paris"},
		{"Paris is the capital of France.", "France|capital*|Paris"},
		{"The dog is called Pip.", "dog|name*|Pip"},
		{"I have a cat called Milo.", "Caro's cat|name*|Milo"},
		{"I got a puppy named Toby two weeks ago!", "Caro's puppy|name*|Toby"},
		{"Tomas is 43 years old.", "Tomas|age*|43"},
		{"I was born on 3 June 1990.", "Caro|birthday*|3 June 1990"},
		// residence and occupation
		{"I live in Berlin", "Caro|lives_in*|Berlin"},
		{"We live in Berlin.", "Caro|lives_in*|Berlin"},
		{"I moved from Sweden to Berlin four years ago.", "Caro|lives_in*|Berlin"},
		{"Ana lives in Madrid and works for Orbit Labs.", "Ana|lives_in*|Madrid; Ana|works_at*|Orbit Labs"},
		{"I've been working at Acme for three years.", "Caro|works_at*|Acme"},
		{"Zuri works as a nurse.", "Zuri|works_as*|nurse"},
		{"I am a nurse.", "Caro|is_a|nurse"},
		{"My sister Lena is a nurse.", "Lena|is_a|nurse"},
		{"I'm allergic to peanuts.", "Caro|allergic_to|peanuts"},
		{"Our new office is in Lisbon.", "new office|located_in*|in Lisbon"},
		{"Mara keeps the spare key under the blue pot.", "spare key|located_in*|under the blue pot"},
		{"Ana is my manager. She lives in Madrid.", "Ana|is|my manager; Ana|lives_in*|Madrid"},
		{"Ana said she lives in Madrid.", "Ana|lives_in*|Madrid"},
		{"Ana met Bo. She lives in Madrid.", ""}, // referent unknown
		// former facts
		{"I used to work at Acme.", "Caro|formerly_works_at|Acme"},
		{"I no longer live in Oslo.", "Caro|formerly_lives_in|Oslo"},
		{"I lived in Oslo.", "Caro|formerly_lives_in|Oslo"},
		{"Ana doesn't work at Orbit anymore.", "Ana|formerly_works_at|Orbit"},
		{"I don't live in Oslo.", "Caro|not_lives_in|Oslo"},
		{"I don't like olives.", "Caro|not_likes|olives"},
		{"The office isn't in Berlin.", "office|not_located_in|in Berlin"},
		// preferences
		{"Mara prefers tea over coffee", "Mara|prefers|tea over coffee"},
		{"I love hiking and my favorite food is ramen.", "Caro|likes|hiking; Caro|favorite_food*|ramen"},
		{"She hates noise.", ""},
		// times
		{"the deploy window is Tuesday 14:00", "deploy window|scheduled_for*|Tuesday 14:00"},
		{"The meeting has been moved to Thursday at 3 pm.", "meeting|scheduled_for*|Thursday at 3 pm"},
		{"The launch is scheduled for 5 June 2026 at 10:00.", "launch|scheduled_for*|5 June 2026 at 10:00"},
		{"Our standup is at 9:30.", "standup|scheduled_for*|9:30"},
		{"The ferry leaves at nine.", "ferry|departs_at*|nine"},
		{"The train to Oslo departs at 7:45.", "train to Oslo|departs_at*|7:45"},
		{"The rent is due on 1 July.", "rent|deadline*|1 July"},
		{"The shop closes at 6pm.", "shop|closes_at*|6pm"},
		// systems and decisions
		{"we decided to use Postgres", "team|decided|use Postgres"},
		{"We decided to use Postgres for the ledger.", "ledger|decision*|Postgres"},
		{"We picked Hetzner for hosting.", "hosting|decision*|Hetzner"},
		{"We use Kafka.", "team|uses|Kafka"},
		{"The API listens on port 8080.", "API|listens_on*|port 8080"},
		{"The server is down.", "server|status*|down"}, {"The server is down now.", "server|status*|down"},
		{"The museum is closed on Mondays.", "museum|is|closed on Mondays"},
		{"Priya leads the data team.", "data team|lead*|Priya"},
		{"The lead of the data team is Priya.", "data team|lead*|Priya"},
		{"The data team is led by Priya.", "data team|lead*|Priya"},
		{"A ticket costs 12 euros.", "ticket|price*|12 euros"},
		{"The first ferry leaves Orrin at 06:55.", "first ferry|departs_at*|06:55"},
		{"Heron shall have a wing area of 6 square metres.", "Heron|wing_area*|6 square metres"},
		{"Odile prefers meetings before ten in the morning.", "Odile|prefers|meetings before ten in the morning"},
		{"Ines chose a delta with two keels.", "Ines|decided|delta with two keels"},
		{"Pia is a builder and may sail.", "Pia|is_a|builder"},
		{"The pod weighs 431 grams.", "pod|weight*|431 grams"},
		{"The key is kept under the pot.", "key|located_in*|under the pot"},
		{"The certificate expires on 3 March 2027.", "certificate|expires_on*|3 March 2027"},
		{"The archive moved to Oslo.", "archive|located_in*|Oslo"},
		{"Zuri joined Orbit.", "Zuri|works_at*|Orbit"},
		{"Zuri left Orbit.", "Zuri|formerly_works_at|Orbit"},
		{"We switched to Redis.", "team|uses|Redis"},
		{"Zuri switched to tea.", ""},
		{"We have no car.", "Caro|not_has|car"},
		{"I have a lot of time.", ""},
		{"The film lasts two hours.", "film|duration*|two hours"},
		{"My manager is Priya and my desk is in room 4.", "Caro|manager*|Priya; Caro's desk|located_in*|in room 4"},
		{"Ana is married to Bo.", "Ana|spouse*|Bo"},
		{"Ana was my neighbour.", ""},
		// no statement
		{"The line stood still like a picture.", ""}, {"The log stands at 31 launches.", ""}, {"Pia may use the cabin.", ""}, {"The cloth is to blame.", ""},
		{"This one is Gouda.", ""}, {"Nobody stands inside the bight.", ""}, {"In most pictures the kite is red.", ""}, {"We agreed on it.", ""},
		{"The limit of what we can do is low.", ""},
		{"Do you live in Berlin?", ""}, {"I might move to Paris.", ""}, {"If it rains, the launch is at noon.", ""}, {"I wish I lived in Rome.", ""},
		{"You live in Berlin.", ""}, {"It is late.", ""}, {"I would like to work at Acme.", ""}, {"The market was busy.", ""}, {"I want to live in Rome.", ""},
		{"I'm going to the market.", ""}, {"Live in the moment", ""}, {"The work at the pier took long.", ""}, {"", ""}, {"is", ""}, {"I live in", ""},
		{"Maybe she lives in Rome.", ""}, {"Here is the list.", ""}, {"They work at Acme.", ""},
	} {
		if got := said(Statements(c.text, Hints{Speaker: "Caro"})); got != c.want {
			t.Errorf("%q:\n  got  %s\n  want %s", c.text, got, c.want)
		}
	}
}

func TestStatementsWithoutSpeaker(t *testing.T) {
	for text, want := range map[string]string{
		"I live in Berlin":      "user|lives_in*|Berlin",
		"My dog's name is Rex":  "dog|name*|Rex",
		"My birthday is 4 May.": "user|birthday*|4 May",
	} {
		if got := said(Statements(text, Hints{})); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// The main statement is the first functional one.
func TestTheMainStatement(t *testing.T) {
	got := Text("Ana is my manager. She lives in Madrid.", Hints{}).Statement
	if got.Predicate != "lives_in" || got.Subject != "Ana" {
		t.Errorf("%+v", got)
	}
	if got := Text("I like olives. I like capers.", Hints{}).Statement; got.Object != "olives" {
		t.Errorf("%+v", got)
	}
	if got := Text("Nothing here", Hints{}).Statement; got != (Statement{}) {
		t.Errorf("%+v", got)
	}
}

func TestFunctional(t *testing.T) {
	for predicate, want := range map[string]bool{
		"lives_in": true, "lives in": true, "Works-At": true, "deadline": true, "is_status": true, "current status": true, "favorite_color": true,
		"favourite dish": true, "role": true, "likes": false, "prefers": false, "uses": false, "visited": false, "has": false, "": false,
		"not_lives_in": false, "formerly_works_at": false, "is_a": false, "decision": true, "decided": false,
	} {
		if got := Functional(predicate); got != want {
			t.Errorf("%q: %v", predicate, got)
		}
	}
}

func TestPreference(t *testing.T) {
	for predicate, want := range map[string]bool{
		"likes": true, "dislikes": true, "prefers": true, "not_likes": true, "formerly_prefers": true, "favorite_color": true, "favourite_dish": true,
		"lives_in": false, "name": false, "": false, "favorite": false,
	} {
		if got := Preference(predicate); got != want {
			t.Errorf("%q: %v", predicate, got)
		}
	}
}

func TestStatementsAreBounded(t *testing.T) {
	long := strings.Repeat("x", 5000)
	for _, text := range []string{"My " + long + " is called Rex.", "My dog is called " + long + ".", strings.Repeat("I live in Berlin and ", 2000)} {
		for _, s := range Statements(text, Hints{Speaker: "Caro"}) {
			if len(s.Subject) > maxText || len(s.Object) > maxText {
				t.Errorf("%d and %d bytes", len(s.Subject), len(s.Object))
			}
		}
	}
}
