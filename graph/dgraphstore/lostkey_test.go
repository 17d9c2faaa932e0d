package dgraphstore

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dgraph-io/dgo/v230/protos/api"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
	"github.com/somnograph/somnograph/internal/dgraphtest"
)

// Nothing in the store refers to the key of a write that was sent and lost, so that an erasure does not destroy it. A rotation of the data
// keys does.
func TestRotationDestroysTheKeyOfALostWrite(t *testing.T) {
	var armed, cut atomic.Bool // the line goes dead at the next commit; it is dead
	var numbers []uint64       // of the keys of the records that were sent and lost
	o := sealedOptions(t.TempDir())
	o.Dial = []grpc.DialOption{grpc.WithUnaryInterceptor(func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		r, ok := req.(*api.Request)
		if commits := ok && r.CommitNow && len(r.Mutations) > 0; !cut.Load() && (!armed.Load() || !commits) {
			return invoke(ctx, method, req, reply, conn, opts...)
		}
		if armed.Swap(false) {
			cut.Store(true)
			for _, m := range r.Mutations {
				for _, q := range m.Set {
					if n := (storedSeal{Record: q.GetObjectValue().GetStrVal()}).number(); n != 0 && strings.HasSuffix(q.Predicate, ".record") {
						numbers = append(numbers, n)
					}
				}
			}
		}
		return status.Error(codes.Unavailable, "the line is dead")
	})}
	var clock atomic.Int64
	o.Now = func() time.Time { return start.Add(time.Duration(clock.Load())) }
	o.Backoff = func(int) time.Duration { clock.Add(int64(10 * time.Second)); return 0 }
	s, sc := openSealed(t, dgraphtest.Run(t, t.TempDir()).Addr, o), scope(t)
	defer closeStore(t, s)
	if _, err := s.Update(t.Context(), sc, put(memory(t, 0))); err != nil {
		t.Fatal(err)
	}
	armed.Store(true)
	if _, err := s.Update(t.Context(), sc, put(memory(t, time.Second))); !errors.Is(err, graph.ErrUncertain) {
		t.Errorf("the lost write: %v", err)
	}
	cut.Store(false)
	for deadline := time.Now().Add(time.Minute); s.Ready(t.Context()) != nil; {
		if time.Now().After(deadline) {
			t.Fatal("the store is not there again")
		}
	}
	if len(numbers) == 0 {
		t.Fatal("no sealed record was sent")
	}
	ring := must[*keyring.Ring](t)(s.Ring(sc.Tenant))
	ended := func(when string, want bool) {
		t.Helper()
		for _, n := range numbers {
			if gone, err := destroyed(ring, n); err != nil || gone != want {
				t.Errorf("%s: key %d is destroyed: %v, %v", when, n, gone, err)
			}
		}
	}
	if _, err := s.Shred(t.Context(), sc); err != nil {
		t.Fatal(err)
	}
	ended("after an erasure", false)
	first := must[uint64](t)(s.RenewRows(t.Context(), sc, func(int, int) {}))
	if err := s.EndRenewal(t.Context(), sc, first); err != nil {
		t.Fatal(err)
	}
	ended("after a rotation", true)
}
