package resolvers

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
	"github.com/somnograph/somnograph/resolvers/internal/loader"
)

// resolverRoot provides the resolvers of each type to the generated code.
type resolverRoot struct {
	verbs   Verbs
	scenes  Scenes                                                         // nil: no map
	keys    Keys                                                           // nil: no keys
	tenants Tenants                                                        // nil: no tenants but those of the credentials
	advance func(ctx context.Context, by time.Duration) (time.Time, error) // nil: the clock is real
	timings *timings
	cursors eventCursors
}

type (
	queryResolver            struct{ *resolverRoot }
	mutationResolver         struct{ *resolverRoot }
	subscriptionResolver     struct{ *resolverRoot }
	memoryResolver           struct{ *resolverRoot }
	claimResolver            struct{ *resolverRoot }
	documentResolver         struct{ *resolverRoot }
	relationResolver         struct{ *resolverRoot }
	receiptResolver          struct{ *resolverRoot }
	hitResolver              struct{ *resolverRoot }
	rememberPayloadResolver  struct{ *resolverRoot }
	supersedePayloadResolver struct{ *resolverRoot }
	observePayloadResolver   struct{ *resolverRoot }
	sessionReportResolver    struct{ *resolverRoot }
	sleepReportResolver      struct{ *resolverRoot }
	withdrawalResolver       struct{ *resolverRoot }
	clusterResolver          struct{ *resolverRoot }
	clusterEventResolver     struct{ *resolverRoot }
	patternResolver          struct{ *resolverRoot }
	patternLineageResolver   struct{ *resolverRoot }
	patternSourcesResolver   struct{ *resolverRoot }
	searchResultResolver     struct{ *resolverRoot }
)

func (r *resolverRoot) Query() gql.QueryResolver                     { return queryResolver{r} }
func (r *resolverRoot) Mutation() gql.MutationResolver               { return mutationResolver{r} }
func (r *resolverRoot) Subscription() gql.SubscriptionResolver       { return subscriptionResolver{r} }
func (r *resolverRoot) Memory() gql.MemoryResolver                   { return memoryResolver{r} }
func (r *resolverRoot) Document() gql.DocumentResolver               { return documentResolver{r} }
func (r *resolverRoot) Claim() gql.ClaimResolver                     { return claimResolver{r} }
func (r *resolverRoot) Cluster() gql.ClusterResolver                 { return clusterResolver{r} }
func (r *resolverRoot) Pattern() gql.PatternResolver                 { return patternResolver{r} }
func (r *resolverRoot) PatternLineage() gql.PatternLineageResolver   { return patternLineageResolver{r} }
func (r *resolverRoot) PatternSources() gql.PatternSourcesResolver   { return patternSourcesResolver{r} }
func (r *resolverRoot) SearchResult() gql.SearchResultResolver       { return searchResultResolver{r} }
func (r *resolverRoot) ClusterEvent() gql.ClusterEventResolver       { return clusterEventResolver{r} }
func (r *resolverRoot) Relation() gql.RelationResolver               { return relationResolver{r} }
func (r *resolverRoot) DeletionReceipt() gql.DeletionReceiptResolver { return receiptResolver{r} }
func (r *resolverRoot) RememberPayload() gql.RememberPayloadResolver {
	return rememberPayloadResolver{r}
}
func (r *resolverRoot) Hit() gql.HitResolver { return hitResolver{r} }
func (r *resolverRoot) SupersedePayload() gql.SupersedePayloadResolver {
	return supersedePayloadResolver{r}
}
func (r *resolverRoot) ObservePayload() gql.ObservePayloadResolver { return observePayloadResolver{r} }
func (r *resolverRoot) SessionReport() gql.SessionReportResolver   { return sessionReportResolver{r} }
func (r *resolverRoot) SleepReport() gql.SleepReportResolver       { return sleepReportResolver{r} }
func (r *resolverRoot) Withdrawal() gql.WithdrawalResolver         { return withdrawalResolver{r} }

// load makes a batch of the views.
func (r *resolverRoot) load(c engine.Caller, views ...*engine.View) []loader.Memory {
	return loader.Memories(r.verbs, c, views)
}

// loadOne makes a batch of a single memory.
func (r *resolverRoot) loadOne(c engine.Caller, v *engine.View, err error) (*gql.Memory, error) {
	if err != nil {
		return nil, err
	}
	return encodeMemory(r.load(c, v)[0]), nil
}
