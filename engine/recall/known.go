package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/lifecycle"
	"github.com/somnograph/somnograph/engine/reader/claimkey"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

// KnownInput asks what is remembered of a user.
type KnownInput struct {
	User        string
	Namespaces  []string
	Access      workspace.Access
	IncludePast bool // also facts that held before
	First       int  // 0: 100
	Offset      int
}

// KnownLine is one thing that is remembered of a user.
type KnownLine struct {
	Claim  *workspace.ClaimView // nil: the memory has no fact that holds
	Memory *workspace.View
}

// KnownPage is a page of lines.
type KnownPage struct {
	Lines []KnownLine
	Total int // number of lines of all pages
}

// Known lists the facts that the memories of a user state, and those that memories of nobody
// state about the user, then the ACTIVE memories of the user without such a fact, by type and
// newest first. Facts are ordered by subject, the user first and rules next, then by predicate,
// the newest first, and are merged as Facts merges them. It reads the newest maxFactMemories
// memories. Turns in L0 are left out.
func (svc *Service) Known(ctx context.Context, c workspace.Caller, in KnownInput) (*KnownPage, error) {
	first, err := workspace.PageSize("first", in.First, 100)
	if err != nil {
		return nil, err
	}
	if in.Offset < 0 || in.Offset > maxFactOffset {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "offset", "must be 0 to %d", maxFactOffset)
	}
	if extract.Canonical(in.User) == "" {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "user", "names nobody")
	}
	q, err := newFactQuery(c, FactsInput{Subject: in.User, User: in.User, Namespaces: in.Namespaces, Access: in.Access, IncludePast: in.IncludePast})
	if err != nil {
		return nil, renamed(err, "subject", "user")
	}
	t, err := svc.open(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, err
	}
	var ids []graph.ID
	about := func(d *index.Doc) bool { return q.owns(d) && d.User == "" }
	for _, d := range svc.Index.MemoriesClaiming(t.Scope, q.namespaces, q.key, about, maxFactMemories) {
		ids = append(ids, d.ID)
	}
	now := svc.Now()
	k := &knowledge{q: q, now: now}
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		k.facts, k.rest = nil, nil
		own := graph.MemoryQuery{Undamaged: true, Namespaces: q.namespaces, Users: slices.Compact([]string{in.User, c.Reads(in.User)}), Descending: true, Limit: graph.MaxPage}
		for read := 0; read < maxFactMemories; {
			part, err := r.ListMemories(own)
			if err != nil {
				return err
			}
			if err := k.add(ctx, svc, t, r, part); err != nil {
				return err
			}
			if read += len(part); len(part) < graph.MaxPage {
				break
			}
			own.After = part[len(part)-1].ID
		}
		for some := range slices.Chunk(ids, factPage) {
			found, err := graph.Undamaged(r, some)
			if err != nil {
				return err
			}
			if err := k.add(ctx, svc, t, r, found); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, svc.PublicError(err)
	}
	lines := k.lines()
	from := min(in.Offset, len(lines))
	return &KnownPage{Lines: lines[from:min(from+first, len(lines))], Total: len(lines)}, nil
}

// renamed returns an error of a field under the name that the caller knows.
func renamed(err error, field, name string) error {
	if e, ok := err.(*graph.Error); ok && e.Field == field {
		return graph.FieldError(e.Code, name, "%s", e.Message)
	}
	return err
}

// knowledge collects what is remembered of a user.
type knowledge struct {
	q     *factQuery
	now   time.Time
	facts []workspace.ClaimView
	rest  []*workspace.View
}

// add collects the facts of memories. Memories of nobody count only with facts about the user.
func (k *knowledge) add(ctx context.Context, svc *Service, t *tenant, r graph.Reader, found []*graph.Memory) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, m := range found {
		if m == nil || m.Status() == graph.Forgotten {
			continue
		}
		own := workspace.Visible(m, k.q.caller, k.q.recorded, k.now)
		v, err := k.q.view(r, k.q.caller, m, k.now)
		if err != nil {
			return err
		}
		if v == nil || v.State.Tier == graph.L0 || !svc.Verify(ctx, t.Scope, v) {
			continue
		}
		facts := k.q.held(v, k.now)
		if m.User == "" {
			facts = slices.DeleteFunc(facts, func(x workspace.ClaimView) bool { return !k.q.about(x) })
		}
		k.facts = append(k.facts, facts...)
		if len(facts) == 0 && m.User != "" && own.State.Status == graph.Active && (k.q.in.IncludePast || !lifecycle.IsOver(m, k.q.in.Access.ValidInstant(k.now))) {
			k.rest = append(k.rest, v)
		}
	}
	return nil
}

// lines returns everything in order.
func (k *knowledge) lines() []KnownLine {
	facts := distinct(k.facts) // by predicate, the newest first
	slices.SortStableFunc(facts, func(a, b workspace.ClaimView) int {
		return cmp.Or(cmp.Compare(k.place(a), k.place(b)), strings.Compare(extract.Canonical(a.State.Subject), extract.Canonical(b.State.Subject)))
	})
	var lines []KnownLine
	for i := range facts {
		lines = append(lines, KnownLine{Claim: &facts[i], Memory: facts[i].MemoryView})
	}
	slices.SortStableFunc(k.rest, func(a, b *workspace.View) int {
		return cmp.Or(cmp.Compare(slices.Index(graph.Types, a.Type), slices.Index(graph.Types, b.Type)), b.RecordedAt.Compare(a.RecordedAt), cmp.Compare(b.ID, a.ID))
	})
	for _, v := range k.rest {
		lines = append(lines, KnownLine{Memory: v})
	}
	return lines
}

// place orders subjects: the user, whom a rule addresses, anything else.
func (k *knowledge) place(x workspace.ClaimView) int {
	switch {
	case k.q.about(x):
		return 0
	case x.State.Subject == "":
		return 1
	}
	return 2
}

// about reports whether a claim is about a subject of the query.
func (q *factQuery) about(x workspace.ClaimView) bool {
	return slices.ContainsFunc(claimkey.Names(x.MemoryView.Memory, x.State.Subject), func(n string) bool { return slices.Contains(q.subjects, n) })
}
