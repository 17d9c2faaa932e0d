package reader

import (
	"testing"
	"time"
)

// A claim holds from the time of which its clause tells, and to its end, never later than it was said.
func TestClaimsHoldWhenTheTextTells(t *testing.T) {
	at := time.Date(2026, 6, 1, 10, 0, 0, 0, time.UTC) // a Monday
	for text, want := range map[string]string{
		"I moved to Bergen in March.":                       "ana lives in Bergen 2026-03-01 -",
		"My sister moved to Ghent in October.":              "My sister lives in Ghent 2025-10-01 -",
		"We migrated to Postgres in 2024.":                  "ana migrated to Postgres 2024-01-01 -",
		"The office has been in Antwerp since 2021.":        "office is in Antwerp 2021-01-01 -",
		"I have been living in Bergen for three years.":     "ana lives in Bergen 2023-06-01 -",
		"My sister has been married to Tom since May 2016.": "My sister is married to Tom 2016-05-01 -",
		"I ran a marathon in March.":                        "ana ran marathon 2026-03-01 -",
		"In 2018 we used Jira.":                             "ana used Jira 2018-01-01 2019-01-01",
		"I lived in Kiel from 2010 to 2014.":                "ana lived in Kiel 2010-01-01 2015-01-01",
		"I worked at Aker from 2024 to 2026.":               "ana worked at Aker 2024-01-01 2026-06-01",
		"The launch moved to 10 March.":                     "launch is planned for 10 March - -",
		"I joined the firm that was founded in 1998.":       "ana joined firm that was founded - -",
		"I paid the bill for May.":                          "ana paid bill - -",
		"I have worked for two hours.":                      "ana has worked for two hours - -",
		"We met the manager of 2019 on Friday.":             "ana met manager of 2019 2026-05-29 -",
	} {
		claims := Read(text, Hints{Speaker: "ana", At: at})
		if len(claims) == 0 {
			t.Errorf("%s: no claim", text)
			continue
		}
		c := claims[0]
		got := c.Subject + " " + c.Predicate + " " + c.Object
		for _, instant := range []time.Time{c.ValidFrom, c.ValidTo} {
			switch {
			case instant.IsZero():
				got += " -"
			case instant.Equal(at):
				got += " 2026-06-01"
			default:
				got += " " + instant.Format(time.DateOnly)
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
