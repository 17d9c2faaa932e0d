package question

import (
	"reflect"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/reader"
)

// A question asks about the slot of the statement that would answer it.
func TestAskedSlots(t *testing.T) {
	for question, want := range map[string][]Slot{
		"Where do I live?":                                          {{"ana", "lives in"}, {"ana", "lives at"}},
		"What is my dog called?":                                    {{"My dog", "is called"}},
		"On which port does the server listen?":                     {{"server", "listens on"}},
		"Who owns the harbour project?":                             {{"harbour project", "is owned by"}},
		"Thanks. Which editor do I use?":                            {{"ana", "uses"}},
		"Which database does the billing service use?":              {{"billing service", "uses"}},
		"Where do I live and work?":                                 {{"ana", "lives in"}, {"ana", "lives at"}, {"ana", "works in"}, {"ana", "works at"}},
		"What is my dog called, and where do I live?":               {{"My dog", "is called"}, {"ana", "lives in"}, {"ana", "lives at"}},
		"Where do I live and on which port does the server listen?": {{"ana", "lives in"}, {"ana", "lives at"}, {"server", "listens on"}},
		"Where is it that I live?":                                  {{"ana", "lives in"}, {"ana", "lives at"}},
		"What is it that my dog is called?":                         {{"My dog", "is called"}},
		"What's it that the billing service uses?":                  {{"billing service", "uses"}},
		"Who is it that owns the harbour project?":                  {{"harbour project", "is owned by"}},
		"Where was it that I lived?":                                nil,
		"Where did I live?":                                         nil,
		"How are you?":                                              nil,
		"I live in Oslo.":                                           nil,
		"what":                                                      nil,
		"":                                                          nil,
	} {
		if got := Asked(question, reader.Hints{Speaker: "ana", At: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)}); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}

// Asked accepts any text.
func FuzzAsked(f *testing.F) {
	for _, s := range []string{"Where do I live?", "Who's the owner of it?", "which ’s", "what do", "when is 's"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, question string) {
		if n := len(Asked(question, reader.Hints{})); n > maxAsked {
			t.Errorf("%d slots", n)
		}
	})
}
