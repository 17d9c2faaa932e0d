package hint

import (
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// Extension is the key in the extensions of an error that holds the input at fault.
const Extension = "field"

// Rules returns the validation rules of GraphQL. Their errors about arguments have the argument at
// fault in their extensions, and list the values of an enum. With names false they suggest no names
// of the schema; gqlgen itself replaces two further rules.
func Rules(names bool) *rules.Rules {
	all := rules.NewDefaultRules()
	values, arguments := rules.ValuesOfCorrectTypeRule, rules.KnownArgumentNamesRule
	if !names {
		values, arguments = rules.ValuesOfCorrectTypeRuleWithoutSuggestions, rules.KnownArgumentNamesRuleWithoutSuggestions
		all.RemoveRule(rules.KnownTypeNamesRule.Name)
		all.AddRule(rules.KnownTypeNamesRuleWithoutSuggestions.Name, rules.KnownTypeNamesRuleWithoutSuggestions.RuleFunc)
	}
	required := rules.ProvidedRequiredArgumentsRule
	all.ReplaceRule(rules.ValuesOfCorrectTypeRule.Name, aboutValues(values.RuleFunc, names))
	all.ReplaceRule(rules.KnownArgumentNamesRule.Name, aboutArguments(arguments.RuleFunc, unknownArguments))
	all.ReplaceRule(required.Name, aboutArguments(required.RuleFunc, missingArguments))
	return all
}

// aboutArguments runs a rule whose errors name one of the arguments that candidates returns.
func aboutArguments(rule core.RuleFunc, candidates func(ast.ArgumentDefinitionList, ast.ArgumentList) []string) core.RuleFunc {
	return func(observers *core.Events, add core.AddErrFunc) {
		var now []string // candidates of the field that the rule looks at
		observers.OnField(func(_ *core.Walker, f *ast.Field) {
			if now = nil; f.Definition != nil {
				now = candidates(f.Definition.Arguments, f.Arguments)
			}
		})
		observers.OnDirective(func(_ *core.Walker, d *ast.Directive) {
			if now = nil; d.Definition != nil {
				now = candidates(d.Definition.Arguments, d.Arguments)
			}
		})
		rule(observers, func(options ...core.ErrorOption) {
			add(append(slices.Clone(options), func(e *gqlerror.Error) { setField(e, named(e.Message, now)) })...)
		})
	}
}

func unknownArguments(defined ast.ArgumentDefinitionList, given ast.ArgumentList) (names []string) {
	for _, a := range given {
		if defined.ForName(a.Name) == nil {
			names = append(names, a.Name)
		}
	}
	return names
}

func missingArguments(defined ast.ArgumentDefinitionList, given ast.ArgumentList) (names []string) {
	for _, d := range defined {
		if given.ForName(d.Name) == nil {
			names = append(names, d.Name)
		}
	}
	return names
}

// aboutValues runs the rule about the types of literals. The rule sees a value without its path. Its
// errors wait until the walk reaches the field, directive or variable that the value is given to.
func aboutValues(rule core.RuleFunc, names bool) core.RuleFunc {
	return func(observers *core.Events, add core.AddErrFunc) {
		var now *ast.Value // the value that the rule looks at
		waiting := map[*ast.Value][]*gqlerror.Error{}
		observers.OnValue(func(_ *core.Walker, v *ast.Value) { now = v })
		rule(observers, func(options ...core.ErrorOption) {
			v := now
			add(append(slices.Clone(options), func(e *gqlerror.Error) {
				if names && v.Definition != nil && len(v.Children) == 0 {
					e.Message = strings.TrimSuffix(e.Message, ".") + allowed(v.Definition)
				}
				waiting[v] = append(waiting[v], e)
			})...)
		})
		observers.OnField(func(_ *core.Walker, f *ast.Field) { place(waiting, f.Arguments) })
		observers.OnDirective(func(_ *core.Walker, d *ast.Directive) { place(waiting, d.Arguments) })
		observers.OnOperation(func(_ *core.Walker, op *ast.OperationDefinition) {
			for _, d := range op.VariableDefinitions {
				if d.DefaultValue != nil {
					placeValue(waiting, ast.Path{ast.PathName(d.Variable)}, d.DefaultValue)
				}
			}
		})
	}
}

func place(waiting map[*ast.Value][]*gqlerror.Error, given ast.ArgumentList) {
	if len(waiting) == 0 {
		return
	}
	for _, a := range given {
		placeValue(waiting, ast.Path{ast.PathName(a.Name)}, a.Value)
	}
}

// placeValue gives the errors about a value and its parts their fields. An error about an object is
// about one of its names: an unknown one, or one that is required and missing.
func placeValue(waiting map[*ast.Value][]*gqlerror.Error, path ast.Path, v *ast.Value) {
	for _, e := range waiting[v] {
		at := path
		if name := named(e.Message, suspects(v)); name != "" {
			at = append(slices.Clone(path), ast.PathName(name))
		}
		setField(e, Dotted(at))
	}
	delete(waiting, v)
	for i, child := range v.Children {
		var part ast.PathElement = ast.PathName(child.Name)
		if v.Kind == ast.ListValue {
			part = ast.PathIndex(i)
		}
		placeValue(waiting, append(slices.Clone(path), part), child.Value)
	}
}

// suspects are the names of an object that its type does not know, and those that it lacks.
func suspects(v *ast.Value) (names []string) {
	if v.Kind != ast.ObjectValue || v.Definition == nil {
		return nil
	}
	for _, child := range v.Children {
		if v.Definition.Fields.ForName(child.Name) == nil {
			names = append(names, child.Name)
		}
	}
	for _, f := range v.Definition.Fields {
		if v.Children.ForName(f.Name) == nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// named returns the name that a message of a rule quotes: alone, or after its type.
func named(message string, names []string) string {
	best, at := "", len(message)
	for _, name := range names {
		for _, quoted := range []string{`"` + name + `"`, `.` + name + `"`} {
			if i := strings.Index(message, quoted); i >= 0 && i < at {
				best, at = name, i
			}
		}
	}
	return best
}

func setField(e *gqlerror.Error, field string) {
	if field == "" {
		return
	}
	if e.Extensions == nil {
		e.Extensions = map[string]any{}
	}
	e.Extensions[Extension] = field
}
