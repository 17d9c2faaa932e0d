package resolvers

import (
	"context"
	"reflect"
	"sync"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// fieldSize is what a value of an event takes beside its text, in bytes.
const fieldSize = 16

// event is one of a subscription whose fields are read. Fields are read by several goroutines.
type event struct {
	mu sync.Mutex
	*answer
	ended bool // the stream
}

type eventKey struct{}

// interceptEvents bounds each event of a subscription by the values that are read for it, as large as an answer. A stream keeps the room that its
// largest event took, because the memory is that of the stream, until it ends.
func (a *answer) interceptEvents(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	e := &event{answer: a}
	context.AfterFunc(ctx, e.leave)
	respond := next(ctx)
	return func(inner context.Context) *graphql.Response {
		e.bytes, e.err = 0, nil
		r := respond(context.WithValue(inner, eventKey{}, e))
		switch {
		case r == nil:
			e.leave()
		case e.err != nil:
			return &graphql.Response{Errors: gqlerror.List{a.of.present(inner, e.err)}, Extensions: r.Extensions}
		}
		return r
	}
}

// InterceptField counts a value of an event. Of an event that is refused no more is read.
func (x *answers) InterceptField(ctx context.Context, next graphql.Resolver) (any, error) {
	e, ok := ctx.Value(eventKey{}).(*event)
	if !ok {
		return next(ctx)
	}
	if err := e.take(0); err != nil {
		return nil, err
	}
	v, err := next(ctx)
	if err != nil {
		return v, err
	}
	if err := e.take(fieldSize + len(graphql.GetFieldContext(ctx).Field.Alias) + textSize(reflect.ValueOf(v))); err != nil {
		return nil, err
	}
	return v, nil
}

// take makes room for n more bytes. The error is why the event is refused.
func (e *event) take(n int) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.grow(n); e.ended {
		e.giveBack()
	}
	return e.err
}

// leave gives the room of a stream back, also what it takes from now on.
func (e *event) leave() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.ended = true
	e.giveBack()
}

func (e *event) giveBack() {
	for _, leave := range e.leaves {
		leave()
	}
	e.leaves = nil
}

// textSize is the size in bytes that the texts and numbers of a value have in JSON, 0 for objects, whose fields count apart.
func textSize(v reflect.Value) (n int) {
	switch v.Kind() {
	case reflect.String:
		for i := range v.Len() {
			if c := v.Index(i).Uint(); c < ' ' {
				n += 6 // \u0000
			} else if n++; c == '"' || c == '\\' {
				n++
			}
		}
	case reflect.Pointer, reflect.Interface:
		return textSize(v.Elem())
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			n += textSize(v.Index(i)) + 1
		}
	case reflect.Map:
		for key, value := range v.Seq2() {
			n += textSize(key) + textSize(value) + 4
		}
	case reflect.Struct, reflect.Invalid:
	default:
		n = 8
	}
	return n
}
