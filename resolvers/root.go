package resolvers

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/kin"
)

// root is where the generated code finds the resolvers of each type.
type root struct {
	verbs   Verbs
	scenes  Scenes                                                         // nil: nothing draws
	advance func(ctx context.Context, by time.Duration) (time.Time, error) // nil: the clock is real
	timings *timings
}

type (
	query            struct{ *root }
	mutation         struct{ *root }
	subscription     struct{ *root }
	ofMemory         struct{ *root }
	ofRelation       struct{ *root }
	ofReceipt        struct{ *root }
	rememberPayload  struct{ *root }
	supersedePayload struct{ *root }
	observePayload   struct{ *root }
	ofSession        struct{ *root }
	ofReport         struct{ *root }
	ofWithdrawal     struct{ *root }
)

func (r *root) Query() gql.QueryResolver                       { return query{r} }
func (r *root) Mutation() gql.MutationResolver                 { return mutation{r} }
func (r *root) Subscription() gql.SubscriptionResolver         { return subscription{r} }
func (r *root) Memory() gql.MemoryResolver                     { return ofMemory{r} }
func (r *root) Relation() gql.RelationResolver                 { return ofRelation{r} }
func (r *root) DeletionReceipt() gql.DeletionReceiptResolver   { return ofReceipt{r} }
func (r *root) RememberPayload() gql.RememberPayloadResolver   { return rememberPayload{r} }
func (r *root) SupersedePayload() gql.SupersedePayloadResolver { return supersedePayload{r} }
func (r *root) ObservePayload() gql.ObservePayloadResolver     { return observePayload{r} }
func (r *root) SessionReport() gql.SessionReportResolver       { return ofSession{r} }
func (r *root) SleepReport() gql.SleepReportResolver           { return ofReport{r} }
func (r *root) Withdrawal() gql.WithdrawalResolver             { return ofWithdrawal{r} }

// kin makes one read's group of the views.
func (r *root) kin(c engine.Caller, views ...*engine.View) []kin.Member {
	return kin.New(r.verbs, c, views)
}

// one is a single memory as a group of its own.
func (r *root) one(c engine.Caller, v *engine.View, err error) (*gql.Memory, error) {
	if err != nil {
		return nil, err
	}
	return memory(r.kin(c, v)[0]), nil
}
