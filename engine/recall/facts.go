package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/attribute"
	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/claimkey"
	words "github.com/somnograph/somnograph/engine/reader/wording"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

const (
	maxFactMemories = 20_000  // memories with a claim about one subject that are read, the newest
	maxFactOffset   = 100_000 // highest offset of a page
	factPage        = 500     // memories per read of the store
	maxFactMerges   = 64      // merges that are followed from one memory to the next
)

// FactsInput asks what is believed about a subject.
type FactsInput struct {
	Subject     string // a name, a phrase ("ana's dog", of a user "my dog"), or "user" or "I" for the user
	Predicate   string // as written or as in the table of the reader; empty: all
	User        string // the memories of this user and of nobody; empty: of all that the caller may see
	Namespaces  []string
	Access      workspace.Access
	IncludePast bool // also what held before
	First       int  // 0: 100
	Offset      int

	attribute  string // of package attribute, instead of a predicate
	belongings bool   // also about what belongs to the subject, or to the user: "ana's dog", "ana's wife Marta" as "wife"
}

// speaks reports a subject that means the user who asks.
func speaks(subject, user string) bool {
	s := extract.Canonical(subject)
	return reader.FirstPerson(s) || s == reader.User || s == extract.Canonical(user)
}

// Facts returns the claims about a subject that hold at the instant asked about, and with
// IncludePast those that held before. Those about a user include claims about what belongs to the user ("My dog is called Rex"). If a
// subject has no claims, claims about what the user calls by that word count ("my wife" in "My wife Marta is a nurse", "our oven" in "The oven is a
// Bongard"), and those about a name without a noun such as "project". If no claim has the predicate and it is the noun of an attribute
// ("manager"), those count that state the attribute otherwise ("My manager is Dana"). They are ordered by
// predicate, the newest first. Equal claims whose intervals overlap are one fact, with the newest memory. A claim counts while its
// memory is ACTIVE or ARCHIVED, or SUPERSEDED within its interval; a merged memory counts as the
// one that it was merged into. What a document, a tool, an assistant or an extraction says
// otherwise than a user is no fact.
func (svc *Service) Facts(ctx context.Context, c workspace.Caller, in FactsInput) ([]workspace.ClaimView, error) {
	ways := []FactsInput{in}
	if in.Predicate == "" && in.attribute == "" && in.User != "" {
		belongings := in
		belongings.belongings = true
		if ways = append(ways, belongings); speaks(in.Subject, in.User) {
			ways = ways[1:]
		}
	}
	if in.Predicate != "" {
		for _, x := range attribute.Question("What is my " + in.Predicate + "?") {
			for _, name := range x.Attributes {
				stating := in
				stating.Predicate, stating.attribute = "", name
				ways = append(ways, stating)
			}
		}
	}
	also := []string{words.Bare(in.Subject)} // "the Borealis project" is "Borealis"
	if first, thing, _ := strings.Cut(in.Subject, " "); in.User != "" && (strings.EqualFold(first, "my") || strings.EqualFold(first, "our")) {
		also = append(also, thing) // "our oven" is what the user calls "the oven"
	}
	for _, name := range also {
		if name != "" {
			bare := in
			bare.Subject = name
			ways = append(ways, bare)
		}
	}
	for _, way := range ways {
		facts, err := svc.facts(ctx, c, way)
		if err == nil && len(facts) == 0 && in.Offset > 0 {
			way.Offset, way.First = 0, 1
			if before, err := svc.facts(ctx, c, way); err != nil || len(before) > 0 {
				return nil, err // the page is after the last one
			}
		}
		if err != nil || len(facts) > 0 {
			return facts, err
		}
	}
	return nil, nil
}

