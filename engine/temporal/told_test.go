package temporal

import (
	"testing"
	"time"
)

func TestToldOf(t *testing.T) {
	at := time.Date(2026, 6, 1, 10, 0, 0, 0, time.UTC) // a Monday
	for text, want := range map[string]struct {
		kind     ToldKind
		from, to string
	}{
		"I moved to Bergen in March":                {ToldIn, "2026-03-01", "2026-04-01"},
		"I moved to Bergen on 3 March":              {ToldIn, "2026-03-03", "2026-03-04"},
		"In October I joined Aker":                  {ToldIn, "2025-10-01", "2025-11-01"},
		"I joined Aker in 2019":                     {ToldIn, "2019-01-01", "2020-01-01"},
		"We changed banks last year":                {ToldIn, "2025-01-01", "2026-01-01"},
		"I have lived here since 2019":              {ToldSince, "2019-01-01", ""},
		"I worked there from 2019 to 2022":          {ToldRange, "2019-01-01", "2023-01-01"},
		"I lived there between 2010 and 2014":       {ToldRange, "2010-01-01", "2015-01-01"},
		"I have lived here for three years":         {ToldFor, "2023-06-01", ""},
		"We moved the launch to 10 March in May":    {ToldIn, "2026-05-01", "2026-06-01"},
		"We moved the launch to 10 March":           {},
		"I paid the bill for May":                   {},
		"I read the May 2019 report":                {},
		"I joined in 2019 and left in 2021":         {},
		"We stayed until March":                     {},
		"I trained for three years of pain":         {},
		"It was planned in 2027":                    {},
		"I have worked three days a week":           {},
		"I have trained for two hours":              {},
		"I have paid for three years at a time":     {},
		"I bought the house that was built in 1998": {},
		"I joined the flat we bought in 2019":       {},
		"I started at Bosch on Friday":              {ToldIn, "2026-05-29", "2026-05-30"},
		"We were told about the 2019 model by Tom":  {},
	} {
		got, ok := ToldOf(text, at, len("I moved"))
		if ok != (want.from != "") {
			t.Errorf("%s: %v %+v", text, ok, got)
			continue
		}
		if !ok {
			continue
		}
		to := ""
		if !got.To.IsZero() {
			to = got.To.Format(time.DateOnly)
		}
		if got.Kind != want.kind || got.From.Format(time.DateOnly) != want.from || to != want.to {
			t.Errorf("%s: %+v", text, got)
		}
	}
}
