package ingest

import (
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/reader/claimkey"
	"github.com/somnograph/somnograph/engine/reader/wording"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// relateIntroduced relates a statement to what was said of its subjects by the name or the noun by which the user introduced
// them: after "My daughter is called Liv" the statement "Liv turned eight" is compared as "my daughter turned eight" with "My daughter is seven",
// and the other way round. After "My name is Ana" the statement "Ana lives in Bergen" is compared as "I live in Bergen".
func (s *WriteTx) relateIntroduced(out *Relations, d *Draft, m *graph.Memory, at time.Time, seen map[graph.ID]bool) error {
	var looked []string
	for i := range m.Claims {
		subject := m.Claims[i].State().Subject
		if slices.Contains(looked, subject) || subject == "" || subject == lifecycle.Speaker(m) && m.User == "" {
			continue
		}
		if looked = append(looked, subject); len(looked) > namedSubjects {
			return nil
		}
		for _, called := range wording.Subjects(subject) { // "ana's daughter Liv" is also "Liv"
			names, err := workspace.Introduced(extract.Canonical(called), s.Now, func(key uint64) ([]*workspace.View, error) { return s.introducing(d, m, key) })
			if err != nil {
				return err
			}
			for j := range names {
				if names[j].Aside {
					continue // a statement about somebody with a name is found by the name, and one without it may be about another one
				}
				if err := s.relateByOtherName(out, d, m, subject, &names[j], at, seen); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// introducing returns the memories with a key of an introduction that a statement is compared with, in any status but FORGOTTEN.
func (s *WriteTx) introducing(d *Draft, m *graph.Memory, key uint64) (out []*workspace.View, err error) {
	compared := func(user, project string) bool {
		return (d.allOwners || workspace.SameOwner(m.User, user)) && !otherProject(m.Project, project)
	}
	var ids []graph.ID
	for _, x := range s.svc.Index.MemoriesClaiming(s.t.Scope, []string{m.Namespace}, key, func(x *index.Doc) bool { return compared(x.User, x.Project) }, workspace.MaxIntroductions) {
		ids = append(ids, x.ID)
	}
	for i := range s.written {
		if x := s.written[i].memory; x.Namespace == m.Namespace && compared(x.User, x.Project) && slices.Contains(attribute.Keys{}.Of(x), key) && !slices.Contains(ids, x.ID) {
			ids = append(ids, x.ID)
		}
	}
	found, err := graph.Undamaged(s.Tx, ids)
	if err != nil {
		return nil, err
	}
	for _, x := range found {
		if x == nil || x.ID == m.ID || !d.Sight.Memory(x) {
			continue
		}
		v := workspace.NewView(x, workspace.Access{}, s.Now)
		s.svc.Verify(s.svc.Ctx, s.t.Scope, v)
		out = append(out, v)
	}
	return out, nil
}

// relateByOtherName relates a statement to what is claimed of another name of its subject.
func (s *WriteTx) relateByOtherName(out *Relations, d *Draft, m *graph.Memory, subject string, other *workspace.OtherName, at time.Time, seen map[graph.ID]bool) error {
	found, err := s.claiming(d, m, claimkey.Subject(other.Name), workspace.MaxIntroductions)
	if err != nil || len(found) == 0 {
		return err
	}
	var forms []string
	if subject == lifecycle.Speaker(m) {
		forms = []string{"I"}
	} else if noun, mine := strings.CutPrefix(subject, lifecycle.Speaker(m)+"'s "); mine {
		forms = []string{"My " + noun, "my " + noun, "Our " + noun, "our " + noun}
	}
	as := statementAs(m, subject, other.Written, at, forms...)
	for _, x := range found {
		if seen[x.ID] || !other.Covers(x) || !d.Sight.Memory(x) || at.Before(x.OccurredAt) || isOver(x, at) {
			continue
		}
		if err := s.relateSame(out, as, x, at, seen); err != nil {
			return err
		}
	}
	return nil
}
