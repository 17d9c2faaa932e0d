package cluster

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/somnograph/somnograph/internal/english"
)

func count(texts ...string) *Terms {
	t := NewTerms()
	for _, x := range texts {
		t.Add(x)
	}
	return t
}

// others are memories of other clusters.
var others = count(
	"Heron needs a new battery before the next flight.", "The battery of Heron was charged in the harbour.",
	"Ana keeps the keys of the workshop.", "We met at the workshop with Ana and Ben.", "The workshop opens at nine.",
	"Ben paid the invoice for the sails.", "The invoice is in the folder of the office.", "An invoice from the sailmaker came today.",
	"Lunch is at noon in the kitchen.", "Mara cooked soup in the kitchen for all.", "The kitchen needs a new fridge.",
)

func TestLabels(t *testing.T) {
	for _, c := range []struct {
		name  string
		want  string
		texts []string
	}{
		{"two nouns", "Winch and weather", []string{
			"The winch jammed in bad weather.", "We oiled the winch because of the weather.", "Ben fixed the winch before the weather turned.",
			"The old winch is slow in cold weather.", "A new winch came with the weather report.", "The winch was loud.", "No winch works in such weather.",
		}},
		{"a phrase", "Harbour permits", []string{
			"The harbour permits expire in May.", "Ana renewed the harbour permits.", "We paid for the harbour permits yesterday.",
			"All harbour permits are in the folder.", "Ben asked about the harbour permits.", "The harbour permits cost more now.",
		}},
		{"names", "Heron and Atlas", []string{
			"We flew Heron and Atlas to the north.", "In the wind Heron is faster than Atlas.", "Both Heron and Atlas were repaired.",
			"The crew of Heron helped Atlas.", "Today Heron waited for Atlas.", "Nobody steers Heron or Atlas alone.", "They painted Atlas and Heron white.",
		}},
		{"forms of one word", "Ferries", []string{
			"The ferries were late.", "Two ferries left the island.", "The ferry to the island was full.", "Because of the storm no ferries came.",
			"We took both ferries.", "The captain of the ferry waved.",
		}},
		{"no verbs", "Garden", []string{
			"I planted roses in the garden.", "We planted beans in the garden.", "She planted herbs in the garden.", "They planted a tree in the garden.",
			"I will plant more in the garden.", "He planted it behind the garden.",
		}},
		{"no ordinals", "", []string{"We meet on the third of March.", "The third of May is free.", "Rosa sang for the third time."}},
		{"an activity", "Running", []string{
			"Running can clear the head.", "I started running in May.", "She has been running with Ana.", "He goes running at dawn.", "We talked about running.",
		}},
		{"the first of what all have", "Skylark release and simulator", []string{
			"For the Skylark release we run the simulator, tag the build and copy it.", "For the Skylark release we run the simulator, tag the build and copy it.",
			"For the Skylark release we run the simulator, tag the build and copy it.",
		}},
		{"a subject", "Storm", []string{
			"The storm cost one antenna.", "Eva wrote down what the storm broke.", "After breakfast the storm damaged everything she owns.", "All were awake when the storm arrived unannounced.",
		}},
		{"no third person", "Server", []string{
			"The server stands in the shed.", "The server stands behind a shelf.", "A new server stands in the office.", "The server stands on 4 bricks.", "We bought the server.",
		}},
		{"a name of all members", "Tomas", []string{
			"Tomas lets her sign everything.", "Tomas believes that nobody listens.", "Tomas shared what was left.", "She asked Tomas whether it rains.",
		}},
		{"a word of a fifth of the members", "", []string{
			"The glacier is cold.", "They ate.", "She sang.", "He ran on.", "The glacier, seen again.", "It rained.", "Nobody came.", "All slept.", "Somebody laughed.", "They argued.", "She fell.", "We walked to the glacier.", "He paid.", "It snowed.",
		}},
		{"a saying", "Sorry to hear", []string{
			"Sorry to hear that!", "I am so sorry to hear that, really.", "Oh, sorry to hear that.", "Sorry to hear it.", "So sorry to hear this!", "We are sorry to hear that.",
		}},
		{"called names", "Soup", []string{
			"Thanks, Mara! The soup was good.", "Mara, the soup!", "I liked the soup, Mara.", "Hi, Mara! Is there any soup?", "The soup is hot, Mara!", "Mara, we want the soup.",
		}},
		{"a term of few members", "Soup", []string{
			"The soup needs salt.", "Mara cooked a soup.", "I like the soup of my aunt.", "The soup was cold.", "We had a soup.", "There is a soup for everybody.",
			"The anchor is beside the soup.", "An anchor is no spoon for a soup.", "The soup is under the anchor.", "A soup a day.", "The soup is hot.", "No soup for me.", "The soup was thin.",
		}},
		{"two names of one phrase", "Professor Demir", []string{
			"We wrote to Professor Yusra Demir.", "The letter of Professor Demir came.", "A copy goes to Professor Yusra Demir.", "The fund and Professor Demir agree.",
			"Some readings are for the fund.", "I met them both.",
		}},
		{"no participle before a noun of time", "Harbour", []string{
			"The harbour opens at six on working days.", "On working days we go to the harbour.", "The harbour is loud on working days.",
			"The gate of the harbour is shut.", "On working days the harbour is full.", "We like the harbour.",
		}},
		{"no verb after its subject", "Line and drum", []string{
			"The line jammed in the winch. The drum was wet.", "The line jams whenever the drum is wet.", "Our line jammed when the drum was wet.",
			"Pia saw the line jam because the drum was wet.", "The line jams when the drum is wet.",
		}},
		{"no adverb", "Anaesthesia", []string{
			"The spaniel woke slowly from the anaesthesia.", "The cat woke slowly from the anaesthesia.", "The beagle woke slowly after the anaesthesia.",
			"The greyhound woke slowly from the anaesthesia.", "The tabby woke slowly.",
		}},
		{"a title", "Dr Okafor", []string{
			"Dr Okafor came late.", "We met Dr Okafor at noon.", "The letter of Dr Okafor is here.", "They asked for Dr Okafor.", "A call from Dr Okafor came.",
		}},
		{"no unit", "Wind", []string{
			"In the wind, 9 metres per second.", "Now 12 metres per second.", "The wind has gusts of 4 metres per second.", "Above 12 metres per second it stays at home.",
			"It drifted at 14 metres per second.", "The wind rose to 3 metres per second.",
		}},
		{"a unit if there is nothing else", "Metres per second", []string{
			"It was 9 metres per second.", "Now 12 metres per second.", "We had 4 metres per second.", "They said 7 metres per second.",
		}},
		{"no month", "Deadline", []string{
			"The deadline is in April.", "Our deadline of April is near.", "The deadline moved to April.", "Is the deadline in April?", "We missed the deadline in April.",
		}},
		{"a heading", "Content creation", []string{
			"## Digital Content Creation\nThe content creation takes long.", "## Digital Content Creation\nWe like the content creation.", "## Digital Content Creation\nWho pays for the content creation?",
			"## Digital Content Creation\nAll of the content creation is done.", "## Digital Content Creation\nHe left the content creation.",
		}},
		{"a blank of a form", "Invoice template", []string{
			"The invoice template: [Street Name], [Street Name].", "Fill the invoice template [Street Name].", "An invoice template [Street Name].", "My invoice template [Street Name].", "Use the invoice template: [Street Name].",
		}},
		{"a noun in a saying", "Making a difference", []string{
			"You keep making a difference.", "Those things make a difference.", "He is making a difference here.", "They really make a difference.", "I like making a difference.", "It made a difference.", "We are making a difference together.",
		}},
		{"praise", "Praise", []string{
			"Wow, that looks great!", "That's great, Ann!", "Cool! Where was it?", "Wow Ann, that's so cool!", "Looks awesome!", "Congrats, Ann!",
		}},
		{"greetings", "Greetings", []string{
			"Hey Ann, what's up?", "Hi Ann, long time no see.", "Hello Ben!", "Hey Ben, how was the week?", "Hey, are you there?", "Good morning!",
		}},
		{"praise of a thing", "Soup", []string{
			"Great soup!", "The soup is great.", "Wow, nice soup!", "I love the soup.", "Thanks for the soup.", "What a soup!",
		}},
		{"code", "Login form", []string{
			"This is the login form.\n```python\nimport flask\n```", "Check the login form.\n```python\nimport flask\n```", "I fixed the login form.\n```python\nimport flask\n```",
			"Where is the login form?\n```python\nimport flask\n```", "The login form works.", "A test of the login form fails.",
		}},
		{"an ending of a quality", "Family", []string{
			"I love my family.", "The family is here.", "We visited his family.", "All of the family came.", "She wrote to her family.", "It is for the family.",
		}},
		{"a numbered heading", "Manual", []string{
			"Lift manual, chapter 1. Never run.", "Lift manual, chapter 3. She waits.", "Crane manual, chapter 7. Call him first.",
		}},
		{"of what", "Loss of Petrel", []string{
			"A report on the loss of Petrel, page 1. He waited.", "A report on the loss of Petrel, page 2. She ran.", "The loss of Petrel hurt.", "We mourn.", "They saw her.",
		}},
		{"parts of several things", "Harbour", []string{
			"The edge of the harbour froze.", "The edge of the map tore.", "We saw the edge of the town from the harbour.", "The harbour closed.", "A harbour seal swam.",
		}},
		{"an owner", "Tide", []string{"They saw the tide's end.", "The tide's colour is odd.", "She hated him.", "We met at noon."}},
		{"before a verb with an object", "Crane", []string{"The crane broke the mast.", "Yesterday the crane lifted the boat.", "A crane scared the dog.", "He ran."}},
		{"a noun that others have too", "Invoice", []string{
			"The invoice is here.", "An invoice came.", "We lost the invoice.", "Who paid?", "Nobody laughed.", "She slept.", "They ran on.",
		}},
		{"nothing in common", "", []string{"A red bridge.", "The tall tower.", "Some cold water.", "My old bicycle.", "One small coin.", "Your warm coat."}},
	} {
		members, all := count(c.texts...), NewTerms()
		all.Merge(others, members)
		if got := Label(LabelInput{Members: members, All: all, Classes: 5, Medoid: c.texts[0]}); got.Text != c.want {
			t.Errorf("%s: %q, want %q; %+v", c.name, got.Text, c.want, got.Terms)
		}
	}
}

