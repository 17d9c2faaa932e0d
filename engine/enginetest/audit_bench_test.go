package enginetest

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/badgerstore"
)

// BenchmarkRememberWithAudit compares durable writes by 16 clients with and without the audit.
func BenchmarkRememberWithAudit(b *testing.B) {
	for name, keys := range map[string]engine.AuditKeys{"without": nil, "with": &AuditKeys{}} {
		b.Run(name, func(b *testing.B) {
			s, err := badgerstore.Open(b.TempDir(), badgerstore.Options{})
			if err != nil {
				b.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			w := With(b, Options{Store: s, AuditKeys: keys})
			var n atomic.Int64
			b.SetParallelism(8)
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					i := n.Add(1)
					_, err := w.Engine.Remember(b.Context(), w.Caller, engine.RememberInput{
						Content: fmt.Sprintf("Crate %d of the shipment %d stands in hall %d.", i, i/7, i%13), Consent: graph.ConsentExplicit, OnDuplicate: engine.Insert,
					})
					if err != nil {
						b.Error(err)
						return
					}
				}
			})
			b.StopTimer()
		})
	}
}
