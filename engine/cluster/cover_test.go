package cluster

import (
	"reflect"
	"slices"
	"testing"

	"github.com/somnograph/somnograph/internal/english"
)

// indexed counts texts with an index, and a tag of each.
func indexed(texts, tags []string) *Terms {
	t := NewIndexed()
	for i, x := range texts {
		t.Add(x)
		if i < len(tags) {
			t.AddTags([]string{tags[i]})
		}
	}
	return t
}

// The second part of a label that is shown says what the first does not, and is not who takes part. What is decided by a label
// is as without an index.
func TestAShownLabelSaysWhatItsMembersHave(t *testing.T) {
	for _, c := range []struct {
		name, plain, want string
		texts, tags       []string
		people, taken     string
	}{
		{name: "a second part of few, which have the first too", plain: "Kiln and glaze", want: "Kiln", texts: []string{
			"The kiln cracked, and with it the glaze.", "We heat the kiln for the glaze.", "The glaze sticks to the kiln.", "The kiln is cold.", "Somebody sold the kiln.", "I saw the kiln.", "They slept.", "Nobody knew.",
		}},
		{name: "that part, where another cluster has the first", plain: "Kiln and glaze", taken: "Kiln", want: "Kiln and glaze", texts: []string{
			"The kiln cracked, and with it the glaze.", "We heat the kiln for the glaze.", "The glaze sticks to the kiln.", "The kiln is cold.", "Somebody sold the kiln.", "I saw the kiln.", "They slept.", "Nobody knew.",
		}},
		{name: "two parts of half", plain: "Kiln and glaze", want: "Kiln and glaze", texts: []string{
			"The kiln cracked, and with it the glaze.", "We heat the kiln for the glaze.", "The glaze sticks to the kiln.", "The kiln is cold.", "Somebody sold the kiln.", "I saw the glaze.", "The glaze is green.",
		}},
		{name: "who", plain: "Eva and kiln", people: "eva", want: "Kiln", texts: []string{
			"Tell Eva about the kiln.", "The kiln of Eva cracked.", "Near the kiln stood Eva.", "Everybody likes the kiln.", "They met Eva.", "We left with Eva.", "Nobody knew.", "They slept.",
		}},
		{name: "who, if they are in most members", plain: "Eva and kiln", people: "eva", want: "Eva and kiln", texts: []string{
			"Tell Eva about the kiln.", "The kiln of Eva cracked.", "Near the kiln stood Eva.", "Everybody likes the kiln.", "They met Eva.", "We left with Eva.", "Eva knew.", "Eva slept.",
		}},
		{name: "what the others have", plain: "Kiln and glaze", want: "Kiln and vase", texts: []string{
			"The kiln cracked, and with it the glaze.", "We heat the kiln for the glaze.", "The glaze sticks to the kiln.", "The kiln is cold.", "We broke a vase.", "The vase is blue.", "She bought a vase.", "They slept.", "Nobody knew.",
		}},
		{name: "a tag that fits better", plain: "Shed and kiln", want: "Pottery", tags: []string{"pottery", "pottery", "pottery", "pottery", "pottery"}, texts: []string{
			"In the shed is a kiln.", "She left the shed because of the kiln.", "Heat the kiln.", "They met at the shed.", "We glazed nothing.", "I saw the kiln.", "The shed burned.", "Nobody knew.",
		}},
		{name: "a phrase of most members", plain: "Glass kiln and fan", want: "Glass kiln", texts: []string{
			"The glass kiln has a fan.", "We fixed the fan, and then the glass kiln.", "Without a fan the glass kiln is loud.", "A glass kiln is hot.", "They sold the glass kiln.",
		}},
	} {
		all, plain := NewTerms(), count(c.texts...)
		members := indexed(c.texts, c.tags)
		for i := range c.tags {
			plain.AddTags(c.tags[i : i+1])
		}
		all.Merge(others, members, count("In the workshop they sang.", "The kiln of Ana is hot.", "Nobody has a kiln."))
		in := LabelInput{All: all, Classes: 5, Medoid: c.texts[0], People: map[string]bool{c.people: true}, Taken: map[string]bool{c.taken: true}}
		in.Members = plain
		decided := Label(in)
		in.Members = members
		got := Label(in)
		if decided.Text != c.plain || got.Text != c.want {
			t.Errorf("%s: %q, shown %q; want %q, %q; %+v", c.name, decided.Text, got.Text, c.plain, c.want, got.Terms)
		}
		if decided.Text, got.Text = "", ""; !reflect.DeepEqual(decided, got) {
			t.Errorf("%s: %+v, shown %+v", c.name, decided, got)
		}
	}
}