// A label that another cluster has already gets a second part, if there is a noun for it.
func TestLabelOfAnotherClusterIsNotUsedAgain(t *testing.T) {
	texts := []string{
		"The winch jammed at the mast.", "We oiled the winch.", "A winch came by ship.", "Ben fixed the winch below the mast.", "The winch is slow.", "Who has the key of the winch?", "A crane lifted the winch onto the mast.",
		"Nobody heard the winch.", "The winch stood in the rain.", "We paid for the winch.",
	}
	for _, c := range []struct {
		taken []string
		want  string
	}{{nil, "Winch"}, {[]string{"Mast"}, "Winch"}, {[]string{"Winch"}, "Winch and mast"}, {[]string{"Winch", "Winch and mast"}, "Winch"}} {
		members, all, taken := count(texts...), NewTerms(), map[string]bool{}
		all.Merge(others, members)
		for _, text := range c.taken {
			taken[text] = true
		}
		if got := Label(LabelInput{Members: members, All: all, Classes: 5, Medoid: texts[1], Taken: taken}); got.Text != c.want {
			t.Errorf("beside %v: %q, want %q; %+v", c.taken, got.Text, c.want, got.Terms)
		}
	}
}

// The second part of a label that is taken may be a word that stands like a noun but is nowhere clearly one.
func TestATakenLabelGetsALikelyNoun(t *testing.T) {
	texts := []string{"The crane broke.", "We painted a crane.", "The kite flies beside the crane.", "A kite rises near the crane.", "The kite stays above the crane."}
	for taken, want := range map[string]string{"": "Crane", "Crane": "Crane and kite"} {
		members, all := count(texts...), NewTerms()
		all.Merge(others, members)
		if got := Label(LabelInput{Members: members, All: all, Classes: 5, Medoid: texts[0], Taken: map[string]bool{taken: true}}); got.Text != want {
			t.Errorf("beside %q: %q, want %q", taken, got.Text, want)
		}
	}
}

