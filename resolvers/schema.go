package resolvers

import (
	"maps"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

// executableSchema is the schema with its resolvers. With a real clock it lacks advanceClock.
func executableSchema(r *resolverRoot) graphql.ExecutableSchema {
	config := gql.Config{Resolvers: r}
	if r.advance == nil {
		config.Schema = withoutMutation(gql.NewExecutableSchema(config).Schema(), "advanceClock")
	}
	return gql.NewExecutableSchema(config)
}

// withoutMutation returns a copy of the schema without one mutation.
func withoutMutation(s *ast.Schema, mutation string) *ast.Schema {
	pruned, verbs := *s, *s.Mutation
	verbs.Fields = nil
	for _, f := range s.Mutation.Fields {
		if f.Name != mutation {
			verbs.Fields = append(verbs.Fields, f)
		}
	}
	pruned.Mutation = &verbs
	pruned.Types = maps.Clone(s.Types)
	pruned.Types[verbs.Name] = &verbs
	pruned.PossibleTypes = maps.Clone(s.PossibleTypes)
	pruned.PossibleTypes[verbs.Name] = []*ast.Definition{&verbs}
	return &pruned
}