// Where all clusters begin with praise, it is no label of one that has a noun.
func TestPraiseThatAllClustersHaveIsNoLabel(t *testing.T) {
	texts := []string{
		"Wow, the kiln is hot!", "Great! They sold the kiln.", "Nice, a kiln.", "Wow, she left.", "Great, he ran.", "Nice! It froze.", "Wow, they sang.", "They met.",
	}
	members := indexed(texts, nil)
	label := func(more ...string) string {
		all := NewTerms()
		all.Merge(members, others, count(more...))
		return Label(LabelInput{Members: members, All: all, Classes: 4, Medoid: texts[0]}).Text
	}
	if got := label(); got != "Praise" {
		t.Errorf("others do not praise: %q", got)
	}
	var habit []string
	for range 4 {
		habit = append(habit, "Wow, what a storm!", "Great, you won.", "Nice! I saw it.", "Great! Tell them.", "Wow, no rain.", "Nice, that worked.")
	}
	if got := label(habit...); got != "Kiln" {
		t.Errorf("others praise: %q", got)
	}
}

// The name of a user is one if the texts write it so.
func TestNamesOfUsers(t *testing.T) {
	terms := count("We asked Nadia.", "They drove with Nadia to work.", "The work is done.")
	for word, want := range map[string]bool{"nadia": true, "work": false, "nobody": false} {
		if got := terms.Names(english.Lemma(word)); got != want {
			t.Errorf("%q: %v", word, got)
		}
	}
}

// A tag that the same memories have as a name is another word for the same thing; one of some of them says what happens there.
func TestATagForTheSameThingIsNoSecondPart(t *testing.T) {
	texts := []string{"Norby is far.", "They slept in Norby.", "We left Norby.", "She sang in Norby.", "Everybody likes Norby."}
	for _, c := range []struct {
		name, plain, want string
		tags              []string
	}{
		{"all of them", "Norby and island", "Norby", []string{"island", "island", "island", "island", "island"}},
		{"three of five", "Norby and holiday", "Norby and holiday", []string{"holiday", "", "holiday", "", "holiday"}},
	} {
		for want, members := range map[string]*Terms{c.plain: count(texts...), c.want: indexed(texts, c.tags)} {
			if members.having == nil {
				for i := range c.tags {
					members.AddTags(c.tags[i : i+1])
				}
			}
			all := NewTerms()
			all.Merge(others, members)
			if got := Label(LabelInput{Members: members, All: all, Classes: 5, Medoid: texts[0]}).Text; got != want {
				t.Errorf("%s: %q, want %q", c.name, got, want)
			}
		}
	}
}

// A label of one part says what kind of thing, or less than half of the members have it: then it gets what else they have.
func TestASinglePartGetsWhatCompletesIt(t *testing.T) {
	incidents := []string{"The loom of Petrel broke, and with it the belt.", "The belt fell from the loom of Petrel.", "Petrel has a new belt on the loom.", "Nobody was hurt.", "They stopped at noon."}
	strays := count("Petrel came in May.", "Heron sank.", "They repaired Heron.", "Heron has a mast.", "We met Heron.", "We painted the fence.", "They bought a fence.", "Rain fell on the fence.", "The cook slept.", "She bought plums.", "A plum fell.", "He sang of Heron.", "They danced on Heron.", "Snow fell on Heron.", "The mate of Heron was late.", "Nobody came.")
	for _, c := range []struct {
		why, want   string
		texts, tags []string
	}{
		{"a tag of most, and a name beside it", "Petrel and incident", incidents, []string{"incident", "incident", "incident", "incident"}},
		{"a noun of half, and another one of the rest", "Kiln and Heron", []string{"The kiln cracked.", "We heat the kiln for Heron.", "The kiln is cold.", "Heron is red.", "They like Heron.", "She sold Heron."}, nil},
		{"… that none of them has", "Kiln", []string{"The kiln cracked.", "We heat the kiln.", "The kiln is cold.", "Heron is red.", "They like Heron.", "She sold Heron."}, nil},
		{"a noun of half, and another one of these", "Kiln", []string{"The kiln cracked in the vase.", "We heat the kiln for the vase.", "The kiln is cold.", "We put the vase into the kiln.", "They left early.", "Nobody knew.", "We slept.", "It rained."}, nil},
		{"a part that only looks like a verb", "Dad and hearing aids", []string{"Dad's hearing aids whistle when he phones.", "The nurse turned down the left hearing aid.", "Dad left his hearing aids in the pocket of the trousers.", "Without them Dad hears nothing.", "Replacement hearing aids are free, but it takes a month.", "The nurse will visit Dad at home."}, nil},
		{"two words with one lemma", "Recommendation", []string{"Take care, and thanks for the recommendation!", "Take care!", "That recommendation was right.", "Do take care of the recommendation.", "A recommendation is enough.", "They sold the car."}, nil},
	} {
		all, members := NewTerms(), indexed(c.texts, c.tags)
		all.Merge(others, strays, members)
		if got := Label(LabelInput{Members: members, All: all, Classes: 5, Medoid: c.texts[0]}); got.Text != c.want {
			t.Errorf("%s: %q, want %q; %+v", c.why, got.Text, c.want, got.Terms)
		}
	}
}