// People take part in many matters: a noun of half of the members comes first, else the name gets a noun beside it. A name alone
// is a weak label, and so is a unit.
func TestLabelsOfPeople(t *testing.T) {
	named := func(more ...string) []string { return append([]string{"Eva laughed.", "We waited for Eva."}, more...) }
	for _, c := range []struct {
		name  string
		texts []string
		want  string
		weak  bool
	}{
		{"a noun of half of the members", named("Eva oiled the lathe.", "The lathe of Eva is old.", "Eva sold the lathe."), "Lathe and Eva", false},
		{"a noun of a third", named("Eva oiled the lathe.", "The lathe of Eva is old.", "Eva slept.", "Eva ran."), "Eva", true},
		{"two of five", named("Eva oiled the lathe.", "The lathe of Eva is old.", "Eva slept."), "Eva and lathe", false},
		{"nothing else", named("Eva slept.", "Nobody believes Eva."), "Eva", true},
		{"a unit", []string{"It took 4 crowns.", "They want 7 crowns.", "She lost 12 crowns.", "He has 3 crowns."}, "Crowns", true},
	} {
		members, all := count(c.texts...), NewTerms()
		all.Merge(others, members)
		got := Label(LabelInput{Members: members, All: all, Classes: 5, Medoid: c.texts[0], People: map[string]bool{"eva": true}})
		if got.Text != c.want || got.Weak != c.weak {
			t.Errorf("%s: %q, weak: %v; want %q, %v; %+v", c.name, got.Text, got.Weak, c.want, c.weak, got.Terms)
		}
	}
}

