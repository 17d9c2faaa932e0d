package holding

import (
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/graph"
)

func TestReadLeavesOutWhatEnded(t *testing.T) {
	at := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	const text = "My dog is called Biscuit, I hate olives, and I ran a marathon yesterday. I live in Oslo."
	for _, c := range []struct {
		ended []string
		want  string
	}{
		{nil, text},
		{[]string{"I hate olives"}, "My dog is called Biscuit, and I ran a marathon yesterday. I live in Oslo."},
		{[]string{"My dog is called Biscuit"}, "I hate olives, and I ran a marathon yesterday. I live in Oslo."},
		{[]string{"I ran a marathon yesterday"}, "My dog is called Biscuit, I hate olives. I live in Oslo."},
		{[]string{"I live in Oslo"}, "My dog is called Biscuit, I hate olives, and I ran a marathon yesterday."},
		{[]string{"My dog is called Biscuit", "I hate olives"}, "I ran a marathon yesterday. I live in Oslo."},
		{[]string{"My dog is called Biscuit", "I hate olives", "I ran a marathon yesterday"}, "I live in Oslo."},
		{[]string{"My dog is called Biscuit", "I hate olives", "I ran a marathon yesterday", "I live in Oslo"}, ""},
	} {
		m := &graph.Memory{Content: text}
		for i, clause := range []string{"My dog is called Biscuit", "I hate olives", "I ran a marathon yesterday", "I live in Oslo"} {
			start := strings.Index(text, clause)
			s := graph.ClaimState{From: at}
			for _, e := range c.ended {
				if e == clause {
					s.RevisedBy = "x"
				}
			}
			m.Claims = append(m.Claims, graph.Claim{N: i + 1, Start: start, End: start + len(clause), History: []graph.ClaimState{s}})
		}
		x := Read(m, time.Time{}.AddDate(3000, 0, 0))
		got, since := x.Text, x.Ended
		if got != c.want || since.IsZero() != (len(c.ended) == 0) {
			t.Errorf("without %q: %q, %v; want %q", c.ended, got, since, c.want)
		}
	}
}

func TestWithoutSentences(t *testing.T) {
	for _, c := range [][3]string{
		{"The pump leaks. The berth is four.", "The pump leaks.", "The berth is four."},
		{"- The pump leaks.\n- The berth is four.", "The pump leaks.", "- The berth is four."},
		{"The pump leaks.", "The pump leaks.", ""},
		{"The pump leaks.", "Another thing.", "The pump leaks."},
	} {
		if got := WithoutSentences(c[0], c[1]); strings.TrimSpace(got) != c[2] {
			t.Errorf("%q without %q: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
