package recall

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/engine/recall/excerpt"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// summaryText is longer than longSummary. Its second sentence is about the ferry.
const summaryText = "15 times from 8 May to 29 January: Rita and Otto read 32, 882, 814, 498, 852, 258, 600, 194, 155, 332, 46, 169, 323, 831, 138, 473, 205, 753, 407 and 577 bar off the turbine and wrote it on the door of the pump house. " +
	"The ferry was late on 26 July. Selma was away. It rained all day on 16 August and on 17 August."

func TestFocused(t *testing.T) {
	for _, c := range []struct{ question, want string }{
		{"Which ferries were late?", "[…] The ferry was late on 26 July. […]"},
		{"Was Selma or the ferry away?", "[…] The ferry was late on 26 July. Selma was away. […]"},
		{"How does the violin sound?", "15 times from 8 May to 29 January: Rita and Otto read 32, 882, 814, 498, 852, 258, 600, 194, 155, 332, 46, 169, 323, […]"},
	} {
		got := excerpt.Of(summaryText, excerpt.Words(c.question), asideSummary)
		if c.question == "How does the violin sound?" {
			if head := strings.TrimSuffix(got, " […]"); len(head) > asideSummary || !strings.HasPrefix(summaryText, head) || head == got {
				t.Errorf("%s: %q", c.question, got)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.question, got, c.want)
		}
	}
	if all := excerpt.Of(summaryText, excerpt.Words("Was the turbine, the ferry, Selma or the rain late in August? Did it rain?"), asideSummary); !strings.Contains(all, "577 bar") || !strings.Contains(all, "16 August") {
		t.Errorf("sentences with words of the question are lost: %q", all)
	}
}

// Only long summaries are shortened, and none for a question about a time or about several things.
func TestOnlyLongSummariesAreShortened(t *testing.T) {
	now := time.Date(2026, 9, 1, 9, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name, question string
		change         func(*graph.Memory)
		short          bool
	}{
		{"a summary", "Which ferry was late?", func(*graph.Memory) {}, true},
		{"a statement of the user", "Which ferry was late?", func(m *graph.Memory) { m.SourceKind = graph.FromUser }, false},
		{"safety", "Which ferry was late?", func(m *graph.Memory) { m.SafetyCritical = true }, false},
		{"a pattern", "Which ferry was late?", func(m *graph.Memory) { m.Pattern = &graph.Pattern{} }, false},
		{"a time", "Which ferry was late in July 2026?", func(*graph.Memory) {}, false},
		{"several things", "Which ferries were late?", func(*graph.Memory) {}, false},
		{"no question", "", func(*graph.Memory) {}, false},
	} {
		m := &graph.Memory{ID: "m", Content: summaryText, SourceKind: graph.FromConsolidation}
		c.change(m)
		g := &gathering{in: ContextInput{Query: c.question}, shown: map[graph.ID]*workspace.View{"m": {Memory: m}}}
		ask := prompt.Input{Memories: []prompt.Item{{ID: "m", Text: summaryText}}}
		g.focus(&ask, now)
		x := ask.Memories[0]
		if short := x.Text != summaryText; short != c.short {
			t.Errorf("%s: %q", c.name, x.Text)
		}
		if c.short && x.Tokens != prompt.Count(summaryText) {
			t.Errorf("%s: %d tokens count as saved from", c.name, x.Tokens)
		}
	}
}

func TestNamesMore(t *testing.T) {
	for _, c := range []struct {
		question, text, other string
		want                  bool
	}{
		{"How do I ring Verena?", "You reach Verena at 0438", "The number of Hilde is 0455", true},
		{"How do I ring Verena?", "You reach Verena at 0438", "Verena has the number 0455", false},
		{"Where does she live?", "She lives in Brno", "She lives in Graz", false},
		{"What runs on port 9090?", "The cache runs on 9090", "The cache runs on 8080", true},
	} {
		if got := namesMore(c.question, c.text, c.other); got != c.want {
			t.Errorf("%s: %v", c.question, got)
		}
	}
}

// What is moved to the front from beyond the head does not push the head out.
func TestPartsAreOrderedByThemselves(t *testing.T) {
	var hits []scored
	for _, id := range []graph.ID{"a", "b", "c", "d", "e"} {
		hits = append(hits, scored{Candidate: &index.Candidate{Doc: &index.Doc{ID: id}}})
	}
	backwards := func(part []scored, limit int) ([]scored, error) {
		part = slices.Clone(part)
		slices.Reverse(part)
		return part[:min(limit, len(part))], nil
	}
	ids := func(hits []scored) (s string) {
		for _, k := range hits {
			s += string(k.Doc.ID)
		}
		return s
	}
	for head, want := range map[int]string{0: "edcb", 2: "baed", 5: "edcb", 9: "edcb"} {
		q := &query{in: SearchInput{TopK: 4, head: head}}
		got, err := q.inParts(hits, backwards)
		if err != nil || ids(got) != want {
			t.Errorf("head %d: %q, %v, want %q", head, ids(got), err, want)
		}
	}
	broken := errors.New("broken")
	if _, err := (&query{in: SearchInput{TopK: 4, head: 2}}).inParts(hits, func([]scored, int) ([]scored, error) { return nil, broken }); !errors.Is(err, broken) {
		t.Error(err)
	}
}
