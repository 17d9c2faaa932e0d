package recall

import (
	"context"
	"strings"
	"sync"
	"time"

	_ "embed"

	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/workspace"
	"github.com/somnograph/somnograph/graph/index"
)

// Cosines of different embedding models can't be compared: unrelated texts have a cosine near 0
// in one and .7 in another. The relevance of a hit uses cosines on the scale of the built-in
// embedder. The scale of another model is measured once, with sixteen statements and a question
// for each: the mean cosine of the pairs that belong together, and of those that do not.

//go:embed scale.tsv
var scaleTexts string

// Mean cosines of the built-in embedder for the texts of scale.tsv.
const (
	builtInRelated   = 0.634
	builtInUnrelated = 0.005
)

// scaleRetry is the pause after the model failed. Until then cosines count as they are.
const scaleRetry = time.Minute

// scale maps the cosines of a model to those of the built-in embedder. The zero value leaves them
// as they are.
type scale struct{ related, unrelated float64 }

func (s scale) apply(cosine float64) float64 {
	if s.related <= s.unrelated {
		return cosine
	}
	share := (cosine - s.unrelated) / (s.related - s.unrelated)
	return min(1, max(0, builtInUnrelated+share*(builtInRelated-builtInUnrelated)))
}

// scaleCache keeps the scale of the embedder.
type scaleCache struct {
	mu      sync.Mutex
	scale   scale
	known   bool
	retryAt time.Time // of the process, not of the engine's clock
}

// semanticScale returns the scale of the embedder, and whether it is known. A models.Weigher is the built-in
// one. The cosines of an embedder that could not be measured count as they are.
func (svc *Service) semanticScale(ctx context.Context) (_ scale, known bool) {
	if _, builtIn := svc.Embedder.(models.Weigher); builtIn {
		return scale{}, true
	}
	c := &svc.scales
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known || time.Now().Before(c.retryAt) {
		return c.scale, c.known
	}
	bounded, cancel := workspace.WithHalfDeadline(ctx, queryWait)
	defer cancel()
	s, err := measureScale(bounded, svc.Embedder)
	if err != nil {
		svc.Log.WarnContext(ctx, "[READ] the embedder's cosines were not measured; they count as they are", "error", err)
		c.retryAt = time.Now().Add(scaleRetry)
		return scale{}, false
	}
	c.scale, c.known = s, true
	return s, true
}

// measureScale embeds the texts of scale.tsv.
func measureScale(ctx context.Context, e models.Embedder) (scale, error) {
	var statements, questions []string
	for line := range strings.Lines(scaleTexts) {
		statement, question, _ := strings.Cut(strings.TrimSpace(line), "\t")
		statements, questions = append(statements, statement), append(questions, question)
	}
	said, err := e.Embed(ctx, statements, models.Passage)
	if err != nil {
		return scale{}, err
	}
	asked, err := e.Embed(ctx, questions, models.Query)
	if err != nil {
		return scale{}, err
	}
	var s scale
	n := float64(len(said))
	for i := range said {
		for j := range asked {
			if cosine := index.Cosine(said[i], asked[j]); i == j {
				s.related += cosine / n
			} else {
				s.unrelated += cosine / (n * (n - 1))
			}
		}
	}
	return s, nil
}
