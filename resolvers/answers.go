package resolvers

import (
	"context"
	"errors"
	"io"
	"math"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/places"
	"github.com/somnograph/somnograph/resolvers/internal/sending"
)

// answers bounds the bytes of answers while they are written: of one answer, and of the large ones that are written or not sent. Aliases may
// select one text many times, so that the objects of an answer say little of its size. It is a gqlgen extension and safe for concurrent use.
type answers struct {
	most    int64          // bytes of one answer
	batch   int64          // bytes of the answer of a mutation, which may return what a batch brought
	large   *places.Places // steps of large answers
	wait    time.Duration  // after which one that was refused may be asked again
	present graphql.ErrorPresenterFunc
}

// answerStep is the size in bytes up to which an answer is small, and in which larger ones are counted.
const answerStep = 1 << 20

// newAnswers divides the memory for large answers: half of it for one tenant, and a quarter for one principal, but never less than one
// largest answer.
func newAnswers(l Limits, wait time.Duration, present graphql.ErrorPresenterFunc) *answers {
	most := l.Answer + l.Bulk
	share := func(part int64) int64 { return max(l.Answers/part, most) / answerStep }
	return &answers{l.Answer, most, places.New(places.Limits{All: share(1), Tenant: share(2), Principal: share(4)}), wait, present}
}

// largeAnswers is the default of Limits.Answers with a memory limit in bytes. An answer takes up to four times its size while it is made and sent.
func largeAnswers(limit int64) int64 {
	if limit == math.MaxInt64 { // there is none
		return 256 << 20
	}
	return max(64<<20, limit/16)
}

func (*answers) ExtensionName() string                   { return "Answers" }
func (*answers) Validate(graphql.ExecutableSchema) error { return nil }

type answerKey struct{}

// InterceptOperation counts the answer of a query or a mutation until it was sent, and each event of a subscription.
func (x *answers) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	a := &answer{of: x, who: places.Of(caller(ctx)), kind: graphql.GetOperationContext(ctx).Operation.Operation, most: x.most, granted: min(answerStep, x.most)}
	switch a.kind {
	case ast.Subscription:
		return a.interceptEvents(ctx, next)
	case ast.Mutation:
		a.most = x.batch
	}
	ctx = context.WithValue(ctx, answerKey{}, a)
	respond := next(ctx)
	return func(inner context.Context) *graphql.Response {
		defer func() {
			for _, leave := range a.leaves {
				sending.After(ctx, leave)
			}
			a.leaves = nil
		}()
		r := respond(inner)
		if a.err != nil && r != nil { // nil: streams ask for the next answer until there is none
			return &graphql.Response{Errors: gqlerror.List{x.present(inner, a.err)}, Extensions: r.Extensions}
		}
		return r
	}
}

// InterceptRootField writes a root field until the answer is too large.
func (x *answers) InterceptRootField(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	field := next(ctx)
	a, ok := ctx.Value(answerKey{}).(*answer)
	if !ok {
		return field
	}
	return graphql.WriterFunc(func(w io.Writer) {
		defer func() {
			if p := recover(); p != nil && p != errAnswer {
				panic(p)
			}
		}()
		field.MarshalGQL(answerWriter{a, w})
	})
}

// answer is one that is written or not sent. It is written by one goroutine at a time.
type answer struct {
	of      *answers
	who     places.Principal
	kind    ast.Operation
	most    int64 // bytes that it may have
	bytes   int64
	granted int64    // bytes that it may have without another step
	leaves  []func() // give the steps back
	err     error    // why it is refused; nil: it is not
}

// errAnswer ends the writing of an answer that is refused, with a panic, because fields are written without errors.
var errAnswer = errors.New("the answer is refused")

// grow makes room for n more bytes, or refuses the answer.
func (a *answer) grow(n int) {
	a.bytes += int64(n)
	if a.err == nil && a.bytes > a.most {
		a.err = a.tooLarge()
	}
	for a.err == nil && a.bytes > a.granted {
		leave, ok := a.of.large.TryEnter(a.who, 1)
		if !ok {
			a.err = a.noRoom()
			return
		}
		a.leaves = append(a.leaves, leave)
		a.granted += answerStep
	}
}

// tooLarge is the error for an answer that is larger than its limit.
func (a *answer) tooLarge() error {
	text := "the answer is larger than %d MiB: ask for fewer fields or a smaller page"
	switch a.kind {
	case ast.Mutation:
		text = "the mutation was carried out, but its answer is larger than %d MiB: ask for fewer fields"
	case ast.Subscription:
		text = "an event is left out because it is larger than %d MiB: ask for fewer fields or smaller pages"
	}
	return graph.Errorf(graph.CodeLimitExceeded, text, a.most>>20)
}

// noRoom is the error for an answer beside too many others. RATE_LIMITED says that nothing was done, and clients repeat it, so that only a query has it.
func (a *answer) noRoom() error {
	const why = "too many large answers are made or not read at once"
	switch a.kind {
	case ast.Mutation:
		return graph.Errorf(graph.CodeLimitExceeded, "the mutation was carried out, but "+why+": ask for fewer fields")
	case ast.Subscription:
		return graph.Errorf(graph.CodeLimitExceeded, "an event is left out because "+why+": ask for fewer fields or smaller pages")
	}
	after := wholeSeconds(a.of.wait)
	return &retryLater{graph.Errorf(graph.CodeRateLimited, "too many large answers at once; retry in %d s, or ask for fewer fields or a smaller page", after), after}
}

// write makes room for n more bytes, or ends the writing.
func (a *answer) write(n int) {
	if a.grow(n); a.err != nil {
		panic(errAnswer)
	}
}

// answerWriter writes a part of an answer.
type answerWriter struct {
	*answer
	to io.Writer
}

func (w answerWriter) Write(b []byte) (int, error) {
	w.write(len(b))
	return w.to.Write(b)
}

// WriteString implements io.StringWriter.
func (w answerWriter) WriteString(s string) (int, error) {
	w.write(len(s))
	return io.WriteString(w.to, s)
}