// facts returns the claims with the predicate or the attribute of a query.
func (svc *Service) facts(ctx context.Context, c workspace.Caller, in FactsInput) ([]workspace.ClaimView, error) {
	first, err := workspace.PageSize("first", in.First, 100)
	if err != nil {
		return nil, err
	}
	if in.Offset < 0 || in.Offset > maxFactOffset {
		return nil, graph.FieldError(graph.CodeInvalidRequest, "offset", "must be 0 to %d", maxFactOffset)
	}
	q, err := newFactQuery(c, in)
	if err != nil {
		return nil, err
	}
	t, err := svc.open(ctx, c)
	if err != nil {
		return nil, err
	}
	if err := t.Current(ctx); err != nil {
		return nil, err
	}
	facts, err := svc.withOtherNames(ctx, c, t, q)
	if err != nil {
		return nil, svc.PublicError(err)
	}
	facts = distinct(facts)
	from := min(in.Offset, len(facts))
	return facts[from:min(from+first, len(facts))], nil
}

// factsOf returns the claims that answer a query, in any order.
func (svc *Service) factsOf(ctx context.Context, c workspace.Caller, t *tenant, q *factQuery) (facts []workspace.ClaimView, err error) {
	now := svc.Now()
	var ids []graph.ID
	for _, d := range svc.Index.MemoriesClaiming(t.Scope, q.namespaces, q.key, q.owns, maxFactMemories) {
		ids = append(ids, d.ID)
	}
	if q.in.belongings {
		owns := func(d *index.Doc) bool { return d.User != "" && q.owns(d) && workspace.StateOf(d).Tier != graph.L0 }
		for _, d := range svc.Index.MemoriesClaiming(t.Scope, q.namespaces, claimkey.Owned(extract.Canonical(q.in.User)), owns, maxFactMemories) {
			ids = append(ids, d.ID)
		}
		slices.Sort(ids)
		ids = slices.Compact(ids)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		facts = nil
		for some := range slices.Chunk(ids, factPage) {
			if err := ctx.Err(); err != nil {
				return err
			}
			found, err := graph.Undamaged(r, some)
			if err != nil {
				return err
			}
			for _, m := range found {
				v, err := q.view(r, c, m, now)
				if err != nil {
					return err
				}
				if v != nil && svc.Verify(ctx, t.Scope, v) {
					facts = append(facts, q.of(v, now)...)
				}
			}
		}
		return nil
	})
	return facts, err
}

// factQuery is a validated FactsInput.
type factQuery struct {
	in               FactsInput
	subjects         []string // canonical, any of them
	predicate        string   // as reader.Predicate returns it; empty: all
	namespaces       []string
	owners           []string // nil: all that the caller may see
	key              uint64
	renamed          *alias // the subject is this other name; nil: it is not
	caller           workspace.Caller
	recorded, access workspace.Access
}

func newFactQuery(c workspace.Caller, in FactsInput) (*factQuery, error) {
	q := &factQuery{in: in, caller: c, access: in.Access}
	subject := extract.Canonical(in.Subject)
	switch {
	case len(in.Subject) > graph.MaxName:
		return nil, graph.FieldError(graph.CodeLimitExceeded, "subject", "has %d bytes, more than %d", len(in.Subject), graph.MaxName)
	case len(in.Predicate) > graph.MaxName:
		return nil, graph.FieldError(graph.CodeLimitExceeded, "predicate", "has %d bytes, more than %d", len(in.Predicate), graph.MaxName)
	case subject == "":
		return nil, graph.FieldError(graph.CodeInvalidRequest, "subject", "names nothing")
	}
	if in.Predicate != "" {
		q.predicate = reader.Predicate(in.Predicate)
	}
	var err error
	if q.namespaces, err = c.AllowedNamespaces(in.Namespaces); err != nil {
		return nil, err
	}
	if _, err = c.AllowedUsers(in.User); err != nil {
		return nil, err
	}
	if in.User != "" {
		q.owners = workspace.Owners(c.Reads(in.User))
	}
	if reader.FirstPerson(subject) {
		if subject = reader.User; in.User == "" && in.attribute != "" {
			q.owners = []string{""} // who asks without a name is who spoke without one
		}
	}
	for _, mine := range []string{"my ", "our "} {
		if thing, ok := strings.CutPrefix(subject, mine); ok && in.User != "" {
			subject = extract.Canonical(in.User + "'s " + thing)
		}
	}
	q.ask(subject)
	// A memory of the past may have ended at any time since, so that the instant of valid time
	// does not select memories.
	q.recorded = in.Access
	q.recorded.AsOf.Valid = time.Time{}
	return q, nil
}