// A term of fewer than a third of the members does not name a cluster alone.
func TestAnUncertainLabelHasTwoParts(t *testing.T) {
	texts := []string{
		"The pump is at the quay.", "The pump came to the quay.", "A pump for the quay arrived.", "She left.", "He ran.", "They slept.", "It rained.", "Nobody knew.", "All laughed.", "We ate.",
	}
	members, all := count(texts...), NewTerms()
	all.Merge(others, members)
	if got := Label(LabelInput{Members: members, All: all, Classes: 5, Medoid: texts[0]}); got.Text != "Pump and quay" {
		t.Errorf("%q, want two parts; %+v", got.Text, got.Terms)
	}
}

// In a small cluster a word that many clusters have names nothing alone, and what few memories may share by chance is no part.
func TestGeneralWordsNameNoSmallCluster(t *testing.T) {
	const classes = 20
	spread := map[string]int{english.Lemma("joy"): 9, english.Lemma("moment"): 7, english.Lemma("crane"): 1}
	joy := []string{"It was a joy.", "What a joy it is.", "We felt the joy of it.", "Nobody slept."}
	for _, c := range []struct {
		name  string
		texts []string
		want  string
		weak  bool
	}{
		{"alone", joy, "Joy", true},
		{"two of them", append(joy[:2:2], "We felt the joy of the moment.", "It was a moment for us.", "She loved the moment."), "Joy and moment", true},
		{"beside another noun", append(joy[:2:2], "The crane is a joy.", "He sold the crane."), "Crane and joy", false},
		{"in a cluster that is not small", append(joy, "The joy is ours.", "He sang with joy.", "For the joy.", "They cried for joy.", "Her joy was odd.", "I ran."), "Joy", false},
	} {
		members, all := count(c.texts...), NewTerms()
		all.Merge(others, members)
		got := Label(LabelInput{Members: members, All: all, Classes: classes, Spread: spread, Medoid: c.texts[0]})
		if got.Text != c.want || got.Weak != c.weak {
			t.Errorf("%s: %q, weak: %v; want %q, %v; %+v", c.name, got.Text, got.Weak, c.want, c.weak, got.Terms)
		}
	}
	if got := Spread([]*Terms{count("The joy of Ana."), count("A joy. A joy ride."), count("The lathe.")}); got[english.Lemma("joy")] != 2 || got[english.Lemma("lathe")] != 1 {
		t.Errorf("spread %v", got)
	}
}

