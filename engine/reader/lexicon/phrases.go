package lexicon

import "strings"

// Phrases of time.
var (
	// Firmly are phrases of what will be for sure.
	Firmly = phrases("will, going to, gonna, 'll, next year, next month, by friday")
	// OnADay are phrases of the present day, week or month.
	OnADay = phrases("today, tonight, this afternoon, this evening, this week, this weekend, this month, this monday, this tuesday, this wednesday, this thursday, this friday, this saturday, this sunday")
	// OnOneDay are phrases of a day that is to come.
	OnOneDay = phrases("tomorrow, this week, this weekend, this month, this monday, this tuesday, this wednesday, this thursday, this friday, this saturday, this sunday")
)

func phrases(list string) map[string]bool {
	set := map[string]bool{}
	for p := range strings.SplitSeq(list, ", ") {
		set[p] = true
	}
	return set
}
