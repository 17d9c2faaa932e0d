package temporal

import (
	"testing"
	"time"
)

func TestPastOf(t *testing.T) {
	at := time.Date(2026, 12, 7, 12, 0, 0, 0, time.UTC)
	day := func(month, n int) time.Time { return time.Date(2026, time.Month(month), n, 0, 0, 0, 0, time.UTC) }
	for question, want := range map[string]Past{
		"Where did I work on 1 December?":              {From: day(12, 1), To: day(12, 2), Subject: "Where did I work ?"},
		"Who led the crew in November?":                {From: day(11, 1), To: day(12, 1), Subject: "Who led the crew ?"},
		"Which port was open before December?":         {To: day(12, 1), Subject: "Which port was open ?"},
		"Who was our plumber this month?":              {From: day(12, 1), To: at, Subject: "Who was our plumber ?"},
		"Where did I work before?":                     {Subject: "Where did I work before?"},
		"What was my favourite tea before lapsang?":    {Subject: "What was my favourite tea before lapsang?", Than: "lapsang"},
		"Where have I lived before?":                   {Subject: "Where have I lived before?"},
		"On which day did we use to deploy?":           {Subject: "On which day did we use to deploy?"},
		"Who used to be our landlord?":                 {Subject: "Who used to be our landlord?"},
		"Who is my former manager?":                    {Subject: "Who is my former manager?", Beside: true},
		"What did we decide earlier about the logo?":   {Subject: "What did we decide earlier about the logo?", Beside: true},
		"What was the deadline originally?":            {Subject: "What was the deadline originally?", First: true},
		"Which address did we previously have for Ana": {Subject: "Which address did we previously have for Ana"},
	} {
		if got, ok := PastOf(question, at); !ok || got != want {
			t.Errorf("%q: %+v, %v", question, got, ok)
		}
	}
	for _, question := range []string{
		"", "Where do I work?", "Where did I work?", "What happened in November?", "Where will I work on 1 January?", "When is the meeting on Friday?",
		"What is due in March?", "What should I pack before the trip?", "Which tool do we use to deploy?", "What is the hammer used to do?",
		"Who is used to the night shift?", "How old is Juno?", "How old was Juno?", "Who has the key since November?", "Where did I work since March?", "What did we plan for tomorrow?",
	} {
		if got, ok := PastOf(question, at); ok {
			t.Errorf("%q: %+v", question, got)
		}
	}
}
