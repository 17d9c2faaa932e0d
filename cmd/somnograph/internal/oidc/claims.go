package oidc

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/invisible"
)

// callerOf makes the caller of the claims of an authentic token. Credential and Until are not set.
func (i *Issuer) callerOf(c claims) (engine.Caller, error) {
	var caller engine.Caller
	var err error
	if caller.Tenant, err = i.tenantOf(c); err != nil {
		return engine.Caller{}, err
	}
	sub, _, err := c.name("sub")
	if err != nil {
		return engine.Caller{}, err
	}
	if *i.UserClaim != "" {
		var has bool
		if caller.User, has, err = c.name(*i.UserClaim); err != nil {
			return engine.Caller{}, err
		}
		if !has && !i.UserOptional {
			return engine.Caller{}, wrongClaim
		}
	}
	// As for keys: what a user says through several credentials is one source of evidence. Others are
	// told apart by issuer and subject.
	if caller.Name = caller.User; caller.Name == "" {
		if sub == "" {
			return engine.Caller{}, wrongClaim
		}
		caller.Name = i.Issuer + "#" + sub
	}
	if i.AgentClaim != "" {
		if caller.Agent, _, err = c.name(i.AgentClaim); err != nil {
			return engine.Caller{}, err
		}
	}
	if caller.Namespaces, err = i.namespacesOf(c); err != nil {
		return engine.Caller{}, err
	}
	if caller.Scopes, err = i.scopesOf(c); err != nil {
		return engine.Caller{}, err
	}
	caller.Admin = access.Grants(caller.Scopes, access.MemoryAdmin)
	if caller.Grant, err = i.authorityOf(c, caller.Admin); err != nil {
		return engine.Caller{}, err
	}
	return caller, nil
}

// name is a claim that must be the name of a user, an agent or a principal; has is false if the token has no such claim. Tenants and namespaces have
// rules of their own, which allow fewer characters.
func (c claims) name(claim string) (name string, has bool, err error) {
	name, has, err = c.text(claim)
	switch {
	case err != nil || !has:
		return "", has, err
	case len(name) > graph.MaxName || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl):
		return "", true, wrongClaim
	case invisible.Nothing(name):
		return "", true, blankClaim
	}
	return name, true, nil
}

func (i *Issuer) tenantOf(c claims) (graph.Tenant, error) {
	if i.Tenant != "" {
		return i.Tenant, nil
	}
	name, has, err := c.text(i.TenantClaim)
	scope := graph.Scope{Tenant: graph.Tenant(name)}
	switch {
	case err != nil || !has || scope.Validate() != nil || scope.IsServer():
		return "", wrongClaim
	case len(i.Tenants) > 0 && !slices.Contains(i.Tenants, name):
		return "", wrongTenant
	}
	return scope.Tenant, nil
}

// namespacesOf are the granted namespaces; nil: all.
func (i *Issuer) namespacesOf(c claims) ([]string, error) {
	if i.NamespacesClaim == "" {
		return nil, nil
	}
	names, _, err := c.words(i.NamespacesClaim, true)
	if err != nil || len(names) == 0 {
		return nil, wrongClaim
	}
	if len(names) == 1 && names[0] == "*" {
		return nil, nil
	}
	for _, n := range names {
		if !graph.ValidNamespace(n) {
			return nil, wrongClaim
		}
	}
	return slices.Compact(slices.Sorted(slices.Values(names))), nil
}

// scopesOf are the scopes up to the ceiling, in the order of access.AllScopes.
func (i *Issuer) scopesOf(c claims) ([]access.Scope, error) {
	values, _, err := c.words(i.ScopesClaim, true)
	if err != nil {
		return nil, err
	}
	names := slices.Clone(i.Scopes)
	for _, v := range values {
		names = append(append(names, v), i.Grants[v]...)
	}
	var scopes []access.Scope
	for _, s := range access.AllScopes {
		if slices.Contains(names, s.String()) && slices.Contains(i.Ceiling, s.String()) {
			scopes = append(scopes, s)
		}
	}
	if len(scopes) == 0 {
		return nil, noScope
	}
	return scopes, nil
}

func (i *Issuer) authorityOf(c claims, admin bool) (float64, error) {
	if i.AuthorityClaim != "" {
		v, has, err := c.number(i.AuthorityClaim)
		switch {
		case err != nil || has && !(v >= 0 && v <= 1):
			return 0, wrongClaim
		case has:
			return v, nil
		}
	}
	if i.Authority != nil {
		return *i.Authority, nil
	}
	return access.DefaultAuthority(admin), nil
}
