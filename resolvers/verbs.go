package resolvers

import (
	"context"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/prompt"
	"github.com/somnograph/somnograph/graph"
)

// Verbs is the interface of the engine to the resolvers. *engine.Engine implements it and
// documents the methods.
type Verbs interface {
	Remember(ctx context.Context, c engine.Caller, in engine.RememberInput) (*engine.RememberResult, error)
	RememberMany(ctx context.Context, c engine.Caller, in []engine.RememberInput) ([]engine.RememberResult, error)
	MemoryByExternalID(ctx context.Context, c engine.Caller, namespace, externalID string, a engine.Access) (*engine.View, error)
	Supersede(ctx context.Context, c engine.Caller, in engine.SupersedeInput) (*engine.SupersedeResult, error)
	Adjudicate(ctx context.Context, c engine.Caller, in engine.AdjudicateInput) (*engine.Adjudication, error)
	Update(ctx context.Context, c engine.Caller, in engine.UpdateInput) (*engine.View, error)
	Expire(ctx context.Context, c engine.Caller, id graph.ID) (*engine.View, error)
	Pin(ctx context.Context, c engine.Caller, id graph.ID) (*engine.View, error)
	Unpin(ctx context.Context, c engine.Caller, id graph.ID) (*engine.View, error)
	SetNamespacePolicy(ctx context.Context, c engine.Caller, in engine.PolicyInput) (*engine.PolicyView, error)
	Observe(ctx context.Context, c engine.Caller, in engine.Observation) (*engine.Observed, error)
	CompleteTask(ctx context.Context, c engine.Caller, id graph.ID) (*engine.Task, error)
	ConfirmTask(ctx context.Context, c engine.Caller, id graph.ID) (*engine.Task, error)
	DismissTask(ctx context.Context, c engine.Caller, id graph.ID) (*engine.Task, error)
	ObservePast(ctx context.Context, c engine.Caller, in []engine.Observation) ([]engine.PastTurn, error)
	CloseSession(ctx context.Context, c engine.Caller, session, namespace string) (*engine.SessionReport, error)
	Sleep(ctx context.Context, c engine.Caller, in engine.SleepInput) (*engine.SleepReport, error)
	Consolidate(ctx context.Context, c engine.Caller, in engine.ConsolidateInput) (*engine.SleepReport, error)
	Rollback(ctx context.Context, c engine.Caller, in engine.RollbackInput) (*engine.RollbackResult, error)
	ReleaseEngrams(ctx context.Context, c engine.Caller, ids []graph.ID) ([]*engine.View, error)
	UndoRevision(ctx context.Context, c engine.Caller, id graph.ID) ([]*engine.View, error)
	ResolveConflict(ctx context.Context, c engine.Caller, a, b, keep graph.ID, reason string) ([]*engine.View, error)
	CorrectClaim(ctx context.Context, c engine.Caller, in engine.CorrectClaimInput) (*engine.ClaimView, error)
	ConfirmClaim(ctx context.Context, c engine.Caller, claimID string) (*engine.ClaimView, error)
	Feedback(ctx context.Context, c engine.Caller, in engine.FeedbackInput) (*engine.View, error)
	Reembed(ctx context.Context, c engine.Caller, spec engine.ModelSpec) (*engine.Reembedding, error)
	Reembedding(ctx context.Context, c engine.Caller) (*engine.Reembedding, error)
	RetryDeadLetters(ctx context.Context, c engine.Caller, ids []graph.ID) (*engine.RetryResult, error)
	WithdrawSource(ctx context.Context, c engine.Caller, source, namespace, reason string, dryRun bool) (*engine.Withdrawal, error)
	Forget(ctx context.Context, c engine.Caller, in engine.ForgetInput) (*graph.Receipt, error)

	Search(ctx context.Context, c engine.Caller, in engine.SearchInput) (*engine.SearchResult, error)
	Context(ctx context.Context, c engine.Caller, in engine.ContextInput) (*prompt.Result, error)
	Memory(ctx context.Context, c engine.Caller, id graph.ID, a engine.Access) (*engine.View, error)
	MemoriesByID(ctx context.Context, c engine.Caller, ids []graph.ID, a engine.Access) ([]*engine.View, error)
	Memories(ctx context.Context, c engine.Caller, in engine.ListInput) (*engine.ListResult, error)
	Lineage(ctx context.Context, c engine.Caller, id graph.ID, first, afterVersion int) ([]engine.Version, error)
	Core(ctx context.Context, c engine.Caller, user string, namespaces []string) ([]*engine.View, error)
	Entities(ctx context.Context, c engine.Caller, in engine.EntityInput) ([]engine.EntityView, bool, error)
	EntitiesByID(ctx context.Context, c engine.Caller, ids []graph.ID) ([]*engine.EntityView, error)
	Relations(ctx context.Context, c engine.Caller, in engine.RelationInput) ([]engine.RelationView, bool, error)
	EntityLineage(ctx context.Context, c engine.Caller, in engine.EntityLineageInput) ([]engine.EntityEvent, error)
	Edges(ctx context.Context, c engine.Caller, id graph.ID, dir graph.Direction, kinds ...graph.EdgeKind) ([]engine.EdgeView, error)
	Related(ctx context.Context, c engine.Caller, in engine.RelatedInput) (*engine.RelatedResult, error)
	Path(ctx context.Context, c engine.Caller, in engine.PathInput) (*engine.RelatedResult, error)
	Facts(ctx context.Context, c engine.Caller, in engine.FactsInput) ([]engine.ClaimView, error)
	Known(ctx context.Context, c engine.Caller, in engine.KnownInput) (*engine.KnownPage, error)
	Contesting(ctx context.Context, c engine.Caller, views []*engine.View) ([][]*engine.View, error)
	Now() time.Time
	Timeline(ctx context.Context, c engine.Caller, namespaces []string, buckets int) ([]engine.Instant, error)
	Reconsolidations(ctx context.Context, c engine.Caller, namespaces []string, memory graph.ID, first int, after graph.ID) ([]engine.Reconsolidation, bool, error)
	DeadLetters(ctx context.Context, c engine.Caller, in engine.DeadLetterInput) ([]engine.DeadLetter, bool, error)
	NamespacePolicy(ctx context.Context, c engine.Caller, namespace string) (*engine.PolicyView, error)
	Tasks(ctx context.Context, c engine.Caller, in engine.TaskInput) ([]*engine.Task, bool, error)
	Conflicts(ctx context.Context, c engine.Caller, namespaces []string, first int) ([]engine.Conflict, error)
	DecayForecast(ctx context.Context, c engine.Caller, days int, namespaces []string, user string, first int) ([]engine.Forecast, error)
	Standings(ctx context.Context, c engine.Caller, views []*engine.View) ([]engine.Standing, error)
	SleepReport(ctx context.Context, c engine.Caller, id graph.ID) (*engine.SleepReport, error)
	SleepReports(ctx context.Context, c engine.Caller, first int, after graph.ID) ([]engine.SleepReport, bool, error)
	SleepSteps(ctx context.Context, c engine.Caller, report graph.ID, first int) ([]engine.SleepStep, error)
	SleepStatus(ctx context.Context, c engine.Caller) (*engine.SleepStatus, error)
	DeletionReceipt(ctx context.Context, c engine.Caller, id graph.ID) (*graph.Receipt, error)
	ReceiptIDs(ctx context.Context, c engine.Caller, receipt, after graph.ID, first int) ([]graph.ID, error)
	Health(ctx context.Context, c engine.Caller) (*engine.HealthReport, error)
	SleepProgress(ctx context.Context, c engine.Caller) (<-chan engine.SleepProgress, error)
	MorningReports(ctx context.Context, c engine.Caller, after graph.ID) (<-chan engine.SleepReport, error)
	EventCursor(ctx context.Context, c engine.Caller) (graph.Cursor, error)
	Events(ctx context.Context, c engine.Caller, after graph.Cursor, fromNow bool, namespaces []string) (<-chan engine.Event, error)
}

var _ Verbs = (*engine.Engine)(nil)
