package webhook_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/enginetest"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// slowReceiver accepts each message after a while, as an endpoint on another continent does.
type slowReceiver struct{ receiver }

func (r *slowReceiver) Send(ctx context.Context, q engine.WebhookRequest) (engine.WebhookAnswer, error) {
	select {
	case <-time.After(50 * time.Millisecond):
	case <-ctx.Done():
	}
	return r.receiver.Send(ctx, q)
}

// BenchmarkWritesWithWebhooks writes the same memories into two stores on disk, one of them with
// eight webhooks, in turns of 100 memories by four writers. It reports the median of the turns with
// webhooks divided by those without: 1 means that webhooks cost nothing.
func BenchmarkWritesWithWebhooks(b *testing.B) {
	const turn, writers, hooks = 100, 4, 8
	open := func(hooks int) *enginetest.World {
		store, err := badgerstore.Open(b.TempDir(), badgerstore.Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { _ = store.Close() })
		w := enginetest.With(b, enginetest.Options{Store: store, Webhooks: &slowReceiver{}, Alarms: true})
		for i := range hooks {
			if _, _, err := w.CreateWebhook(b.Context(), w.Caller, engine.WebhookInput{URL: fmt.Sprintf("https://app%d.example", i), Content: true}); err != nil {
				b.Fatal(err)
			}
		}
		return w
	}
	plain, hooked := open(0), open(hooks)
	n := 0
	write := func(w *enginetest.World, from int) time.Duration {
		began := time.Now()
		var group sync.WaitGroup
		for k := range writers {
			group.Go(func() {
				for i := k; i < turn; i += writers {
					in := engine.RememberInput{Content: fmt.Sprintf("Crate %d of row %d weighs %d kg.", from+i, (from+i)%17, (from+i)*13%997), Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert}
					if _, err := w.Engine.Remember(b.Context(), w.Caller, in); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
		group.Wait()
		return time.Since(began)
	}
	var ratios, without []float64
	for b.Loop() {
		var a, z time.Duration
		if n += turn; n/turn%2 == 0 {
			a, z = write(plain, n), write(hooked, n)
		} else {
			z, a = write(hooked, n), write(plain, n)
		}
		ratios, without = append(ratios, float64(z)/float64(a)), append(without, a.Seconds())
	}
	slices.Sort(ratios)
	slices.Sort(without)
	b.ReportMetric(ratios[len(ratios)/2], "with/without")
	b.ReportMetric(ratios[len(ratios)/4], "with/without-p25")
	b.ReportMetric(ratios[len(ratios)*3/4], "with/without-p75")
	b.ReportMetric(turn/without[len(without)/2], "writes/s-without")
}
