package resolvers

import (
	"maps"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"

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

// withoutSuggestions returns validation rules whose errors do not suggest names of the schema.
// gqlgen itself replaces two further rules.
func withoutSuggestions() *rules.Rules {
	r := rules.NewDefaultRules()
	for loud, quiet := range map[string]core.Rule{
		rules.KnownArgumentNamesRule.Name:  rules.KnownArgumentNamesRuleWithoutSuggestions,
		rules.KnownTypeNamesRule.Name:      rules.KnownTypeNamesRuleWithoutSuggestions,
		rules.ValuesOfCorrectTypeRule.Name: rules.ValuesOfCorrectTypeRuleWithoutSuggestions,
	} {
		r.RemoveRule(loud)
		r.AddRule(quiet.Name, quiet.RuleFunc)
	}
	return r
}
