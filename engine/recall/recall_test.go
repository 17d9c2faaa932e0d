package recall_test

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/enginetest/fixture"
	"github.com/somnograph/somnograph/graph"
)

// conversation is a line of testdata/recall.jsonl, in the format of somnograph import: people
// who rebuild a boat, and a baker with an assistant. The conversations were written for this
// test before it was first measured.
type conversation struct {
	ID        string
	Turns     []struct{ Key, Session, Speaker, Text, At string }
	Questions []struct {
		Q, Category string
		Evidence    []string
	}
}

func conversations(t *testing.T) []conversation {
	t.Helper()
	f, err := os.Open("testdata/recall.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []conversation
	for s := bufio.NewScanner(f); s.Scan(); {
		var c conversation
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		out = append(out, c)
	}
	return out
}

// told is a world with all conversations, each in its own namespace.
func told(t *testing.T, all []conversation) *enginetest.World {
	w := enginetest.New(t)
	for _, c := range all {
		for _, turn := range c.Turns {
			at, err := time.Parse(time.RFC3339, turn.At)
			if err != nil {
				t.Fatal(err)
			}
			text := turn.Text
			if turn.Speaker != "user" && turn.Speaker != "assistant" {
				text = turn.Speaker + ": " + text
			}
			w.Remember(text, func(in *engine.RememberInput) {
				in.Namespace, in.Session, in.Source, in.OccurredAt, in.OnDuplicate = c.ID, turn.Session, turn.Key, at, engine.Insert
				switch turn.Speaker {
				case "user":
				case "assistant":
					in.SourceKind = graph.FromAssistant
				default:
					in.Agent = turn.Speaker
				}
			})
		}
	}
	return w
}

// evidence is the mean share of the evidence in the first k hits (recall@k).
func evidence(w *enginetest.World, all []conversation, k int, with ...func(*engine.SearchInput)) float64 {
	sum, n := 0.0, 0.0
	for _, c := range all {
		for _, q := range c.Questions {
			r := w.Search(q.Q, append(with, func(in *engine.SearchInput) { in.Namespaces, in.TopK = []string{c.ID}, k })...)
			for _, h := range r.Hits {
				if slices.Contains(q.Evidence, h.Memory.Source) {
					sum += 1 / float64(len(q.Evidence))
				}
			}
			n++
		}
	}
	return sum / n
}

func TestRecallOfConversations(t *testing.T) {
	all := conversations(t)
	w := told(t, all)
	at5, at10 := evidence(w, all, 5), evidence(w, all, 10)
	fast := evidence(w, all, 10, func(in *engine.SearchInput) { in.Effort = engine.EffortFast })
	t.Logf("R@5 %.3f, R@10 %.3f, FAST R@10 %.3f", at5, at10, fast)
	if at5 < 0.66 || at10 < 0.74 {
		t.Errorf("R@5 %.3f, want .66; R@10 %.3f, want .74", at5, at10)
	}
	if fast > at10 {
		t.Errorf("FAST finds %.3f, more than %.3f", fast, at10)
	}
}

func TestAskedSpeakerRanksFirst(t *testing.T) {
	w := enginetest.New(t)
	said := func(who string) graph.ID {
		return w.Remember("The red kayak leaks at the stern.", func(in *engine.RememberInput) { in.Agent, in.OnDuplicate = who, engine.Insert }).Memory.ID
	}
	ada, bo := said("Ada"), said("Bo")
	for question, first := range map[string]graph.ID{"What did Ada say about the kayak?": ada, "What did Bo say about the kayak?": bo} {
		r := w.Search(question)
		if len(r.Hits) != 2 || r.Hits[0].Memory.ID != first {
			t.Fatalf("%s: %v", question, enginetest.IDs(r))
		}
		var voices []string
		for _, h := range r.Hits {
			for _, x := range h.Explain().Children {
				if strings.HasPrefix(x.Message, "factor: the question is about the words of another speaker") {
					voices = append(voices, string(h.Memory.ID))
				}
			}
		}
		if len(voices) != 1 || voices[0] == string(first) {
			t.Errorf("%s: the explanations of %v mention another speaker", question, voices)
		}
	}
}

func TestNamedTimeRanksFirst(t *testing.T) {
	w := enginetest.New(t)
	on := func(month time.Month) graph.ID {
		return w.Remember("We greased the winch and oiled the blocks.", func(in *engine.RememberInput) {
			in.OccurredAt, in.OnDuplicate = fixture.Day(2025, month, 12), engine.Insert
		}).Memory.ID
	}
	on(3)
	may := on(5)
	on(9)
	r := w.Search("When did we grease the winch in May 2025?")
	if len(r.Hits) != 3 || r.Hits[0].Memory.ID != may {
		t.Errorf("%v, want %s first", enginetest.IDs(r), may)
	}
	// A question about a time finds memories that share no word with it.
	if r = w.Search("What happened in May 2025?"); len(r.Hits) == 0 || r.Hits[0].Memory.ID != may {
		t.Errorf("%v, want %s first", enginetest.IDs(r), may)
	}
	if r = w.Search("What happened before June 2025?", func(in *engine.SearchInput) { in.TopK = 1 }); len(r.Hits) > 0 && r.Hits[0].Parts.Keyword == 0 && r.Hits[0].Parts.Semantic < 0.05 {
		t.Errorf("a time with one bound is not an answer by itself: %+v", r.Hits[0].Parts)
	}
}

func TestSynonymsAreFound(t *testing.T) {
	w := enginetest.New(t)
	want := w.Remember("Paul bought a cello at the auction.").Memory.ID
	for i := range 20 {
		w.Remember([]string{"The ferry was late again.", "Soup is on the stove.", "The lamp flickers."}[i%3], func(in *engine.RememberInput) { in.OnDuplicate = engine.Insert })
	}
	for _, question := range []string{"Which instruments are there?", "purchases"} {
		if r := w.Search(question); len(r.Hits) == 0 || r.Hits[0].Memory.ID != want {
			t.Errorf("%s: %v", question, enginetest.IDs(r))
		}
	}
	// FAST does not expand words by related ones.
	if r := w.Search("Which instruments are there?", func(in *engine.SearchInput) { in.Effort = engine.EffortFast }); len(r.Hits) > 0 && r.Hits[0].Parts.Keyword > 0 {
		t.Errorf("FAST read more into the question: %+v", r.Hits[0].Parts)
	}
}
