package limit

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// memoryCost is the cost of a memory, which may have 32 KiB.
const memoryCost = 5

// largestPage is the largest list that any field returns. Fields refuse larger values, so these
// cost nothing.
const largestPage = 5000

// pageArguments are the arguments that limit the number of items of a field.
var pageArguments = map[string]bool{"first": true, "budget": true, "buckets": true, "topK": true}

// introspected are the lists of introspection whose items cost something, with how many count: about a quarter of what they have, because nothing is
// read from a store. The query of GraphiQL costs 15,000.
var introspected = map[string]int{"types": 50, "fields": 8, "args": 2, "inputFields": 4, "enumValues": 2}

// Cost is the maximum number of objects in the response of a valid operation. An object costs
// 1, a memory memoryCost, a leaf nothing. A field with an argument that limits a list, or with
// a list of inputs, multiplies the cost below it.
func Cost(op *ast.OperationDefinition, vars map[string]any) int {
	c := costCounter{vars: vars, fragments: map[string]int{}}
	return c.selectionCost(op.SelectionSet)
}

type costCounter struct {
	vars      map[string]any
	fragments map[string]int // each is counted once
}

func (c costCounter) selectionCost(set ast.SelectionSet) int {
	sum := 0
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			sum += c.fieldCost(s)
		case *ast.InlineFragment:
			sum += c.selectionCost(s.SelectionSet)
		case *ast.FragmentSpread:
			n, known := c.fragments[s.Name]
			if !known {
				n = c.selectionCost(s.Definition.SelectionSet)
				c.fragments[s.Name] = n
			}
			sum += n
		}
		sum = min(sum, math.MaxInt32)
	}
	return sum
}

func (c costCounter) fieldCost(f *ast.Field) int {
	if len(f.SelectionSet) == 0 {
		return 0
	}
	own := 1
	if f.Definition.Type.Name() == "Memory" {
		own = memoryCost
	}
	return min(math.MaxInt32, c.multiplier(f)*(own+c.selectionCost(f.SelectionSet)))
}

// multiplier is the maximum number of items of the field, at least 1.
func (c costCounter) multiplier(f *ast.Field) int {
	n := 1
	if f.ObjectDefinition != nil && strings.HasPrefix(f.ObjectDefinition.Name, "__") {
		n = max(n, introspected[f.Name])
	}
	given := f.ArgumentMap(c.vars)
	for _, arg := range f.Definition.Arguments {
		switch value := given[arg.Name].(type) {
		case []any:
			if arg.Type.Elem != nil && arg.Name == "input" {
				n = max(n, len(value))
			}
		case map[string]any:
			if asked, ok := intArgument(value["topK"]); ok {
				n = max(n, asked)
			} else if arg.Type.Name() == "SearchInput" {
				n = max(n, 10)
			}
		default:
			if !pageArguments[arg.Name] {
				continue
			}
			if asked, ok := intArgument(value); ok {
				n = max(n, asked)
			} else if arg.DefaultValue != nil {
				if usual, err := arg.DefaultValue.Value(nil); err == nil {
					asked, _ := intArgument(usual)
					n = max(n, asked)
				}
			}
		}
	}
	return n
}

// intArgument reads an Int from a literal, a variable or a part of one. A value that every
// field refuses becomes 0.
func intArgument(v any) (int, bool) {
	var n int64
	switch v := v.(type) {
	case int64:
		n = v
	case int:
		n = int64(v)
	case json.Number:
		var err error
		if n, err = v.Int64(); err != nil {
			return 0, true
		}
	default:
		return 0, false
	}
	if n < 0 || n > largestPage {
		return 0, true
	}
	return int(n), true
}

// valueSize is the size of a value in bytes: the length of its texts, and 8 for a number.
func valueSize(v any) int {
	switch v := v.(type) {
	case string:
		return len(v)
	case json.Number:
		return len(v)
	case []any:
		n := 0
		for _, item := range v {
			n += valueSize(item) + 1
		}
		return n
	case map[string]any:
		n := 0
		for key, item := range v {
			n += len(key) + valueSize(item) + 1
		}
		return n
	}
	// A single value is coerced to a list of its own type.
	if list := reflect.ValueOf(v); list.Kind() == reflect.Slice {
		n := 0
		for i := range list.Len() {
			n += valueSize(list.Index(i).Interface()) + 1
		}
		return n
	}
	return 8
}
