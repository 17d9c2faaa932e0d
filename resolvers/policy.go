package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

var noPolicies = graph.Errorf(graph.CodeUnavailable, "this version has no policies yet")

func (r query) NamespacePolicy(context.Context, *string) (*gql.NamespacePolicy, error) {
	return nil, noPolicies
}

func (r mutation) SetNamespacePolicy(context.Context, gql.NamespacePolicyInput) (*gql.NamespacePolicy, error) {
	return nil, noPolicies
}
