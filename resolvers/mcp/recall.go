package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

var recallTool = tool{
	name: "recall", readOnly: true, minimal: true,
	about: "Search memory. Returns dated memories with ids, best first.",
	params: []param{
		{name: "query", kind: text, required: true, about: "question or topic"},
		{name: "limit", kind: whole, min: 1, max: 50, about: "default 8"},
		{name: "asOf", kind: asOf, about: "what was true then"},
		{name: "allProjects", kind: yesNo},
	},
	call: (*Service).recall,
}

const (
	defaultHits = 8 // of a recall that names no number
	unsureHits  = 3 // at most, where nothing surely answers
)

func (s *Service) recall(ctx context.Context, p *place, a arguments, _ *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	in := engine.SearchInput{
		Query: a.text("query"), TopK: a.whole("limit", defaultHits), Namespaces: p.namespaces(), User: p.user,
		Track: true, AskedIn: p.session, Access: engine.Access{AsOf: graph.AsOf{Valid: a.at("asOf")}},
	}
	hits, unsure, err := s.hits(ctx, p, in, p.project != "" && !a.yes("allProjects"))
	if err != nil {
		return nil, err
	}
	if len(hits) == 0 {
		return said("%sNo memory matches.", a.asOf()), nil
	}
	var b strings.Builder
	b.WriteString(a.asOf())
	if unsure {
		b.WriteString("Nothing matches well. The nearest memories, which may have nothing to do with it:\n")
		hits = hits[:min(unsureHits, len(hits))]
	}
	for _, h := range hits {
		writeMemory(&b, h.Memory, string(h.Label))
		if h.Corrected != "" {
			fmt.Fprintf(&b, "  corrected: %s\n", quoted(h.Corrected))
		}
	}
	return said("%s", b.String()), nil
}

// hits searches, and reports whether no hit surely answers. With own, hits of other projects than the caller's are
// left out; memories without a project belong to every project.
func (s *Service) hits(ctx context.Context, p *place, in engine.SearchInput, own bool) (_ []engine.Hit, unsure bool, _ error) {
	want := in.TopK
	if own {
		in.TopK = min(100, 4*want)
	}
	found, err := s.config.Verbs.Search(ctx, p.caller, in)
	if err != nil {
		return nil, false, err
	}
	if !own {
		return found.Hits, found.Unsure, nil
	}
	kept := make([]engine.Hit, 0, want)
	foreign := 0
	for _, h := range found.Hits {
		switch {
		case h.Memory.Project != "" && h.Memory.Project != p.project:
			foreign++
		case len(kept) < want:
			kept = append(kept, h)
		}
	}
	if foreign == 0 || len(kept) == want {
		return kept, found.Unsure, nil
	}
	// Other projects took places: ask within the project alone for the rest.
	in.TopK, in.Project = want, p.project
	if found, err = s.config.Verbs.Search(ctx, p.caller, in); err != nil {
		return nil, false, err
	}
	seen := map[graph.ID]bool{}
	for _, h := range kept {
		seen[h.Memory.ID] = true
	}
	for _, h := range found.Hits {
		if !seen[h.Memory.ID] && len(kept) < want {
			kept = append(kept, h)
		}
	}
	return kept, found.Unsure, nil
}

// writeMemory writes a memory as one line: date, mark, id, speaker, and the text as a JSON
// string, so that it can't pass for lines of its own.
func writeMemory(b *strings.Builder, m *engine.View, mark string) {
	fmt.Fprintf(b, "- %s", m.OccurredAt.UTC().Format("2006-01-02"))
	if mark != "" && mark != string(engine.Current) {
		fmt.Fprintf(b, " [%s]", mark)
	}
	fmt.Fprintf(b, " id=%s", m.ID)
	if who := speaker(m); who != "" {
		fmt.Fprintf(b, " %s", who)
	}
	fmt.Fprintf(b, ": %s\n", contentOf(m))
}

// speaker says who said a memory, or that it is a pattern; empty: the user, or unknown.
func speaker(m *engine.View) string {
	if p := m.Pattern; p != nil {
		return fmt.Sprintf("pattern, %d occurrences", p.Occurrences)
	}
	switch m.SourceKind {
	case graph.FromUser, "":
		return ""
	}
	return strings.ToLower(string(m.SourceKind))
}

// contentOf is the text of a memory as a JSON string, or why it can't be served.
func contentOf(m *engine.View) string {
	if m.Unavailable != nil {
		return "(" + m.Unavailable.Sentence() + ")"
	}
	return quoted(m.Content)
}

// quoted is a text as a JSON string, without what a person would not see in it.
func quoted(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(prompt.Clean(s)); err != nil {
		return `""` // a string always encodes
	}
	return strings.TrimSuffix(b.String(), "\n")
}
