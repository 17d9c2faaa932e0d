package distil

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestDated(t *testing.T) {
	for text, want := range map[string]string{
		"Ana left.":                                      "Ana left.",
		"Ana left yesterday.":                            "Ana left on 2 March 2026.",
		"Yesterday Ana left.":                            "On 2 March 2026 Ana left.",
		"Today is my birthday.":                          "3 March 2026 is my birthday.",
		"The launch is tomorrow.":                        "The launch is on 4 March 2026.",
		"Bram broke the lamp last night.":                "Bram broke the lamp on the night of 2 March 2026.",
		"She ran this morning.":                          "She ran on the morning of 3 March 2026.",
		"Yesterday's meeting was short.":                 "2 March 2026's meeting was short.",
		"We met last Friday.":                            "We met on 27 February 2026.",
		"We met on Friday.":                              "We met on 27 February 2026.",
		"We will meet on Friday.":                        "We will meet on 6 March 2026.",
		"We met last week.":                              "We met in the week of 23 February 2026.",
		"She moved last month.":                          "She moved in February 2026.",
		"He retired last year.":                          "He retired in 2025.",
		"He bought it three days ago.":                   "He bought it on 28 February 2026.",
		"He bought it two weeks ago.":                    "He bought it around 17 February 2026.",
		"He bought it two years ago.":                    "He bought it in 2024.",
		"We sailed last weekend.":                        "We sailed between 28 February 2026 and 1 March 2026.",
		"It rained for the past three days.":             "", // no date fits after "for"
		"It was closed since yesterday.":                 "It was closed since 2 March 2026.",
		"I will wait until tomorrow.":                    "I will wait until 4 March 2026.",
		"We talked about last week.":                     "We talked about the week of 23 February 2026.",
		"Sales fell compared to last year.":              "", // "to 2025" may be no date
		"It was colder than yesterday.":                  "It was colder than 2 March 2026.",
		"We flew in March.":                              "We flew in March 2026.",
		"The bridge opened on 14 June 2025.":             "The bridge opened on 14 June 2025.",
		"We go to Italy in summer.":                      "We go to Italy in summer.",
		"The shop is open from Monday to Friday.":        "The shop is open from Monday to Friday.",
		"The choir rehearses every Thursday.":            "The choir rehearses every Thursday.",
		"On Monday mornings the pool is empty.":          "On Monday mornings the pool is empty.",
		"We sailed two weekends ago.":                    "", // not read
		"The summer before last we sailed.":              "",
		"Mara forgot about the fair on the 5th.":         "", // of which month
		"We meet on Mondays.":                            "We meet on Mondays.",
		"The import takes three hours.":                  "The import takes three hours.",
		"We built it in three weeks.":                    "We built it in three weeks.",
		"I now live in Graz.":                            "I now live in Graz.",
		"The meeting is on Friday, we decided.":          "", // the next one
		"We decided to sail on Friday.":                  "",
		"We decided to sail on 5 May.":                   "We decided to sail on 5 May.",
		"We decided to sail next Friday.":                "We decided to sail on 6 March 2026.",
		"The launch is on Friday.":                       "", // once, or every week
		"See you Friday.":                                "",
		"We fly in three weeks.":                         "", // a duration, or a day in the future
		"The office closed on 1 March, opened yesterday": "The office closed on 1 March 2026, opened on 2 March 2026",
	} {
		got, ok := withDates(text, said)
		if want == "" && ok || want != "" && (got != want || !ok) {
			t.Errorf("%q: %q, %v, want %q", text, got, ok, want)
		}
	}
}

func TestWithoutAnInstant(t *testing.T) {
	for text, want := range map[string]bool{
		"Ana left yesterday.": false, "We met on Friday.": false, "Ana left on 2 March 2026.": true, "Ana left.": true, "Today is fine.": false,
	} {
		if got, ok := withDates(text, time.Time{}); ok != want || got != text {
			t.Errorf("%q: %q, %v", text, got, ok)
		}
	}
}

// A sentence with dates is read the same at any other instant.
func TestDatedIsAbsolute(t *testing.T) {
	phrases := []string{"yesterday", "last night", "two weeks ago", "on Friday", "last month", "in March", "three days ago", "last summer", "tomorrow", "next week", "this morning", "a year ago",
		"since Monday", "until next Friday", "on 5 May", "last weekend", "the day before yesterday", "early last month", "in the past two months", "an hour ago", "tonight", "by tomorrow"}
	rapid.Check(t, func(t *rapid.T) {
		text := "Ana " + rapid.SampledFrom([]string{"left", "will leave", "visited Graz", "is going to sail"}).Draw(t, "verb") + " " + rapid.SampledFrom(phrases).Draw(t, "first") +
			rapid.SampledFrom([]string{"", " and came back "}).Draw(t, "link") + rapid.SampledFrom(append(phrases, "")).Draw(t, "second") + "."
		at := said.Add(time.Duration(rapid.IntRange(-20000, 20000).Draw(t, "hours")) * time.Hour)
		out, ok := withDates(text, at)
		if !ok {
			return
		}
		again, ok := withDates(out, at.AddDate(3, 5, 11))
		if !ok || again != out {
			t.Fatalf("%q became %q, and later %q", text, out, again)
		}
	})
}
