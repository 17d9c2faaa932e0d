package reader

import (
	"strings"
	"testing"
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