// ask sets the canonical subject of the query.
func (q *factQuery) ask(subject string) {
	q.subjects = []string{subject}
	q.key = claimkey.Subject(subject)
	switch {
	case q.in.attribute != "":
		q.key = attribute.Key(subject, q.in.attribute)
	case q.predicate != "":
		q.key = claimkey.Slot(subject, q.predicate)
	}
}

// owns reports whether the query asks about a memory.
func (q *factQuery) owns(d *index.Doc) bool {
	return q.owners == nil || slices.Contains(q.owners, d.User)
}

// view returns a memory whose claims count; nil if they do not.
func (q *factQuery) view(r graph.Reader, c workspace.Caller, m *graph.Memory, now time.Time) (*workspace.View, error) {
	v := workspace.Visible(m, c, q.recorded, now)
	if v == nil || q.owners != nil && !slices.Contains(q.owners, v.User) || q.renamed != nil && !q.renamed.Covers(m) {
		return nil, nil
	}
	for into, steps := m, 0; v.State.Status == graph.Consolidated && into.Consolidated != "" && steps < maxFactMerges; steps++ {
		target, err := r.Memory(into.Consolidated)
		if known, err := graph.Found(err); !known {
			return nil, err
		}
		x := workspace.NewView(target, q.recorded, now)
		if x == nil {
			return nil, nil
		}
		into = target
		v.State.Status, v.State.ValidTo = x.State.Status, earlier(v.State.ValidTo, x.State.ValidTo)
	}
	switch v.State.Status {
	case graph.Active, graph.Archived, graph.Superseded:
	case graph.Expired:
		if !q.in.IncludePast {
			return nil, nil
		}
	default:
		return nil, nil
	}
	v.Access = q.access
	return v, nil
}

// earlier returns the earlier of two ends; zero: no end.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// of returns the claims of a memory that answer the query.
func (q *factQuery) of(v *workspace.View, now time.Time) []workspace.ClaimView {
	return slices.DeleteFunc(q.held(v, now), func(x workspace.ClaimView) bool {
		if q.in.attribute != "" {
			return !attribute.States(x.MemoryView.Memory, x.Claim, x.State, q.in.attribute, q.subjects)
		}
		return q.predicate != "" && !q.says(x.State) || !q.about(x) && !q.aboutBelonging(x)
	})
}

// says reports whether a state of a claim has the predicate of the query, by itself or with its object.
func (q *factQuery) says(s graph.ClaimState) bool {
	return reader.Predicate(s.Predicate) == q.predicate || reader.ClaimPredicate(s.Predicate, s.Object) == q.predicate
}

// aboutBelonging reports whether a claim is about what belongs to the subject, if that is the user, else about what the user calls
// by the subject, without the name that may follow: "ana's wife Marta".
func (q *factQuery) aboutBelonging(x workspace.ClaimView) bool {
	if !q.in.belongings || x.MemoryView.User == "" {
		return false
	}
	owned := extract.Canonical(q.in.User + "'s x")
	owned = owned[:len(owned)-1]
	names := words.Subjects(x.State.Subject)
	subject := extract.Canonical(names[0])
	if speaks(q.in.Subject, q.in.User) {
		return strings.HasPrefix(subject, owned)
	}
	if len(names) > 1 {
		subject = extract.Canonical(strings.TrimSuffix(names[0], names[1]))
	}
	return slices.ContainsFunc(q.subjects, func(s string) bool { return subject == s || subject == owned+s })
}

