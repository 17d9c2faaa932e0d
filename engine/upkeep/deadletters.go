package upkeep

import (
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// DeadLetterInput selects dead letters for a list.
type DeadLetterInput struct {
	Namespaces []string
	Work       workspace.Work // empty: any
	First      int            // 1 to 1,000; 0 is 20
	After      graph.ID       // the letter before the page
}

// DeadLetters lists the dead letters that the caller may see, in the order in which the
// memories were created, and reports whether there are more.
func (svc *Service) DeadLetters(ctx context.Context, c workspace.Caller, in DeadLetterInput) ([]workspace.DeadLetter, bool, error) {
	first, err := workspace.PageSize("first", in.First, 20)
	if err != nil {
		return nil, false, err
	}
	spaces, err := c.AllowedNamespaces(in.Namespaces)
	if err != nil {
		return nil, false, err
	}
	var out []workspace.DeadLetter
	more := false
	err = svc.Store.View(ctx, c.Scope(), func(r graph.Reader) error {
		return workspace.EachLetter(ctx, r, in.After, func(x workspace.DeadLetter, _ *graph.Memory) bool {
			if len(spaces) > 0 && !slices.Contains(spaces, x.Namespace) || in.Work != "" && in.Work != x.Work {
				return true
			}
			if more = len(out) == first; !more {
				out = append(out, x)
			}
			return !more
		})
	})
	if err != nil {
		return nil, false, svc.PublicError(err)
	}
	return out, more, nil
}