// A label says what a matter is and not only where, when, or who takes part.
func TestLabelsSayMore(t *testing.T) {
	said := []string{"We take it easy.", "You take it easy.", "They take it easy, all of them.", "I take it easy.", "Take it easy, friends."}
	for _, c := range []struct {
		name   string
		texts  []string
		people string
		taken  string
		spread map[string]int
		want   string
	}{
		{name: "a phrase of few members and of most with its word", want: "Rain gauge", texts: []string{
			"The rain gauge cracked.", "We read the rain gauge.", "They sold the rain gauge.", "The gauge is empty.", "She left.", "He ran.", "They slept.", "It froze.", "Nobody knew.", "All laughed.", "We ate.", "I sang.",
		}},
		{name: "half of them have another phrase", want: "Gauge", texts: []string{
			"The rain gauge cracked.", "We read the rain gauge.", "They sold the rain gauge.", "The gauge is empty.", "A gauge fell.", "I saw the gauge.", "They slept.", "It froze.", "Nobody knew.", "All laughed.", "We ate.", "I sang.",
		}},
		{name: "a place with what happens there", want: "Norby and bus", texts: []string{
			"The last bus leaves Norby at nine.", "Our last bus leaves Norby later.", "On Sundays the last bus leaves Norby at six.", "They slept in Norby.", "Everybody likes Norby.",
		}},
		{name: "a place alone", want: "Norby", texts: []string{
			"In Norby the workshop burned.", "We left Norby and the workshop.", "She sang in Norby.", "They slept in Norby.", "Everybody likes Norby.",
		}},
		{name: "what, and not who", people: "eva", want: "Petrel and rudder", texts: []string{
			"On Petrel the rudder cracked.", "In June the rudder bent, and Petrel drifted.", "They sold the rudder and kept Petrel.", "Tell Eva about Petrel.", "We met Eva on Petrel.", "For Eva it was Petrel.", "Nobody knew.", "All laughed.",
		}},
		{name: "who, if there is nothing else", people: "eva", want: "Petrel and Eva", texts: []string{
			"On Petrel it cracked.", "We saw Petrel.", "They sold Petrel.", "Tell Eva about Petrel.", "We met Eva on Petrel.", "For Eva it was Petrel.", "Nobody knew.", "All laughed.",
		}},
		{name: "a general name without who", people: "eva", spread: map[string]int{"petrel": 9}, want: "Petrel", texts: []string{
			"Tell Eva about Petrel.", "We met Eva on Petrel.", "They sold Petrel.", "It was Petrel.",
		}},
		{name: "no time of day", want: "Crane", texts: []string{
			"The crane fell in the night.", "We heard the crane in the night.", "The crane swings.", "I saw the crane.", "It froze in the night.", "They left.",
		}},
		{name: "a noun that is open in others", taken: "Lamp", want: "Lamp and edge", texts: []string{
			"The lamp has an edge.", "We sharpened the edge; the lamp broke.", "I cut myself on an edge and on the lamp.", "A lamp hangs there.", "They bought a lamp.",
		}},
		{name: "a saying", want: "Take it easy", texts: append(said[:5:5], "The lathe broke.", "We sold the lathe.", "I saw the lathe.")},
		{name: "a saying of another cluster", taken: "Take it easy", want: "Lathe", texts: append(said[:5:5], "The lathe broke.", "We sold the lathe.", "I saw the lathe.")},
		{name: "a saying of another cluster and nothing else", taken: "Take it easy", want: "Take it easy", texts: said},
	} {
		members, all := count(c.texts...), NewTerms()
		all.Merge(others, members, count("The edge of the map tore.", "On the edge of the town.", "An edge of ice.", "To the edge of it.", "We took the bus.", "The bus broke down."))
		got := Label(LabelInput{Members: members, All: all, Classes: 20, Spread: c.spread, Medoid: c.texts[0], People: map[string]bool{c.people: true}, Taken: map[string]bool{c.taken: true}})
		if got.Text != c.want {
			t.Errorf("%s: %q, want %q; %+v", c.name, got.Text, c.want, got.Terms)
		}
	}
}

// The probability of at least k successes, worked out by hand.
func TestTail(t *testing.T) {
	for _, c := range []struct {
		k, n    int
		p, want float64
	}{{0, 4, .3, 1}, {4, 4, .5, .0625}, {3, 4, 1. / 3, 1. / 9}, {1, 3, .5, .875}, {2, 4, 0, 0}, {2, 2, 1, 1}} {
		close(t, fmt.Sprintf("at least %d of %d at %.2f", c.k, c.n, c.p), tail(c.k, c.n, c.p), c.want, 1e-12)
	}
}