// A phrase stands for the word that it says more of: those who say only that are about the same.
func TestAPhraseStandsForItsWord(t *testing.T) {
	texts := []string{"The ferry pilot begins in May.", "The ferry pilot runs again on the Osprey.", "The pilot would start on the Osprey.", "The Tern joins the pilot.", "The mast of the Osprey stands on a plate."}
	members, all := indexed(texts, []string{"schedule", "schedule", "", "schedule"}), NewTerms()
	all.Merge(others, members, count("The Tern sank.", "The mate wrote.", "Six ships came.", "A ferry sank."))
	if got := Label(LabelInput{Members: members, All: all, Classes: 5, Medoid: texts[1]}); got.Text != "Ferry pilot" || got.Matter != 4 || got.Share != 0.8 {
		t.Errorf("%+v", got)
	}
}

// Where nothing names the members, a person whom they call names them neither.
func TestNobodyNamesWhatHasNoName(t *testing.T) {
	members, all := indexed([]string{"Nadia! They slept.", "Nadia! Nobody knew.", "Nadia! It rained.", "Nadia! We left early.", "They sang."}, nil), NewTerms()
	all.Merge(others, members)
	if got := Label(LabelInput{Members: members, All: all, Classes: 5, Medoid: "Nadia! They slept.", People: map[string]bool{english.Lemma("nadia"): true}}); got.Text != "" {
		t.Errorf("%+v", got)
	}
}

// The name of a person whom half of the members mention comes before what few of them have.
func TestWhoBeforeWhatFewHave(t *testing.T) {
	who := []string{"We asked Nadia Vance.", "They drove with Nadia Vance.", "The kiln of Nadia Vance is cold.", "She called Nadia Vance."}
	few := append(slices.Clone(who), "Near the kiln they slept.", "Without a kiln they left.", "Nobody knew.")
	third := append(slices.Clone(who), "Near the kiln they slept.", "Without a kiln they left.", "I saw the kiln.")
	third[2] = "Nadia Vance is cold."
	everywhere := []string{"Nadia Vance left.", "We met Nadia Vance.", "Nobody likes Nadia Vance.", "Nadia Vance sang.", "I saw Nadia Vance.", "Tell Nadia Vance.", "Call Nadia Vance.", "They like Nadia Vance.", "Give it to Nadia Vance."}
	for _, c := range []struct {
		why, want     string
		texts, others []string
	}{
		{"few have the noun without the person", "Nadia Vance", few, nil},
		{"a third has", "Nadia Vance and kiln", third, nil},
		{"a person whom others mention as often", "Kiln", few, everywhere},
	} {
		members, all := indexed(c.texts, nil), NewTerms()
		all.Merge(others, members, count(c.others...))
		got := Label(LabelInput{Members: members, All: all, Classes: 5, Medoid: who[0], People: map[string]bool{english.Lemma("nadia"): true, english.Lemma("vance"): true}})
		if got.Text != c.want {
			t.Errorf("%s: %q, want %q; %+v", c.why, got.Text, c.want, got.Terms)
		}
	}
}
