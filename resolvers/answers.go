package resolvers

import (
	"context"
	"errors"
	"io"
	"math"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/internal/places"
	"github.com/somnograph/somnograph/resolvers/internal/limit"
	"github.com/somnograph/somnograph/resolvers/internal/plain"
	"github.com/somnograph/somnograph/resolvers/internal/sending"
)

// answers bounds the bytes of answers while they are read and written: of one answer, and of the large ones that are read, written or not sent.
// Aliases may select one text many times, so that the objects of an answer say little of its size. It is a gqlgen extension and safe for
// concurrent use.
type answers struct {
	most    int64          // bytes of one answer
	batch   int64          // bytes of the answer of a mutation, which may return what a batch brought
	event   int64          // bytes of an event of a subscription
	large   *places.Places // steps of large answers
	wait    time.Duration  // after which one that was refused may be asked again
	present graphql.ErrorPresenterFunc
}

// answerStep is the size in bytes up to which an answer is small, and in which larger ones are counted.
const answerStep = 1 << 20

// newAnswers divides the memory for large answers: half of it for one tenant and a quarter for one principal, but at least the largest answer to a
// query for a principal, half as much again for a tenant, and twice as much for all, so that each leaves room to others.
func newAnswers(l Limits, wait time.Duration, present graphql.ErrorPresenterFunc) *answers {
	principal := max(l.Answers/4, l.Answer)
	large := places.Limits{
		All: max(l.Answers, 2*principal) / answerStep, Tenant: max(l.Answers/2, principal*3/2) / answerStep, Principal: principal / answerStep,
	}
	return &answers{l.Answer, min(l.Answer+l.Bulk, principal), l.Event, places.New(large), wait, present}
}

// largeAnswers is the default of Limits.Answers with a memory limit in bytes. An answer takes up to four times its size while it is made and sent.
func largeAnswers(limit int64) int64 {
	if limit == math.MaxInt64 { // there is none
		return 288 << 20
	}
	return max(64<<20, limit/16)
}

func (*answers) ExtensionName() string                   { return "Answers" }
func (*answers) Validate(graphql.ExecutableSchema) error { return nil }

type answerKey struct{}

// InterceptOperation counts the answer of a query or a mutation until it was sent, and each event of a subscription. What the mutations of one
// principal answer is read one after the other, if it costs more than freeEvent: it is read after they were carried out, and many wide answers would
// delay the mutations of others.
func (x *answers) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	oc := graphql.GetOperationContext(ctx)
	a := &answer{of: x, who: places.Of(caller(ctx)), kind: oc.Operation.Operation, most: x.most, granted: min(answerStep, x.most)}
	switch a.kind {
	case ast.Subscription:
		return a.interceptEvents(ctx, next)
	case ast.Mutation:
		a.most, a.takesTurn = x.batch, limit.Cost(oc.Operation, oc.Variables) > freeEvent
	case ast.Query:
		a.inTurn = limit.Cost(oc.Operation, oc.Variables) > inTurnCost && len(limit.RootFields(oc.Operation)) > 1
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

// interceptEvents bounds each event of a subscription by the values that are read for it. It takes no steps: a stream would hold them until it ends.
// The events of one principal are read one after the other: a stream that waits for its next event does not wait for others.
func (a *answer) interceptEvents(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	a.most, a.granted = a.of.event, a.of.event
	respond := next(ctx)
	return func(inner context.Context) *graphql.Response {
		turn := &eventTurn{of: turnOf(inner)}
		defer turn.leave()
		a.read, a.err, a.event = 0, nil, turn
		r := respond(context.WithValue(inner, answerKey{}, a))
		if a.err != nil && r != nil {
			return &graphql.Response{Errors: gqlerror.List{a.leftOut(inner)}, Extensions: r.Extensions}
		}
		return r
	}
}

// leftOut is the error of an event that is left out. It has the cursor and the id of the event, if they were selected, so that its client can read
// the memory and go on after it.
func (a *answer) leftOut(ctx context.Context) *gqlerror.Error {
	err := a.of.present(ctx, a.err)
	for name, v := range a.event.position {
		if err.Extensions == nil {
			err.Extensions = map[string]any{}
		}
		err.Extensions[name] = v
	}
	return err
}

// InterceptRootField reads a root field, those of an expensive query one after the other, and writes it until the answer is too large.
func (x *answers) InterceptRootField(ctx context.Context, next graphql.RootResolver) graphql.Marshaler {
	a, ok := ctx.Value(answerKey{}).(*answer)
	if !ok {
		return next(ctx)
	}
	if a.inTurn {
		a.turn.Lock()
		defer a.turn.Unlock()
	}
	if a.takesTurn { // the root fields of a mutation run one after the other
		a.event = &eventTurn{of: turnOf(ctx)}
		defer a.event.leave()
	}
	field := next(ctx)
	_ = a.take(plain.Size(field)) // the answer is refused as a whole
	return graphql.WriterFunc(func(w io.Writer) {
		defer func() {
			if p := recover(); p != nil && p != errAnswer {
				panic(p)
			}
		}()
		field.MarshalGQL(answerWriter{a, w})
	})
}

// InterceptField counts the value of a field, and reads none with a resolver for an answer that is refused. A mutation is always carried out.
func (x *answers) InterceptField(ctx context.Context, next graphql.Resolver) (any, error) {
	a, ok := ctx.Value(answerKey{}).(*answer)
	if !ok {
		return next(ctx)
	}
	field := graphql.GetFieldContext(ctx)
	if a.event != nil && field.Object != "Mutation" && !a.event.enter(ctx) && a.kind == ast.Mutation {
		a.refuse(errWaitedForTurn)
	}
	if field.IsResolver && field.Object != "Mutation" {
		if err := a.take(0); err != nil {
			return nil, err
		}
	}
	v, err := next(ctx)
	if err != nil {
		return v, err
	}
	n := textSize(v)
	if a.kind == ast.Subscription { // an event is not counted while it is written
		n += fieldSize + len(field.Field.Alias) + objects(v)*typenameSize(field.Field.Selections)
	} else {
		n = max(n, fieldHeld)
	}
	err = a.take(n) // the answer is refused as a whole
	if a.kind != ast.Subscription {
		return v, nil
	}
	if field.Object == "MemoryEvent" {
		a.notePosition(field.Field.Name, v)
	}
	return v, err // what would make the event too large is not written
}

// notePosition notes the cursor or the id of the event that is read.
func (a *answer) notePosition(field string, v any) {
	if field != "cursor" && field != "id" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.event.position == nil {
		a.event.position = map[string]any{}
	}
	a.event.position[field] = v
}

const (
	fieldSize  = 16    // bytes that a field of an event takes beside its name and text
	fieldHeld  = 96    // bytes for which a field of an answer counts at least while it is read: it takes more in memory than it has when it is written
	inTurnCost = 5_000 // of a query above which its root fields are read one after the other
)

// answer is one that is read, written or not sent. It is read by several goroutines, and then written by one.
type answer struct {
	of        *answers
	who       places.Principal
	kind      ast.Operation
	most      int64      // bytes that it may have
	inTurn    bool       // its root fields are read one after the other
	event     *eventTurn // that of the event that is read, or of what a mutation answers; nil: none
	takesTurn bool       // what the mutation answers is read in a turn
	turn      sync.Mutex // of the root field that is read

	mu      sync.Mutex
	read    int64    // bytes of texts that were read
	granted int64    // bytes that it may have without another step
	leaves  []func() // give the steps back
	err     error    // why it is refused; nil: it is not

	written int64
}

// eventTurn is the turn of an event of a principal, whose events are read one after the other, or of what a mutation answers.
type eventTurn struct {
	of    chan struct{} // nil: there are no turns
	once  sync.Once
	taken bool

	position map[string]any // the cursor and the id of the event, by field; guarded by the answer
}

// enter waits for the turn when the first field is read, or until ctx is done. It reports whether the turn was taken, if there are turns.
func (t *eventTurn) enter(ctx context.Context) bool {
	t.once.Do(func() {
		if t.of == nil {
			return
		}
		select {
		case t.of <- struct{}{}:
			t.taken = true
		case <-ctx.Done():
		}
	})
	return t.taken || t.of == nil
}

// leave ends the turn of what was read.
func (t *eventTurn) leave() {
	t.once.Do(func() {})
	if t.taken {
		<-t.of
	}
}

// errAnswer ends the writing of an answer that is refused, with a panic, because fields are written without errors.
var errAnswer = errors.New("the answer is refused")

// take makes room for n more bytes that were read. The error is why the answer is refused.
func (a *answer) take(n int) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.read += int64(n)
	return a.grow(a.read)
}

