package recall

import (
	"testing"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

func TestAskedSpeaker(t *testing.T) {
	by := func(agents ...string) []index.Candidate {
		var out []index.Candidate
		for _, a := range agents {
			out = append(out, index.Candidate{Doc: index.DocOf(&graph.Memory{Agent: a})})
		}
		return out
	}
	for question, want := range map[string]asked{
		"What did Ada buy?":                     {agent: "Ada Byron"},
		"Where are Ada's keys?":                 {agent: "Ada Byron"},
		"ada's keys":                            {agent: "Ada Byron"}, // the first word needs no capital
		"Did Ada tell Will?":                    {},                   // names two agents
		"Will it rain?":                         {},
		"Has Will answered?":                    {agent: "Will"},
		"is it a will or a testament?":          {},
		"What is the name of my dentist?":       {kind: graph.FromUser},
		"How did I get there?":                  {kind: graph.FromUser},
		"What did you recommend against rust?":  {kind: graph.FromAssistant},
		"Which oil is it that you suggested?":   {kind: graph.FromAssistant},
		"Can you list what I spent?":            {kind: graph.FromUser},
		"When does the ferry leave?":            {},
		"":                                      {},
		"What did Ada say about my new bicycle": {agent: "Ada Byron"},
	} {
		if got := whoIsAsked(question, by("", "Will", "Ada Byron", "Will", "Ada Byron", "x", "7")); got != want {
			t.Errorf("%s: %+v, want %+v", question, got, want)
		}
	}
}

func TestAskedSpeakerFits(t *testing.T) {
	turn := func(agent string, kind graph.SourceKind) *index.Doc {
		return index.DocOf(&graph.Memory{Agent: agent, SourceKind: kind})
	}
	for _, c := range []struct {
		a    asked
		d    *index.Doc
		want bool
	}{
		{asked{}, turn("x", graph.FromAssistant), true},
		{asked{agent: "x"}, turn("x", graph.FromUser), true},
		{asked{agent: "x"}, turn("y", graph.FromUser), false},
		{asked{agent: "x"}, turn("", graph.FromDocument), true},
		{asked{kind: graph.FromUser}, turn("", graph.FromUser), true},
		{asked{kind: graph.FromUser}, turn("", graph.FromAssistant), false},
		{asked{kind: graph.FromUser}, turn("", graph.FromConsolidation), true},
		{asked{kind: graph.FromAssistant}, turn("", graph.FromAssistant), true},
		{asked{kind: graph.FromAssistant}, turn("", graph.FromUser), false},
	} {
		if got := c.a.fits(c.d); got != c.want {
			t.Errorf("%+v and %s of %q: %v", c.a, c.d.SourceKind, c.d.Agent, got)
		}
	}
}

func TestRelatedWordsOfAQuestion(t *testing.T) {
	got := related("Which instruments did the kids' father purchase, which instruments?")
	var words []string
	for _, r := range got {
		words = append(words, r.Word)
		if len(r.Others) == 0 {
			t.Errorf("%s stands alone", r.Word)
		}
	}
	if len(words) != 4 || words[0] != "instruments" || words[1] != "kids" || words[2] != "father" || words[3] != "purchase" {
		t.Errorf("%v", words)
	}
	if got := related(""); got != nil {
		t.Errorf("of nothing: %v", got)
	}
}
