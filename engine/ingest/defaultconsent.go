package ingest

import (
	"cmp"
	"context"
	"slices"

	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph"
)

// DefaultConsent returns the consent of a write that names none: that of the namespace's policy, else
// that of the server. It is empty if such a write is refused.
func (svc *Service) DefaultConsent(ctx context.Context, wt *workspace.Tenant, namespace string) (consent graph.Consent, err error) {
	namespace = cmp.Or(namespace, workspace.DefaultNamespace)
	if !graph.ValidNamespace(namespace) {
		return "", nil // CheckInput reports it
	}
	err = wt.View(ctx, func(r graph.Reader) error {
		p, err := workspace.PolicyOf(r, namespace)
		if err == nil {
			consent = p.ConsentFor(svc.Space.DefaultConsent)
		}
		return err
	})
	return consent, err
}

// withDefaultConsents returns the inputs with the default consent where none is named.
func (svc *Service) withDefaultConsents(ctx context.Context, wt *workspace.Tenant, in []RememberInput) ([]RememberInput, error) {
	if !slices.ContainsFunc(in, func(x RememberInput) bool { return x.Consent == "" }) {
		return in, nil
	}
	in = slices.Clone(in)
	known := map[string]graph.Consent{}
	for i := range in {
		if in[i].Consent != "" {
			continue
		}
		consent, read := known[in[i].Namespace]
		if !read {
			var err error
			if consent, err = svc.DefaultConsent(ctx, wt, in[i].Namespace); err != nil {
				return nil, err
			}
			known[in[i].Namespace] = consent
		}
		in[i].Consent, in[i].defaulted = consent, consent != ""
	}
	return in, nil
}
