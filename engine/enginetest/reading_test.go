package enginetest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/claimkey"
	"github.com/somnograph/somnograph/engine/reader/question"
	"github.com/somnograph/somnograph/engine/temporal"
	"pgregory.net/rapid"
)

// oddWords are words and signs whose forms, places and neighbours the readers decide by.
var oddWords = strings.Fields(`I we you he she it they my our your his their Ana Bas Kim Dr. Mr. Oslo Ghent am is are was were be been being isn't wasn't 's 'll 'd 've n't
	have has had do does did don't didn't will would can can't could may might must should not no never nothing none neither nor and or but so because if when while until since
	than that which who what where why how the a an this those in on at to from of for with without by as about into over under before after live lives lived living move moved
	moved-in work works worked manager boss wife Mazda tea coffee colour code door phone key version server port 5071 3 12.5 1,200 50% €40 $3 2.7.3 v2 9:30 14:00 noon Monday
	mondays March May may 2026 2026-03-02 03/04 12th 12 yesterday today tomorrow week weeks month year years ago next last first second one two twelve dozen always every each
	once again still already now no longer anymore instead actually correction: PS: TODO: favourite prefer likes hates allergic peanuts married divorced sold bought quit left
	ended closed open opens closes cancelled renamed called named became become , ; . ! ? : - – — ( ) " “ ” ' … / \ @ # _ * 42 İstanbul straße 東京 привет مرحبا 🎉 é x y z A B`)

// oddTexts draws two texts. The second one often has the words of the first one in another order, with some replaced.
func oddTexts(t *rapid.T) (string, string) {
	word := rapid.SampledFrom(oddWords)
	a := rapid.SliceOfN(word, 0, 14).Draw(t, "words")
	b := rapid.SliceOfN(word, 0, 14).Draw(t, "others")
	if rapid.Bool().Draw(t, "shuffled") {
		b = rapid.Permutation(a).Draw(t, "order")
		for i := range b {
			if rapid.IntRange(0, 3).Draw(t, "replaced") == 0 {
				b[i] = word.Draw(t, "word")
			}
		}
	}
	between := rapid.SampledFrom([]string{" ", " ", " ", "", "\n"}).Draw(t, "between")
	return strings.Join(a, between), strings.Join(b, between)
}

// No text ends a reading. A panic in a transaction refuses the write, and elsewhere it would end a request.
func TestAnyTextIsRead(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	hints := reader.Hints{Speaker: "ana", At: at}
	for range 20 { // a check has 100 pairs, and a fault may be in one of 2,000
		rapid.Check(t, func(t *rapid.T) { readAll(t, hints, at) })
	}
}

// readAll reads two texts by all readers.
func readAll(t *rapid.T, hints reader.Hints, at time.Time) {
	a, b := oddTexts(t)
	extract.Anonymise(a, []string{b})
	extract.SameFacts(a, b)
	extract.SameOrder(a, b)
	extract.Tasks(a)
	extract.Waits(a, b)
	extract.Text(a, extract.Hints{})
	reader.RuleIn(a)
	question.Asked(a, hints)
	reader.Predicate(a)
	reader.UndeclaredPredicate(a)
	reader.OtherValue(a, b)
	for _, c := range reader.Read(a, hints) {
		claimkey.Slot(c.Subject, c.Predicate)
	}
	attribute.Question(a)
	attribute.AsksForSeveral(a)
	temporal.Read(a, at)
	temporal.ReadAhead(a, at)
	temporal.Until(a, at)
	temporal.Believed(a, at)
	temporal.Deadline(a, at)
	temporal.TenseOf(a)
	x, y := conflict.Analyse(conflict.Statement{Text: a, At: at}), conflict.Analyse(conflict.Statement{Text: b, At: at.AddDate(0, 1, 0)})
	conflict.Compare(x, y)
	conflict.Agree(x, y)
	conflict.Differ(x, y)
	earlier, later := reader.Prepare(reader.Statement{Text: a, Speaker: "ana", At: at}), reader.Prepare(reader.Statement{Text: b, Speaker: "ana", At: at.AddDate(0, 1, 0)})
	if r := earlier.Relate(later); r.Veto == reader.Failed { // it recovers from a panic
		t.Errorf("%q and %q could not be compared", a, b)
	}
	reader.OneForm(earlier, later)
	reader.WordingOf(earlier, later)
}
