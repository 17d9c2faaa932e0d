package ingest

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine/conflict"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/claimkey"
	"github.com/somnograph/somnograph/engine/reader/wording"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

const (
	namedSubjects = 4  // subjects of a statement whose earlier names are looked up
	renamesEach   = 16 // memories that say how something is called that are read for one name
	earlierEach   = 4  // earlier names of one subject
)

// relateRenamed relates a statement to what was said of its subjects under the names that they had before: after "The Aurora
// is now called Nordlicht" the statement "Nordlicht leaves at 9" is compared as "Aurora leaves at 9" with "Aurora leaves at 8". What was said
// under an earlier name after the renaming may be about something else.
func (s *WriteTx) relateRenamed(out *Relations, d *Draft, m *graph.Memory, at time.Time, seen map[graph.ID]bool) error {
	var looked []string
	for i := range m.Claims {
		subject := m.Claims[i].State().Subject
		if slices.Contains(looked, subject) || !wording.IsName(subject) {
			continue
		}
		if looked = append(looked, subject); len(looked) > namedSubjects {
			return nil
		}
		names, err := s.earlierNames(d, m, subject)
		if err != nil {
			return err
		}
		for j := range names {
			if err := s.relateAs(out, d, m, subject, &names[j], at, seen); err != nil {
				return err
			}
		}
	}
	return nil
}

// earlierNames returns the names that a subject of a statement had before, as memories say that the writer sees and that are
// of the owners with whose memories the statement is compared.
func (s *WriteTx) earlierNames(d *Draft, m *graph.Memory, subject string) (out []workspace.OtherName, err error) {
	var ask []string
	for _, name := range wording.Subjects(subject) {
		ask = append(ask, wording.Names(name)...)
	}
	known := slices.Clone(ask)
	for ; len(ask) > 0 && len(out) < earlierEach; ask = ask[1:] {
		said, err := s.claiming(d, m, claimkey.Renamed(ask[0]), renamesEach)
		if err != nil {
			return nil, err
		}
		for _, x := range said {
			if !workspace.MayRename(x) || !d.Sight.Memory(x) {
				continue
			}
			v := workspace.NewView(x, workspace.Access{}, s.Now)
			s.svc.Verify(s.svc.Ctx, s.t.Scope, v)
			for _, n := range v.NamesBefore(s.Now, ask[0]) {
				if !slices.Contains(known, n.Name) && len(out) < earlierEach {
					known, ask, out = append(known, n.Name), append(ask, n.Name), append(out, n)
				}
			}
		}
	}
	return out, nil
}

// claiming returns the ACTIVE memories with a key of a claim that a statement is compared with, at most limit stored before this
// transaction.
func (s *WriteTx) claiming(d *Draft, m *graph.Memory, key uint64, limit int) (out []*graph.Memory, err error) {
	compared := func(user, project string) bool {
		return (d.allOwners || workspace.SameOwner(m.User, user)) && !otherProject(m.Project, project)
	}
	var ids []graph.ID
	for _, x := range s.svc.Index.MemoriesClaiming(s.t.Scope, []string{m.Namespace}, key, func(x *index.Doc) bool {
		return workspace.StateOf(x).Status == graph.Active && compared(x.User, x.Project)
	}, limit) {
		ids = append(ids, x.ID)
	}
	for i := range s.written {
		if x := s.written[i].memory; x.Namespace == m.Namespace && compared(x.User, x.Project) && slices.Contains(claimkey.Keys{}.Of(x), key) && !slices.Contains(ids, x.ID) {
			ids = append(ids, x.ID)
		}
	}
	found, err := graph.Undamaged(s.Tx, ids)
	if err != nil {
		return nil, err
	}
	for _, x := range found {
		if x == nil || x.ID == m.ID {
			continue
		}
		last, err := s.lastActive(x.ID)
		if err != nil {
			return nil, err
		}
		if last != nil && last.ID == x.ID {
			out = append(out, last)
		}
	}
	return out, nil
}

// relateAs relates a statement to those in its slots under an earlier name of a subject.
func (s *WriteTx) relateAs(out *Relations, d *Draft, m *graph.Memory, subject string, earlier *workspace.OtherName, at time.Time, seen map[graph.ID]bool) error {
	for i := range m.Claims {
		c := m.Claims[i].State()
		if c.Subject != subject || claimkey.Renames(c.Predicate) { // names follow one another
			continue
		}
		found, err := s.claiming(d, m, claimkey.Claim(earlier.Name, c.Predicate, c.Object), slotEach)
		if err != nil {
			return err
		}
		for _, x := range found {
			if seen[x.ID] || !earlier.Covers(x) || x.OccurredAt.After(earlier.From) || at.Before(x.OccurredAt) || isOver(x, at) {
				continue
			}
			written := nameIn(x, earlier)
			if written == "" {
				continue
			}
			if err := s.relateSame(out, statementAs(m, subject, written, at), x, at, seen); err != nil {
				return err
			}
		}
	}
	return nil
}

// relateSame relates a statement that was read with another name of its subject to a memory.
func (s *WriteTx) relateSame(out *Relations, as statement, x *graph.Memory, at time.Time, seen map[graph.ID]bool) error {
	known := s.statementOf(x)
	if !readAlike(as.said, known.said) {
		return nil
	}
	r, err := s.relation(as.memory.Namespace, as.said, known.said, false)
	if err != nil || r.Certainty < reader.Rivals || r.Certainty < reader.Revises && !r.Slot {
		return err // the name is one doubt already
	}
	seen[x.ID] = true
	return s.relateTo(out, as, known, at, false)
}

// nameIn returns the subject of the claim of a memory that has an earlier name, as it is written: "ferry Aurora" for "Aurora", and
// "Aurora" for "ferry Aurora". It is empty if none has, or if the noun before the name is another one.
func nameIn(m *graph.Memory, earlier *workspace.OtherName) string {
	called := extract.Canonical(earlier.Written)
	for i := range m.Claims {
		s := m.Claims[i].State()
		if is := extract.Canonical(s.Subject); is == called || strings.HasSuffix(is, " "+called) || strings.HasSuffix(called, " "+is) {
			return s.Subject
		}
	}
	return ""
}

// statementAs reads a memory with another name of a subject, which its text has in one of some forms, else as it is.
func statementAs(m *graph.Memory, subject, name string, at time.Time, forms ...string) statement {
	said, scored := workspace.StatementBy(m), workspace.StatementOf(m)
	said.At, scored.At = at, at
	said.Text = inPlaceOf(m.Content, subject, name)
	for _, form := range forms {
		said.Text = inPlaceOf(said.Text, form, name)
	}
	scored.Text = said.Text
	if extract.Canonical(m.Subject) == extract.Canonical(subject) {
		scored.Subject = extract.Canonical(name)
	}
	if said.Subject != "" {
		said.Subject = scored.Subject
	}
	x := conflict.Analyse(scored)
	return statement{m, reader.Prepare(said), &x}
}

// inPlaceOf replaces a name in a text where it stands as whole words.
func inPlaceOf(text, name, other string) string {
	var b strings.Builder
	for {
		at := strings.Index(text, name)
		if name == "" || at < 0 {
			b.WriteString(text)
			return b.String()
		}
		end := at + len(name)
		last, _ := utf8.DecodeLastRuneInString(text[:at])
		next, _ := utf8.DecodeRuneInString(text[end:])
		b.WriteString(text[:at])
		if unicode.IsLetter(last) || unicode.IsDigit(last) || unicode.IsLetter(next) || unicode.IsDigit(next) {
			b.WriteString(name)
		} else {
			b.WriteString(other)
		}
		text = text[end:]
	}
}
