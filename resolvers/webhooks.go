package resolvers

import (
	"context"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

func (r queryResolver) Webhooks(ctx context.Context) ([]*gql.Webhook, error) {
	list, err := r.verbs.Webhooks(ctx, caller(ctx))
	if err != nil {
		return nil, err
	}
	out := make([]*gql.Webhook, len(list))
	for i, w := range list {
		out[i] = encodeWebhook(w)
	}
	return out, nil
}

func (r mutationResolver) CreateWebhook(ctx context.Context, input gql.CreateWebhookInput) (*gql.CreateWebhookPayload, error) {
	w, secret, err := r.verbs.CreateWebhook(ctx, caller(ctx), engine.WebhookInput{URL: input.URL, Namespaces: input.Namespaces, Content: valueOr(input.Content, false)})
	if err != nil {
		return nil, err
	}
	return &gql.CreateWebhookPayload{Webhook: encodeWebhook(w), Secret: secret}, nil
}

func (r mutationResolver) DeleteWebhook(ctx context.Context, id string) (*gql.Webhook, error) {
	w, err := r.verbs.DeleteWebhook(ctx, caller(ctx), graph.ID(id))
	if err != nil {
		return nil, err
	}
	return encodeWebhook(w), nil
}

func (r mutationResolver) RetryWebhook(ctx context.Context, id string) (*gql.Webhook, error) {
	w, err := r.verbs.RetryWebhook(ctx, caller(ctx), graph.ID(id))
	if err != nil {
		return nil, err
	}
	return encodeWebhook(w), nil
}

func encodeWebhook(w *engine.Webhook) *gql.Webhook {
	out := &gql.Webhook{
		ID: string(w.ID), URL: w.URL, Namespaces: w.Namespaces, Content: w.Content, CreatedAt: w.CreatedAt, Delivered: w.Delivered, LastDeliveredAt: nullableTime(w.LastAt),
		Attempts: w.Attempts, NextAttemptAt: nullableTime(w.NextAt), LastError: nullable[string](w.Reason), Stopped: w.Stopped, DeadLetters: make([]*gql.WebhookDeadLetter, len(w.Dead)),
	}
	for i, d := range w.Dead {
		out.DeadLetters[i] = &gql.WebhookDeadLetter{
			Message: d.Message, MemoryID: string(d.ID), Namespace: d.Namespace, ChangedAt: d.At, Attempts: d.Attempts, LastAttemptAt: d.LastAt, Reason: d.Reason,
		}
	}
	return out
}
