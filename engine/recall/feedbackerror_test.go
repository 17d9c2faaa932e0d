package recall_test

import (
	"context"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
	"github.com/somnograph/somnograph/graph"
)

// lostEmbedder is a model whose host can't be found while it is lost.
type lostEmbedder struct {
	models.Embedder
	lost bool
}

func (x *lostEmbedder) Embed(ctx context.Context, texts []string, as models.Kind) ([][]float32, error) {
	if x.lost {
		return nil, &models.Error{Temporary: true, Message: "the model can't be reached", Err: &net.DNSError{Err: "no such host", Name: "embedder.corp.internal", Server: "10.7.7.7:53"}}
	}
	return x.Embedder.Embed(ctx, texts, as)
}

// Who gives feedback while the model is away is not told the names and addresses of the server's network.
func TestFeedbackNamesNoHostOfTheModel(t *testing.T) {
	embedder := &lostEmbedder{Embedder: hashed.New()}
	w, best := harbour(t, enginetest.Options{Embedder: embedder, Retry: time.Hour})
	embedder.lost = true
	_, err := w.Feedback(t.Context(), w.Caller, engine.FeedbackInput{Query: ferry, ID: best})
	if graph.CodeOf(err) != graph.CodeUnavailable || strings.Contains(err.Error(), "internal") || strings.Contains(err.Error(), "10.7.7.7") {
		t.Errorf("%v", err)
	}
}
