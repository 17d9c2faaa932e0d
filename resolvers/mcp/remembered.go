package mcp

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// rememberedText says what became of a memory, and what it did to earlier ones.
func (s *Service) rememberedText(ctx context.Context, p *place, r *engine.RememberResult) string {
	var b strings.Builder
	if r.DuplicateOf != "" {
		fmt.Fprintf(&b, "Known already, now stronger: id=%s", r.DuplicateOf)
	} else {
		fmt.Fprintf(&b, "Remembered: id=%s", r.Memory.ID)
	}
	if m := r.Memory; r.DuplicateOf == "" && m.State.Status == graph.Superseded {
		b.WriteString("\nIt is kept as past.")
		if s.mayRead(p.caller) {
			b.WriteString(s.concerned(ctx, p, " What holds now is ", []graph.ID{m.SupersededBy}, words))
		}
	}
	b.WriteString(s.concerned(ctx, p, "\nIt replaces ", r.Revised, words))
	b.WriteString(s.concerned(ctx, p, "\nIt ends a fact of ", r.Ended, func(m *engine.View, now time.Time) string { return endedBy(m, r.Memory.ID, now) }))
	if list := s.concerned(ctx, p, "\nIt disagrees with ", r.ConflictsWith, words); list != "" {
		b.WriteString(list + "; both are kept. Use correct if the new one replaces it.")
	}
	return b.String()
}

// concerned names memories that a write concerned, the first with words of theirs if the caller may read; empty: there are none. It leaves out
// what lies outside of the place of the request. The write is done, so nothing here fails.
func (s *Service) concerned(ctx context.Context, p *place, what string, ids []graph.ID, words func(*engine.View, time.Time) string) string {
	var named []string
	more := 0
	for _, id := range ids {
		text := "id=" + string(id)
		if s.mayRead(p.caller) {
			m, err := s.visible(ctx, p, id)
			switch {
			case err != nil && graph.CodeOf(err) == graph.CodeMemoryNotFound, err == nil && m.State.Status == graph.Forgotten:
				continue
			case err == nil && len(named) < maxNamed:
				text += ": " + words(m, s.config.Verbs.Now())
			}
		}
		if len(named) == maxNamed {
			more++
			continue
		}
		named = append(named, text)
	}
	if len(named) == 0 {
		return ""
	}
	text := what + strings.Join(named, ", ")
	if more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// words are the first words of a memory.
func words(m *engine.View, _ time.Time) string {
	if m.Unavailable != nil {
		return contentOf(m)
	}
	return quoted(cutBytes(m.Content, maxNamedBytes))
}

// endedBy is what a memory says that another one ended, and the day on which it ends, if that is to come.
func endedBy(m *engine.View, by graph.ID, now time.Time) string {
	for _, f := range m.Claims(now) {
		if f.State.RevisedBy != by {
			continue
		}
		text := words(m, now)
		if len(m.Memory.Claims) > 1 && f.Claim.Start < f.Claim.End && f.Claim.End <= len(m.Content) {
			text = quoted(cutBytes(m.Content[f.Claim.Start:f.Claim.End], maxNamedBytes))
		}
		if f.ValidTo.After(now) {
			text += ", on " + f.ValidTo.UTC().Format(time.DateOnly)
		}
		return text
	}
	return words(m, now)
}
