package mcp

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

var historyTool = tool{
	name: "history", readOnly: true,
	about: "How knowledge changed: every version of a memory (id), or the facts about someone or something (subject), now or at a date.",
	params: []param{
		{name: "id", kind: text},
		{name: "subject", kind: text, about: `such as "Atlas project"; "user" for the user`},
		{name: "asOf", kind: asOf, about: "with subject"},
	},
	call: (*Service).history,
}

func (s *Service) history(ctx context.Context, p *place, a arguments, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	id, subject := graph.ID(a.text("id")), a.text("subject")
	switch {
	case id == "" && subject == "":
		return nil, graph.FieldError(graph.CodeInvalidRequest, "id", "or subject is required")
	case id != "" && subject != "":
		return nil, graph.FieldError(graph.CodeInvalidRequest, "subject", "can't be combined with id")
	case id != "" && !a.at("asOf").IsZero():
		return nil, graph.FieldError(graph.CodeInvalidRequest, "asOf", "needs subject; every version of an id is listed with its times")
	case id != "":
		return s.versions(ctx, p, id)
	}
	return s.facts(ctx, p, subject, a)
}

// versions lists the versions of a memory, oldest first.
func (s *Service) versions(ctx context.Context, p *place, id graph.ID) (*sdk.CallToolResult, error) {
	if _, err := s.visible(ctx, p, id); err != nil {
		return nil, err
	}
	list, err := s.config.Verbs.Lineage(ctx, p.caller, id, 0, 0)
	if err != nil {
		return nil, err
	}
	if len(list) == 0 { // it was erased
		return nil, graph.FieldError(graph.CodeMemoryNotFound, "id", "no memory has this id")
	}
	var b strings.Builder
	for _, v := range list {
		fmt.Fprintf(&b, "- version %d, recorded %s", v.Version, v.RecordedAt.UTC().Format("2006-01-02 15:04"))
		if !v.SupersededAt.IsZero() {
			fmt.Fprintf(&b, ", replaced %s", v.SupersededAt.UTC().Format("2006-01-02 15:04"))
		}
		if v.Reason != "" {
			fmt.Fprintf(&b, ", because %s", quoted(v.Reason))
		}
		fmt.Fprintf(&b, " id=%s: %s\n", v.Memory.ID, contentOf(v.Memory))
	}
	return said("%s", b.String()), nil
}

// facts lists what is believed about a subject, and what was believed before.
func (s *Service) facts(ctx context.Context, p *place, subject string, a arguments) (*sdk.CallToolResult, error) {
	list, err := s.config.Verbs.Facts(ctx, p.caller, engine.FactsInput{
		Subject: subject, User: p.user, Namespaces: p.namespaces(), IncludePast: a.at("asOf").IsZero(), First: 50,
		Access: engine.Access{AsOf: graph.AsOf{Valid: a.at("asOf")}},
	})
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return said("%sNothing is known about %s.", a.asOf(), quoted(subject)), nil
	}
	var b strings.Builder
	b.WriteString(a.asOf())
	now := s.config.Verbs.Now()
	seen := map[string]bool{} // several facts of one text are one line
	for _, f := range list {
		if line := factLine(f, now); !seen[line] {
			seen[line] = true
			b.WriteString(line)
		}
	}
	return said("%s", b.String()), nil
}

// factLine is a fact as one line: since when it holds, and the words that say it.
func factLine(f engine.ClaimView, now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "- from %s", f.ValidFrom.UTC().Format(time.DateOnly))
	if !f.ValidTo.IsZero() {
		fmt.Fprintf(&b, " to %s", f.ValidTo.UTC().Format(time.DateOnly))
	}
	if !f.Current {
		b.WriteString(" [PAST]")
	}
	fmt.Fprintf(&b, " id=%s", f.MemoryView.ID)
	if who := speaker(f.MemoryView); who != "" {
		fmt.Fprintf(&b, " %s", who)
	}
	fmt.Fprintf(&b, ": %s\n", factText(f, now))
	return b.String()
}

// maxFact is the size in bytes of a text above which its facts are its clauses.
const maxFact = 300

// factText is what a fact says, as it was said: predicate and object alone are fragments ("likes", "my coffee"). It is the text of the memory, or
// the clause in a long text, or in one of which a part holds for another time. What a person corrected is not in the text, and
// what a writer gave beside a long text has no clause in it.
func factText(f engine.ClaimView, now time.Time) string {
	m := f.MemoryView
	switch c := f.Claim; {
	case m.Unavailable != nil:
		return contentOf(m)
	case f.State.Corrected, c.Start >= c.End && len(m.Content) > maxFact:
		words := quoted(strings.Join(strings.Fields(f.State.Subject+" "+f.State.Predicate+" "+f.State.Object), " "))
		if f.State.Negated {
			return "not " + words
		}
		return words
	case c.Start < c.End && c.End <= len(m.Content) && (len(m.Content) > maxFact || apart(m, f.ValidTo, now)):
		return quoted(m.Content[c.Start:c.End])
	}
	return quoted(m.Content)
}

// apart reports whether a claim of a memory does not hold until an instant, as another one does.
func apart(m *engine.View, until, now time.Time) bool {
	return slices.ContainsFunc(m.Claims(now), func(c engine.ClaimView) bool {
		return !c.ValidTo.Equal(until) || c.State.Withdrawn || c.State.Corrected
	})
}
