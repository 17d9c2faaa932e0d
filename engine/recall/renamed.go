package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader"
	words "github.com/somnograph/somnograph/engine/reader/wording"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/index"
)

const (
	maxRenames   = 64 // memories that say how something is called that are read for a name
	maxOtherName = 8  // earlier names of one thing
)

// alias is an earlier name of something, where a statement says so.
type alias struct {
	name      string // canonical
	written   string
	namespace string
	user      string // empty: for all users
}

// covers reports whether the name stands in a memory for what was renamed.
func (a *alias) covers(m *graph.Memory) bool {
	return m.Namespace == a.namespace && (a.user == "" || m.User == "" || m.User == a.user)
}

// earlierNames returns the names that what has a name now had before, as users say it in memories that the query sees: the
// statement holds at the instant asked about. A question, a condition, a plan or what an assistant says renames nothing.
func (svc *Service) earlierNames(ctx context.Context, c workspace.Caller, q *factQuery, name string) (out []alias, err error) {
	t, err := svc.open(ctx, c)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{name: true}
	for ask := []alias{{name: name}}; len(ask) > 0 && len(out) < maxOtherName; ask = ask[1:] {
		found, err := svc.namedAt(ctx, c, t, q, ask[0])
		if err != nil {
			return nil, err
		}
		for _, a := range found {
			if !known[a.name] && len(out) < maxOtherName {
				known[a.name] = true
				out, ask = append(out, a), append(ask, a)
			}
		}
	}
	return out, nil
}

// namedAt returns what is said to be called by a name.
func (svc *Service) namedAt(ctx context.Context, c workspace.Caller, t *tenant, q *factQuery, of alias) (out []alias, err error) {
	var ids []graph.ID
	spaces := q.namespaces
	if of.namespace != "" {
		spaces = []string{of.namespace}
	}
	for _, d := range svc.Index.MemoriesClaiming(t.Scope, spaces, reader.RenamedKey(of.name), func(d *index.Doc) bool { return q.owns(d) }, maxRenames) {
		ids = append(ids, d.ID)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	now := svc.Now()
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		out = nil
		found, err := graph.Undamaged(r, ids)
		if err != nil {
			return err
		}
		for _, m := range found {
			if m.SourceKind != graph.FromUser && m.SourceKind != graph.FromSystem || of.namespace != "" && !of.covers(m) {
				continue
			}
			v, err := q.view(r, c, m, now)
			if err != nil {
				return err
			}
			if v != nil && svc.Verify(ctx, t.Scope, v) {
				out = append(out, namesBefore(v, v.Claims(now), of.name)...)
			}
		}
		return nil
	})
	return out, err
}

// namesBefore returns what the claims of a memory say to be called by a name.
func namesBefore(v *workspace.View, claims []workspace.ClaimView, name string) (out []alias) {
	add := func(written string) {
		for _, n := range words.Names(written) {
			out = append(out, alias{n, written, v.Namespace, v.User})
		}
	}
	for _, x := range claims {
		asserted := x.Claim.Modality == reader.Asserted.String() || x.State.Corrected
		if !x.Current || !asserted || x.State.Negated || !reader.Renames(x.State.Predicate) || !slices.Contains(words.Names(x.State.Object), name) {
			continue
		}
		if subject := x.State.Subject; words.IsName(subject) || v.User != "" && extract.Canonical(subject) == extract.Canonical(v.User) {
			add(subject)
		}
		for _, other := range x.Claim.Qualifiers {
			if words.IsName(other.Text) && strings.Contains(v.Content, " from "+other.Text) {
				add(other.Text) // "I changed my name from Anna Berg to Anna Holm"
			}
		}
	}
	return out
}

// underEarlierNames returns the queries for what is stated about the subject of a query under its earlier names.
func (svc *Service) underEarlierNames(ctx context.Context, c workspace.Caller, q *factQuery) (out []*factQuery, err error) {
	subject := q.subjects[0]
	owner, thing, possessed := strings.Cut(subject, "'s ")
	names, err := svc.earlierNames(ctx, c, q, cmp.Or(owner, subject))
	if err != nil {
		return nil, err
	}
	for i := range names {
		of := names[i].name
		if possessed {
			of += "'s " + thing
		}
		x := *q
		x.renamed = &names[i]
		x.ask(of)
		out = append(out, &x)
	}
	return out, nil
}

// withoutOlderNames removes facts stated under an earlier name that a newer one replaces: it gives a predicate with one value
// another value under a later name.
func withoutOlderNames(facts []workspace.ClaimView, older map[string]bool) []workspace.ClaimView {
	return slices.DeleteFunc(slices.Clone(facts), func(x workspace.ClaimView) bool {
		return older[x.ID] && slices.ContainsFunc(facts, func(y workspace.ClaimView) bool {
			return x.Claim.Single && y.Claim.Single && x.Attribute() == y.Attribute() && x.State.Subject != y.State.Subject && !x.State.Negated && !y.State.Negated && x.Current && y.Current && y.ValidFrom.After(x.ValidFrom)
		})
	})
}

// withEarlierNames adds to a question the earlier names of what it names. It returns a question that is too long as it is,
// which the search refuses.
func (svc *Service) withEarlierNames(ctx context.Context, c workspace.Caller, in SearchInput) (string, error) {
	question := in.Query
	if len(question) > maxQuery {
		return question, nil
	}
	looked := map[string]bool{}
	for i, w := range queryWords(in.Query) {
		if looked[w] || !words.IsName(w) || i == 0 && len(in.Query) > len(w) && !strings.Contains(w, "-") {
			continue
		}
		looked[w] = true
		q, err := newFactQuery(c, FactsInput{Subject: w, User: in.User, Namespaces: in.Namespaces, Access: in.Access})
		if err != nil {
			return in.Query, nil // the search reports it
		}
		names, err := svc.earlierNames(ctx, c, q, q.subjects[0])
		if err != nil {
			return "", err
		}
		for _, a := range names {
			if len(question)+len(a.written) < maxQuery && !strings.Contains(question, a.written) {
				question += " " + a.written
			}
		}
	}
	return question, nil
}
