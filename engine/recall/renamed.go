package recall

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine/extract"
	"github.com/somnograph/somnograph/engine/reader"
	"github.com/somnograph/somnograph/engine/reader/claimkey"
	words "github.com/somnograph/somnograph/engine/reader/wording"
	"github.com/somnograph/somnograph/engine/recall/phrase"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

const (
	maxRenames   = 64 // memories that say how something is called that are read for a name
	maxOtherName = 8  // other names of one thing
)

// alias is another name of something, where a statement says so.
type alias = workspace.OtherName

// renaming is a direction in which names are followed.
type renaming struct {
	key func(name string) uint64
	of  func(v *workspace.View, now time.Time, name string) []alias
}

var (
	namesBefore = renaming{claimkey.Renamed, (*workspace.View).NamesBefore}
	namesAfter  = renaming{func(name string) uint64 { return claimkey.Slot(name, "is called") }, (*workspace.View).NamesAfter}
)

// otherNames returns the names that what has a name now had before, or those that it got after it had the name, as users say it
// in memories that the query sees: the statement holds at the instant asked about. What an assistant says renames nothing.
func (svc *Service) otherNames(ctx context.Context, c workspace.Caller, q *factQuery, name string, way renaming) (out []alias, err error) {
	t, err := svc.open(ctx, c)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{name: true}
	for ask := []alias{{Name: name}}; len(ask) > 0 && len(out) < maxOtherName; ask = ask[1:] {
		found, err := svc.namedAt(ctx, c, t, q, ask[0], way)
		if err != nil {
			return nil, err
		}
		for _, a := range found {
			if !known[a.Name] && len(out) < maxOtherName {
				known[a.Name] = true
				out, ask = append(out, a), append(ask, a)
			}
		}
	}
	return out, nil
}

// namedAt returns the names that statements give next to a name.
func (svc *Service) namedAt(ctx context.Context, c workspace.Caller, t *tenant, q *factQuery, of alias, way renaming) (out []alias, err error) {
	spaces := q.namespaces
	if of.Namespace != "" {
		spaces = []string{of.Namespace}
	}
	found, err := svc.claiming(ctx, c, t, q, spaces, way.key(of.Name), maxRenames)
	for _, v := range found {
		if workspace.MayRename(v.Memory) && (of.Namespace == "" || of.Covers(v.Memory)) {
			out = append(out, way.of(v, svc.Now(), of.Name)...)
		}
	}
	return out, err
}

// claiming returns the memories with a key of a claim that a query sees.
func (svc *Service) claiming(ctx context.Context, c workspace.Caller, t *tenant, q *factQuery, spaces []string, key uint64, limit int) (out []*workspace.View, err error) {
	var ids []graph.ID
	for _, d := range svc.Index.MemoriesClaiming(t.Scope, spaces, key, q.owns, limit) {
		ids = append(ids, d.ID)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		out = nil
		found, err := graph.Undamaged(r, ids)
		for _, m := range found {
			v, failed := q.view(r, c, m, svc.Now())
			if err = cmp.Or(err, failed); v != nil && svc.Verify(ctx, t.Scope, v) {
				out = append(out, v)
			}
		}
		return err
	})
	return out, err
}

// underOtherNames returns the queries for what is stated about the subject of a query under the names before or after its own.
func (svc *Service) underOtherNames(ctx context.Context, c workspace.Caller, q *factQuery, way renaming) (out []*factQuery, err error) {
	subject := q.subjects[0]
	owner, thing, possessed := strings.Cut(subject, "'s ")
	names, err := svc.otherNames(ctx, c, q, cmp.Or(owner, subject), way)
	if err != nil {
		return nil, err
	}
	for i := range names {
		of := names[i].Name
		if possessed {
			of += "'s " + thing
		}
		out = append(out, q.under(&names[i], of))
	}
	return out, nil
}

// under returns the query with another name of its subject.
func (q *factQuery) under(name *alias, subject string) *factQuery {
	x := *q
	x.renamed = name
	x.ask(subject)
	return &x
}

// withOtherNames returns the claims that answer a query, also under the names that its subject had before and got later, and by which a user introduced it.
func (svc *Service) withOtherNames(ctx context.Context, c workspace.Caller, t *tenant, q *factQuery) (facts []workspace.ClaimView, err error) {
	earlier, err := svc.underOtherNames(ctx, c, q, namesBefore)
	if err != nil {
		return nil, err
	}
	later, err := svc.underOtherNames(ctx, c, q, namesAfter)
	if err != nil {
		return nil, err
	}
	called := q.subjects[0]
	if called == reader.User && q.in.User != "" {
		called = extract.Canonical(q.in.User)
	}
	same, err := workspace.Introduced(called, svc.Now(), func(key uint64) ([]*workspace.View, error) {
		return svc.claiming(ctx, c, t, q, q.namespaces, key, workspace.MaxIntroductions)
	})
	if err != nil {
		return nil, err
	}
	older := map[string]bool{} // stated under a name that another one replaced
	add := func(q *factQuery, replaced time.Time) error {
		found, err := svc.factsOf(ctx, c, t, q)
		for _, x := range found {
			older[x.ID] = !replaced.IsZero() && !x.ValidFrom.After(replaced)
		}
		facts = append(facts, found...)
		return err
	}
	var replaced time.Time // when the first later name replaced the one asked about
	if len(later) > 0 {
		replaced = later[0].renamed.From
	}
	err = add(q, replaced)
	for i := 0; i < len(same) && err == nil; i++ {
		err = add(q.under(&same[i], same[i].Name), time.Time{})
	}
	for i := 0; i < len(earlier) && err == nil; i++ {
		err = add(earlier[i], svc.Now())
	}
	for i := 0; i < len(later) && err == nil; i++ {
		var next time.Time
		if i+1 < len(later) {
			next = later[i+1].renamed.From
		}
		err = add(later[i], next)
	}
	return withoutOlderNames(withoutOverruled(facts), older), err
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

// nameAlso adds to a question the other names of what it names. It returns a question that is too long as it is,
// which the search refuses.
func (svc *Service) nameAlso(ctx context.Context, c workspace.Caller, in SearchInput) (string, error) {
	question := in.Query
	if len(question) > maxQuery {
		return question, nil
	}
	looked := map[string]bool{}
	for i, w := range phrase.Parts(in.Query) {
		if looked[w] || !words.IsName(w) || i == 0 && len(in.Query) > len(w) && !strings.Contains(w, "-") {
			continue
		}
		looked[w] = true
		q, err := newFactQuery(c, FactsInput{Subject: w, User: in.User, Namespaces: in.Namespaces, Access: in.Access})
		if err != nil {
			return in.Query, nil // the search reports it
		}
		for _, way := range []renaming{namesBefore, namesAfter} {
			names, err := svc.otherNames(ctx, c, q, q.subjects[0], way)
			if err != nil {
				return "", err
			}
			for _, a := range names {
				if len(question)+len(a.Written) < maxQuery && !strings.Contains(question, a.Written) {
					question += " " + a.Written
				}
			}
		}
	}
	return question, nil
}