// held returns the claims of a memory that hold at the instant asked about, about any subject,
// and if the query includes the past those that held before.
func (q *factQuery) held(v *workspace.View, now time.Time) []workspace.ClaimView {
	at := q.access.ValidInstant(now)
	return slices.DeleteFunc(v.Claims(now), func(x workspace.ClaimView) bool {
		past := q.in.IncludePast && x.Assertion && everHeld(x) && !x.ValidTo.IsZero() && !x.ValidTo.After(at)
		return !x.Current && !past
	})
}

// everHeld reports whether a claim held at any time. A correction leaves an interval without an
// instant. Of "I used to live in Oslo" only the end is known.
func everHeld(x workspace.ClaimView) bool {
	m, s := x.MemoryView, x.MemoryView.State
	if !s.ValidTo.IsZero() && !s.ValidTo.After(m.ValidFrom) {
		return false
	}
	return x.ValidTo.IsZero() || x.ValidTo.After(x.ValidFrom) || x.Claim.Modality == reader.Past.String()
}

// withoutOverruled removes claims that a claim of a user in the same slot contradicts, unless a user
// or the system makes them too: they are rivals that may revise nothing.
func withoutOverruled(facts []workspace.ClaimView) []workspace.ClaimView {
	return slices.DeleteFunc(slices.Clone(facts), func(x workspace.ClaimView) bool {
		return slices.ContainsFunc(facts, func(y workspace.ClaimView) bool { return overrules(y, x) })
	})
}

// overrules reports whether a claim x contradicts a claim y that may not revise it.
func overrules(x, y workspace.ClaimView) bool {
	a, b := x.MemoryView, y.MemoryView
	if workspace.MayReplace(b.Memory, a.Memory) || a.Namespace != b.Namespace || a.Project != b.Project || b.User != "" && a.User != b.User || x.Attribute() != y.Attribute() || !overlap(x, y) {
		return false
	}
	if extract.Canonical(x.State.Object) == extract.Canonical(y.State.Object) {
		return x.State.Negated != y.State.Negated
	}
	return (x.Claim.Single || y.Claim.Single) && !x.State.Negated && !y.State.Negated
}

// distinct removes facts that say the same as another one at an overlapping time, merged ones
// before others and older ones before newer, and sorts the rest by predicate, the newest first.
func distinct(facts []workspace.ClaimView) []workspace.ClaimView {
	type saying struct {
		predicate, subject, object string
		negated                    bool
	}
	newest := func(a, b workspace.ClaimView) int {
		return cmp.Or(b.ValidFrom.Compare(a.ValidFrom), cmp.Compare(b.MemoryView.ID, a.MemoryView.ID), cmp.Compare(a.Claim.N, b.Claim.N))
	}
	groups := map[saying][]workspace.ClaimView{}
	for _, f := range facts {
		s := saying{reader.Predicate(f.State.Predicate), extract.Canonical(f.State.Subject), extract.Canonical(f.State.Object), f.State.Negated}
		groups[s] = append(groups[s], f)
	}
	predicates := map[string]string{} // by the id of the claim
	var out []workspace.ClaimView
	for s, group := range groups {
		slices.SortFunc(group, func(a, b workspace.ClaimView) int {
			return cmp.Or(cmp.Compare(a.MemoryView.Memory.Consolidated, "")-cmp.Compare(b.MemoryView.Memory.Consolidated, ""), newest(a, b))
		})
		from := len(out)
		for _, f := range group {
			if !slices.ContainsFunc(out[from:], func(x workspace.ClaimView) bool { return overlap(x, f) }) {
				out = append(out, f)
				predicates[f.ID] = s.predicate
			}
		}
	}
	slices.SortFunc(out, func(a, b workspace.ClaimView) int {
		return cmp.Or(cmp.Compare(predicates[a.ID], predicates[b.ID]), newest(a, b))
	})
	return out
}

// overlap reports whether the intervals of two claims have an instant in common.
func overlap(a, b workspace.ClaimView) bool {
	return (a.ValidTo.IsZero() || b.ValidFrom.Before(a.ValidTo)) && (b.ValidTo.IsZero() || a.ValidFrom.Before(b.ValidTo))
}
