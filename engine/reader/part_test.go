package reader

import (
	"testing"

	"github.com/somnograph/somnograph/engine/reader/worlds"
)

// The later statement of each pair ends less than the earlier one states, or something else.
func TestEndOfAPartRevisesNothing(t *testing.T) {
	for _, c := range [][2]string{
		{"I work at the Kestrel depot.", "I left the Kestrel depot at five to catch the train."},
		{"I'm a member of the chess club.", "I left the chess club around midnight."},
		{"I'm in the debate team.", "I left the debate team at half past eight."},
		{"I take the bus to work.", "I stopped taking the bus to the airport."},
		{"I drink milk.", "I stopped drinking milk in the evening."},
		{"I eat cheese.", "I don't eat cheese on Sundays any more."},
		{"We use Kafka for billing.", "We stopped using Kafka for search."},
		{"I buy bread at Hinz.", "I no longer buy bread at Kunz."},
		{"I walk the dog with Ellen.", "I no longer walk the dog with Fred."},
		{"The lab stores samples in freezer 3.", "The lab no longer stores samples in freezer 5."},
		{"I have a subscription to Wired.", "I cancelled my subscription to Time."},
		{"I have a savings account at Umbro Bank.", "I closed my savings account at Delta Bank."},
		{"I have three dogs.", "One of my dogs died."},
		{"I own four goats.", "I sold two of my goats."},
		{"I read the Courier every day.", "I finished the Courier in the canteen."},
	} {
		if r := Relate(Statement{Text: c[0], Speaker: "u"}, Statement{Text: c[1], Speaker: "u"}); r.Certainty >= contestedWords {
			t.Errorf("%q, %q: %s %.2f", c[0], c[1], r.Kind, r.Certainty)
		}
	}
}

// contestedWords is the certainty from which ingest labels two statements as CONTESTED.
const contestedWords = 0.55

// When, why and to whom something ended does not limit what ended.
func TestCircumstancesOfAnEndLimitNothing(t *testing.T) {
	for _, c := range [][2]string{
		{"I work at the tannery.", "I left the tannery in March."},
		{"I take statins.", "I stopped taking statins because of muscle pain."},
		{"I drink wine.", "I stopped drinking wine for health reasons."},
		{"We use Jenkins.", "We no longer use Jenkins since the move to the cloud."},
		{"I live on a houseboat.", "I sold the houseboat to a couple from Leiden."},
		{"I'm a member of the film club.", "I left the film club after the summer."},
		{"I play the harp in the youth orchestra.", "I no longer play in the youth orchestra."},
		{"I own a caravan.", "I sold the caravan on Friday."},
		{"I have a contract with Telia.", "I cancelled the contract with Telia on the phone."},
		{"We run the tests on Windows.", "We no longer run the tests on Windows."},
	} {
		if r := Relate(Statement{Text: c[0], Speaker: "u"}, Statement{Text: c[1], Speaker: "u"}); r.Certainty < Revises {
			t.Errorf("%q, %q: %s %.2f", c[0], c[1], r.Kind, r.Certainty)
		}
	}
}

// A phrase may have no words: "because of an injury", "take notes in".
func TestPhraseWithoutWords(t *testing.T) {
	for _, c := range [][2]string{
		{"User is training for a marathon.", "User gave up on the marathon because of an injury."},
		{"I take notes in Notion.", "Notion? I no longer take notes in."},
		{"Household: me, Peter and the twins.", "The twins went off to scout camp with their hamster's cage on the back seat."},
	} {
		if r := Relate(Statement{Text: c[0]}, Statement{Text: c[1]}); r.Veto == Failed {
			t.Errorf("%q, %q: %+v", c[0], c[1], r)
		}
	}
}

// Any two of the written statements can be compared.
func TestWrittenStatementsAreRelated(t *testing.T) {
	all := worlds.WrittenPairs()
	for i, w := range all {
		for _, other := range []string{w.Later, all[(7*i+3)%len(all)].Later} {
			r := Relate(Statement{Text: w.Earlier, Speaker: "ana"}, Statement{Text: other, Speaker: "ana"})
			if r.Certainty < 0 || r.Certainty > 1 || r.Veto == Failed {
				t.Errorf("%q, %q: %+v", w.Earlier, other, r)
			}
		}
	}
}

// A fault of the rules is no relation, and no fault of the server.
func TestFailedComparison(t *testing.T) {
	sound := Prepare(Statement{Text: "I live in Oslo."})
	faulty := Prepare(Statement{Text: "I live in Bergen."})
	faulty.clauses[0].verb = len(faulty.clauses[0].words)
	faulty.clauses[0].setting = false
	for _, r := range []Relation{sound.Relate(faulty), faulty.Relate(sound)} {
		if r.Veto != Failed || r.Certainty != 0 || r.Kind != Compatible {
			t.Errorf("%+v", r)
		}
	}
}

// A clitic may stand apart from its word.
func TestCliticApart(t *testing.T) {
	for _, text := range []string{"'s", "$ 's", "Anna 's cat is grey.", "I 'll go.", "n't 've", "'d 's 'm"} {
		for _, w := range scan(text) {
			if w.low == "" || w.text == "" {
				t.Errorf("%q: %+v", text, w)
			}
		}
	}
	if r := Relate(Statement{Text: "Anna's cat is grey."}, Statement{Text: "Anna 's cat is grey."}); r.Certainty >= Rivals {
		t.Errorf("%+v", r)
	}
}