// A word of one or two memories is in no label and no term. In a cluster of fewer than six, two are enough.
func TestLabelRevealsNoSingleMemory(t *testing.T) {
	texts := []string{
		"The diagnosis of the clinic came.", "The diagnosis is in the folder.", "The boat is in the harbour.", "The boat left the harbour.", "A boat came into the harbour.", "The boat was in the harbour.",
	}
	for n, want := range map[int]bool{5: true, 6: false} {
		members := count(texts[:n]...)
		got := Label(LabelInput{Members: members, All: members, Classes: 1, Medoid: texts[0]})
		found := strings.Contains(strings.ToLower(got.Text), "diagnosis") || slices.ContainsFunc(got.Terms, func(x Term) bool { return x.Text == "diagnosis" })
		if found != want {
			t.Errorf("of %d: %+v", n, got)
		}
		if strings.Contains(fmt.Sprint(got), "clinic") {
			t.Errorf("of %d: a word of one memory: %+v", n, got)
		}
	}
}

// Counts of parts sum up to those of the whole, in any order.
func TestTermsAreAdditive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 6))
		by := newReportTeller()
		var texts []string
		for range 1 + r.IntN(40) {
			texts = append(texts, by.tell(r, r.IntN(3)))
		}
		whole := count(texts...)
		cut := r.IntN(len(texts) + 1)
		parts := []*Terms{count(texts[:cut]...), count(texts[cut:]...)}
		if rapid.Bool().Draw(t, "turned") {
			slices.Reverse(parts)
		}
		sum := NewTerms()
		sum.Merge(parts...)
		if !reflect.DeepEqual(sum, whole) {
			t.Fatal("the sum of the parts differs from the whole")
		}
		in := LabelInput{Members: whole, All: whole, Classes: 1, Medoid: texts[0]}
		if a, b := Label(in), Label(in); !reflect.DeepEqual(a, b) {
			t.Fatalf("%+v, then %+v", a, b)
		}
	})
}

// A label has words of its topic only, at most four, and begins with a capital.
func TestLabelsOfTopics(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 21))
	by := newReportTeller()
	each, all := make([]*Terms, by.topics()), NewTerms()
	for k := range each {
		each[k] = NewTerms()
		for range 20 {
			each[k].Add(by.tell(r, k))
		}
		all.Merge(each[k])
	}
	named := 0
	for k, members := range each {
		l := Label(LabelInput{Members: members, All: all, Classes: len(each)})
		if l.Text == "" || l.Text[0] < 'A' || l.Text[0] > 'Z' {
			t.Errorf("topic %d: %q", k, l.Text)
		}
		own := true
		for w := range strings.FieldsSeq(strings.ToLower(l.Text)) {
			own = own && (w == "and" || slices.Contains(by.words[k], w))
		}
		if own {
			named++
		} else {
			t.Logf("topic %d (%s): %q", k, by.words[k], l.Text)
		}
		if n := len(strings.Fields(l.Text)); n > maxWords+1 {
			t.Errorf("topic %d: %d words: %q", k, n, l.Text)
		}
	}
	if named < len(each)*9/10 {
		t.Errorf("%d of %d labels are words of the topic", named, len(each))
	}
}

func BenchmarkLabel1000(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 22))
	by := newReportTeller()
	var texts []string
	for range 1000 {
		texts = append(texts, by.tell(r, 0))
	}
	all := count(texts...)
	b.ReportAllocs()
	for b.Loop() {
		members := count(texts...)
		Label(LabelInput{Members: members, All: all, Classes: 1, Medoid: texts[0]})
	}
}

// What many clusters say is a habit of their owner.
func TestAHabitIsNoLabel(t *testing.T) {
	clusters := []*Terms{count("Sorry to hear about the tram.", "So sorry to hear it.", "Sorry to hear that the tram broke.", "Sorry to hear it, really.", "We took the tram.", "Sorry to hear that!", "Oh, sorry to hear this.")}
	for range leastGeneral {
		clusters = append(clusters, count("Sorry to hear it.", "So sorry to hear that!", "Sorry to hear this.", "We ate."))
	}
	all := NewTerms()
	all.Merge(clusters[0], others)
	in := LabelInput{Members: clusters[0], All: all, Classes: len(clusters)}
	if got := Label(in).Text; got != "Sorry to hear" {
		t.Errorf("one cluster: %q", got)
	}
	in.Spread = Spread(clusters)
	if got := Label(in).Text; got != "Tram" {
		t.Errorf("a habit: %q", got)
	}
}
