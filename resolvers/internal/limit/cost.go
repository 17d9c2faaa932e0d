package limit

import (
	"encoding/json"
	"math"
	"reflect"

	"github.com/vektah/gqlparser/v2/ast"
)

// memoryCost is what a memory costs: it may carry 32 KiB.
const memoryCost = 5

// largestPage is the most that any field answers. Every field refuses what is beyond
// its own bound, so that a larger number costs nothing.
const largestPage = 5000

// pages are the arguments that say how many items a field answers at most.
var pages = map[string]bool{"first": true, "budget": true, "buckets": true, "topK": true}

// Cost is the most that a valid operation may answer, counted in objects: each object
// costs 1 and a memory memoryCost, leaves cost nothing, and a field with an argument
// that bounds a list, or with a list of inputs, costs that many times what is under it.
func Cost(op *ast.OperationDefinition, vars map[string]any) int {
	c := coster{vars: vars, fragments: map[string]int{}}
	return c.set(op.SelectionSet)
}

type coster struct {
	vars      map[string]any
	fragments map[string]int // each is counted once
}

func (c coster) set(set ast.SelectionSet) int {
	sum := 0
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			sum += c.field(s)
		case *ast.InlineFragment:
			sum += c.set(s.SelectionSet)
		case *ast.FragmentSpread:
			n, known := c.fragments[s.Name]
			if !known {
				n = c.set(s.Definition.SelectionSet)
				c.fragments[s.Name] = n
			}
			sum += n
		}
		sum = min(sum, math.MaxInt32)
	}
	return sum
}

func (c coster) field(f *ast.Field) int {
	if len(f.SelectionSet) == 0 {
		return 0
	}
	own := 1
	if f.Definition.Type.Name() == "Memory" {
		own = memoryCost
	}
	return min(math.MaxInt32, c.items(f)*(own+c.set(f.SelectionSet)))
}

// items is how many times what is under the field may be answered, at least once.
func (c coster) items(f *ast.Field) int {
	n := 1
	given := f.ArgumentMap(c.vars)
	for _, arg := range f.Definition.Arguments {
		switch value := given[arg.Name].(type) {
		case []any:
			if arg.Type.Elem != nil && arg.Name == "input" {
				n = max(n, len(value))
			}
		case map[string]any:
			if asked, ok := number(value["topK"]); ok {
				n = max(n, asked)
			} else if arg.Type.Name() == "SearchInput" {
				n = max(n, 10)
			}
		default:
			if !pages[arg.Name] {
				continue
			}
			if asked, ok := number(value); ok {
				n = max(n, asked)
			} else if arg.DefaultValue != nil {
				if usual, err := arg.DefaultValue.Value(nil); err == nil {
					asked, _ := number(usual)
					n = max(n, asked)
				}
			}
		}
	}
	return n
}

// number reads an Int as a literal, a variable or a part of one has it. What no field
// would accept is 0.
func number(v any) (int, bool) {
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

// size is the bytes that a value carries: text as long as it is, 8 for a number.
func size(v any) int {
	switch v := v.(type) {
	case string:
		return len(v)
	case json.Number:
		return len(v)
	case []any:
		n := 0
		for _, item := range v {
			n += size(item) + 1
		}
		return n
	case map[string]any:
		n := 0
		for key, item := range v {
			n += len(key) + size(item) + 1
		}
		return n
	}
	// A single value where a list is expected is coerced to a list of its own type.
	if list := reflect.ValueOf(v); list.Kind() == reflect.Slice {
		n := 0
		for i := range list.Len() {
			n += size(list.Index(i).Interface()) + 1
		}
		return n
	}
	return 8
}