// write makes room for n more bytes that are written, or ends the writing.
func (a *answer) write(n int) {
	a.written += int64(n)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.grow(a.written) != nil {
		panic(errAnswer)
	}
}

// grow makes room for bytes in all, or refuses the answer. The caller holds a.mu.
func (a *answer) grow(bytes int64) error {
	if a.err == nil && bytes > a.most {
		a.err = a.tooLarge()
	}
	for a.err == nil && bytes > a.granted {
		leave, ok := a.of.large.TryEnter(a.who, 1)
		if !ok {
			a.err = a.noRoom()
			break
		}
		a.leaves = append(a.leaves, leave)
		a.granted += answerStep
	}
	return a.err
}

// errWaitedForTurn is the error for the answer of a mutation that other answers of its principal kept waiting.
var errWaitedForTurn = graph.Errorf(graph.CodeLimitExceeded, "the mutation was carried out, but its answer waited too long for others of yours: ask for fewer fields")

// refuse refuses the answer, unless it is refused already.
func (a *answer) refuse(err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.err == nil {
		a.err = err
	}
}

// tooLarge is the error for an answer that is larger than its limit.
func (a *answer) tooLarge() error {
	text := "the answer is larger than %d MiB or has too many fields: ask for fewer fields or a smaller page"
	switch a.kind {
	case ast.Mutation:
		text = "the mutation was carried out, but its answer is larger than %d MiB or has too many fields: ask for fewer fields"
	case ast.Subscription:
		text = "an event is left out because it is larger than %d MiB: ask for fewer fields or smaller pages"
	}
	return graph.Errorf(graph.CodeLimitExceeded, text, a.most>>20)
}

// noRoom is the error for an answer beside too many others. RATE_LIMITED says that nothing was done, and clients repeat it, so that only a query has it.
func (a *answer) noRoom() error {
	if a.kind == ast.Mutation {
		return graph.Errorf(graph.CodeLimitExceeded, "the mutation was carried out, but too many large answers are made or not read at once: ask for fewer fields")
	}
	after := wholeSeconds(a.of.wait)
	return &retryLater{graph.Errorf(graph.CodeRateLimited, "too many large answers at once; retry in %d s, or ask for fewer fields or a smaller page", after), after}
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
