// Package plain writes answers that need no resolver below their root, such as the hits of a
// search. What it writes is byte for byte what gqlgen would write, without a context, a
// closure and a path for every field and a goroutine for every item. What it does not know
// (a field with a resolver or arguments, @defer, a value that the schema does not allow) is
// left to gqlgen as a whole.
package plain

import (
	"context"
	"encoding/json"
	"io"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/somnograph/somnograph/resolvers/internal/scalar"
)

// Answers is a gqlgen extension: it takes what the resolvers of Query and Mutation answer.
type Answers struct{}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationContextMutator
} = Answers{}

// ExtensionName is the name gqlgen knows it by.
func (Answers) ExtensionName() string { return "Plain" }

// Validate accepts every schema.
func (Answers) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext puts the writer behind the resolvers of an operation.
func (Answers) MutateOperationContext(_ context.Context, oc *graphql.OperationContext) *gqlerror.Error {
	if oc.Operation.Operation == ast.Subscription {
		return nil
	}
	inner := oc.ResolverMiddleware
	oc.ResolverMiddleware = func(ctx context.Context, next graphql.Resolver) (any, error) {
		v, err := inner(ctx, next)
		fc := graphql.GetFieldContext(ctx)
		if err != nil || v == nil || !fc.IsResolver || fc.Object != "Query" && fc.Object != "Mutation" {
			return v, err
		}
		if b, ok := Append(nil, oc, fc.Field.Selections, v); ok {
			return written(b), nil
		}
		return v, nil
	}
	return nil
}

// written is JSON.
type written []byte

// MarshalGQL writes it as it is.
func (b written) MarshalGQL(w io.Writer) {
	// The answer is a buffer in memory, which can't fail.
	_, _ = w.Write(b)
}

// Append writes what a selection takes of a pointer to a model. It answers false where that is
// not for it; b then holds nothing of use.
func Append(b []byte, oc *graphql.OperationContext, sel ast.SelectionSet, v any) ([]byte, bool) {
	p := reflect.ValueOf(v)
	if p.Kind() != reflect.Pointer || p.IsNil() || !isModel(p.Type().Elem()) {
		return b, false
	}
	plan, ok := planOf(oc, sel, p.Type().Elem())
	if !ok {
		return b, false
	}
	return plan.append(b, p.Elem())
}

// plan is what of a model is written, in order.
type plan []step

// step is a field of a model.
type step struct {
	key   string // with what stands before the value
	field int
	typ   *ast.Type
	below plan // of the model, or of the items, that the field holds
}

// typename is the field of a step whose key is all that is written.
const typename = -1

func planOf(oc *graphql.OperationContext, sel ast.SelectionSet, model reflect.Type) (plan, bool) {
	known := fieldsOf(model)
	fields := graphql.CollectFields(oc, sel, []string{model.Name()})
	p := make(plan, 0, len(fields))
	for i, f := range fields {
		sep := `,"`
		if i == 0 {
			sep = `{"`
		}
		s := step{key: sep + f.Alias + `":`}
		if f.Name == "__typename" {
			s.key, s.field = s.key+`"`+model.Name()+`"`, typename
			p = append(p, s)
			continue
		}
		at, has := known[f.Name]
		if !has || len(f.Deferrables) > 0 || len(f.Definition.Arguments) > 0 {
			return nil, false
		}
		s.field, s.typ = at, f.Definition.Type
		if inner := bare(model.Field(at).Type); isModel(inner) {
			var ok bool
			if s.below, ok = planOf(oc, f.Selections, inner); !ok {
				return nil, false
			}
		}
		p = append(p, s)
	}
	return p, len(p) > 0
}

// models holds the numbers of the fields of models, by their names in the schema.
var models sync.Map // reflect.Type → map[string]int

func fieldsOf(model reflect.Type) map[string]int {
	if m, known := models.Load(model); known {
		return m.(map[string]int)
	}
	m := make(map[string]int, model.NumField())
	for i := range model.NumField() {
		name, _, _ := strings.Cut(model.Field(i).Tag.Get("json"), ",")
		if name != "" && name != "-" {
			m[name] = i
		}
	}
	models.Store(model, m)
	return m
}

var (
	timeType = reflect.TypeFor[time.Time]()
	jsonType = reflect.TypeFor[json.RawMessage]()
	enumType = reflect.TypeFor[graphql.Marshaler]()
)

// isModel reports whether values of a type are objects of the schema.
func isModel(t reflect.Type) bool { return t.Kind() == reflect.Struct && t != timeType }

// bare is a type without pointers and lists.
func bare(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice && t != jsonType {
		t = t.Elem()
	}
	return t
}

func (p plan) append(b []byte, model reflect.Value) ([]byte, bool) {
	for i := range p {
		s := &p[i]
		b = append(b, s.key...)
		if s.field == typename {
			continue
		}
		var ok bool
		if b, ok = s.value(b, model.Field(s.field), s.typ); !ok {
			return b, false
		}
	}
	return append(b, '}'), true
}

// value writes a value of a type of the schema.
func (s *step) value(b []byte, v reflect.Value, t *ast.Type) ([]byte, bool) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return null(b, t)
		}
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Struct:
		if v.Type() != timeType {
			return s.below.append(b, v)
		}
		at := v.Interface().(time.Time)
		if at.IsZero() {
			return null(b, t)
		}
		return append(at.UTC().AppendFormat(append(b, '"'), scalar.Layout), '"'), true
	case reflect.Slice:
		if v.Type() == jsonType {
			if v.Len() == 0 {
				return null(b, t)
			}
			return append(b, v.Bytes()...), true
		}
		return s.list(b, v, t)
	case reflect.String:
		if v.Type().Implements(enumType) {
			return strconv.AppendQuote(b, v.String()), true
		}
		return quoted(b, v.String()), true
	case reflect.Int:
		return strconv.AppendInt(b, v.Int(), 10), int64(int32(v.Int())) == v.Int()
	case reflect.Float64:
		f := v.Float()
		if f-f != 0 { // not finite
			return null(b, t)
		}
		return strconv.AppendFloat(b, f, 'g', -1, 64), true
	case reflect.Bool:
		return strconv.AppendBool(b, v.Bool()), true
	}
	return b, false
}

func (s *step) list(b []byte, v reflect.Value, t *ast.Type) ([]byte, bool) {
	if t.Elem == nil {
		return b, false
	}
	if v.IsNil() && !t.NonNull {
		return null(b, t)
	}
	b = append(b, '[')
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		var ok bool
		if b, ok = s.value(b, v.Index(i), t.Elem); !ok {
			return b, false
		}
	}
	return append(b, ']'), true
}

// null is what is absent, where the schema allows that.
func null(b []byte, t *ast.Type) ([]byte, bool) { return append(b, "null"...), !t.NonNull }

const hex = "0123456789ABCDEF"

// quoted is a string as gqlgen writes one: control characters, quotes and backslashes are
// escaped, the rest is as it is.
func quoted(b []byte, s string) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= 0x20 && c != '\\' && c != '"' {
			continue
		}
		b = append(b, s[from:i]...)
		switch c {
		case '\t':
			b = append(b, `\t`...)
		case '\r':
			b = append(b, `\r`...)
		case '\n':
			b = append(b, `\n`...)
		case '\\', '"':
			b = append(b, '\\', c)
		default:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
		from = i + 1
	}
	return append(append(b, s[from:]...), '"')
}
