package evaluation

import (
	"context"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/models"
	"github.com/somnograph/somnograph/engine/models/hashed"
)

// deaf gives every text the same vector, so that meaning is lost.
type deaf struct{ models.Embedder }

func (deaf) Name() string { return "deaf" }

func (d deaf) Embed(ctx context.Context, texts []string, kind models.Kind) ([][]float32, error) {
	same := make([]string, len(texts))
	for i := range same {
		same[i] = "the same"
	}
	return d.Embedder.Embed(ctx, same, kind)
}

// The canary measures every indicator, within its healthy band, and a spoilt embedder shows.
func TestCanary(t *testing.T) {
	if testing.Short() {
		t.Skip("the full run has it")
	}
	well, err := Canary(t.Context(), hashed.New())
	if err != nil {
		t.Fatal(err)
	}
	for name := range canaryFigures {
		v, measured := well[name]
		if i, known := engine.FindIndicator(name); !measured || !known || i.Band(v) != "" {
			t.Errorf("%s is %v", name, v)
		}
	}
	spoilt, err := Canary(t.Context(), deaf{hashed.New()})
	if err != nil {
		t.Fatal(err)
	}
	if i, _ := engine.FindIndicator(engine.IndicatorRecall14); i.Band(spoilt[i.Name]) != engine.AlarmCritical {
		t.Errorf("a spoilt embedder has a recall of %v", spoilt[i.Name])
	}
}
