package engine

import (
	"context"

	"github.com/somnograph/somnograph/graph"
)

// DeadLetters lists abandoned background tasks that are still pending, by the age of the
// memory, and reports whether there are more.
func (e *Engine) DeadLetters(ctx context.Context, c Caller, in DeadLetterInput) (_ []DeadLetter, _ bool, err error) {
	ctx, end := e.ws.Begin(ctx, c, "deadLetters")
	defer end(&err)
	return e.upkeep.DeadLetters(ctx, c, in)
}

// Reembed starts or resumes the embedding of the tenant's memories with another model, in the
// background.
func (e *Engine) Reembed(ctx context.Context, c Caller, spec ModelSpec) (_ *Reembedding, err error) {
	ctx, end := e.ws.Begin(ctx, c, "reembed")
	defer end(&err)
	return e.upkeep.Reembed(ctx, c, spec)
}

// Reembedding returns the progress of the tenant's change to another model.
func (e *Engine) Reembedding(ctx context.Context, c Caller) (_ *Reembedding, err error) {
	ctx, end := e.ws.Begin(ctx, c, "reembedding")
	defer end(&err)
	return e.upkeep.Reembedding(ctx, c)
}

// RetryDeadLetters retries the abandoned tasks of some memories and returns the results.
func (e *Engine) RetryDeadLetters(ctx context.Context, c Caller, ids []graph.ID) (_ *RetryResult, err error) {
	ctx, end := e.ws.Begin(ctx, c, "retryDeadLetter")
	defer end(&err)
	return e.upkeep.RetryDeadLetters(ctx, c, ids)
}

// CreateWebhook makes a webhook, and returns its secret, which is shown this once.
func (e *Engine) CreateWebhook(ctx context.Context, c Caller, in WebhookInput) (_ *Webhook, _ string, err error) {
	ctx, end := e.ws.Begin(ctx, c, "createWebhook")
	defer end(&err)
	return e.webhook.Create(ctx, c, in)
}

// Webhooks lists the webhooks of the tenant that send only what the caller sees, oldest first.
func (e *Engine) Webhooks(ctx context.Context, c Caller) (_ []*Webhook, err error) {
	ctx, end := e.ws.Begin(ctx, c, "webhooks")
	defer end(&err)
	return e.webhook.List(ctx, c)
}

// DeleteWebhook removes a webhook and returns it as it was.
func (e *Engine) DeleteWebhook(ctx context.Context, c Caller, id graph.ID) (_ *Webhook, err error) {
	ctx, end := e.ws.Begin(ctx, c, "deleteWebhook")
	defer end(&err)
	return e.webhook.Delete(ctx, c, id)
}

// DiscardDeadLetters takes the abandoned tasks of some memories off the list and returns the ids
// of the memories.
func (e *Engine) DiscardDeadLetters(ctx context.Context, c Caller, ids []graph.ID) (_ []graph.ID, err error) {
	ctx, end := e.ws.Begin(ctx, c, "discardDeadLetter")
	defer end(&err)
	return e.upkeep.DiscardDeadLetters(ctx, c, ids)
}

// RetryWebhook sends the dead letters of a webhook once more, before newer changes.
func (e *Engine) RetryWebhook(ctx context.Context, c Caller, id graph.ID) (_ *Webhook, err error) {
	ctx, end := e.ws.Begin(ctx, c, "retryWebhook")
	defer end(&err)
	return e.webhook.Retry(ctx, c, id)
}
