package reader

import (
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine/reader/syntax"
)

// Statements of hundreds of clauses or words are not compared. What is long and has few clauses is.
func TestLongStatementsAreNotCompared(t *testing.T) {
	clauses := strings.Repeat("my flight leaves at 3:40 on Monday and ", 100)
	words := "The report names " + strings.Repeat("lorem ipsum dolor sit ", 200)
	for _, c := range []struct {
		earlier, later string
		veto           Veto
	}{
		{clauses, strings.ReplaceAll(clauses, "Monday", "Friday"), TooLong},
		{words, words + "amet", TooLong},
		{"My flight leaves at 3:40 on Monday.", strings.ReplaceAll(clauses, "Monday", "Friday"), TooLong},
		{"My flight leaves at 3:40 on Monday.", "My flight leaves at 3:40 on Friday.", ""},
		{"My flight leaves at 3:40 on Monday.", "The airline wrote to me after the long weekend about the booking that I made for my mother and my two aunts, and my flight leaves at 3:40 on Friday.", ""},
	} {
		a, b := Prepare(Statement{Text: c.earlier}), Prepare(Statement{Text: c.later})
		if r := a.Relate(b); r.Veto != c.veto || (r.Veto == TooLong) != (a.Work(b) > MaxWork) {
			t.Errorf("%.40q, %.40q: %+v, work %d", c.earlier, c.later, r, a.Work(b))
		}
	}
}

// The clauses of a list without an end are cut, so that the time to look for their verbs grows with its length and not with the
// square of it. No word is lost.
func TestAListWithoutAnEndIsCut(t *testing.T) {
	for _, item := range []string{"a;", "a: ", "pear, ", "(a) ", "the old x - ", "my a and ", "I own a, b because "} {
		words := scan(strings.Repeat(item, 1000))
		n, cuts := 0, 0
		for _, part := range split(words, viewed(words)) {
			size := part[1] - part[0]
			if size > syntax.LongestClause+len(scan(item)) {
				t.Errorf("%q: a clause has %d words", item, size)
			}
			n, cuts = n+size, cuts+1
		}
		if n > len(words) || n < len(words)-cuts { // a conjunction between two clauses is in neither
			t.Errorf("%q: %d clauses have %d of %d words", item, cuts, n, len(words))
		}
	}
	list := scan("On the trip I took " + strings.Repeat("a pear, ", 100) + "and I left the dog at home")
	if parts := split(list, viewed(list)); len(parts) != 2 || list[parts[1][0]+1].low != "left" {
		t.Errorf("%d clauses of a list of a hundred things", len(parts))
	}
}
