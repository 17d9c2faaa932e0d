package dgraphstore

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dgraph-io/dgo/v230/protos/api"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/dgraphstore/reach"
)

// fault is what happens to a request that commits.
type fault int

const (
	passes     fault = iota
	lostBefore       // it never reaches the server
	lostAfter        // it is carried out, and the answer is lost
)

// faulty injects a fault into the n-th request that commits (from 0), as next says.
func faulty(next func(n int) fault) (dial grpc.DialOption, faults *atomic.Int64) {
	var n atomic.Int64
	faults = &atomic.Int64{}
	return grpc.WithUnaryInterceptor(func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		r, ok := req.(*api.Request)
		if !ok || !r.CommitNow || len(r.Mutations) == 0 {
			return invoke(ctx, method, req, reply, conn, opts...)
		}
		f := next(int(n.Add(1) - 1))
		if f != passes {
			faults.Add(1)
		}
		lost := status.Error(codes.Unavailable, "the line went dead")
		if f == lostBefore {
			return lost
		}
		if err := invoke(ctx, method, req, reply, conn, opts...); err != nil {
			return err
		}
		if f == lostAfter {
			return lost
		}
		return nil
	}), faults
}

func TestLostAnswerIsResolved(t *testing.T) {
	for name, next := range map[string]func(int) fault{
		"before":         func(n int) fault { return []fault{lostBefore, passes}[n%2] },
		"after":          func(n int) fault { return []fault{lostAfter, passes}[n%2] },
		"before, after":  func(n int) fault { return []fault{lostBefore, lostAfter, passes}[n%3] },
		"after and more": func(n int) fault { return []fault{lostAfter, lostBefore, lostBefore, lostAfter}[n%4] },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dial, faults := faulty(next)
			s, other, sc := open(t, Options{Dial: []grpc.DialOption{dial}}), open(t, Options{}), scope(t)
			const times = 12
			var acked []graph.ID
			var cursors []graph.Cursor
			for i := range times {
				m := memory(t, time.Duration(i)*time.Second)
				c, err := s.Update(t.Context(), sc, func(tx graph.Tx) error { return errors.Join(put(m)(tx), add(tx)) })
				if err != nil {
					t.Fatal(err)
				}
				acked, cursors = append(acked, m.ID), append(cursors, c)
				if i%3 == 0 { // another process takes the next number
					if _, err := other.Update(t.Context(), sc, func(tx graph.Tx) error { return tx.PutSetting("other", []byte("v")) }); err != nil {
						t.Fatal(err)
					}
				}
			}
			if faults.Load() < times/2 {
				t.Fatalf("only %d faults", faults.Load())
			}
			if n := counter(t, other, sc); n != times {
				t.Errorf("the counter is %d, want %d", n, times)
			}
			var ids []graph.ID
			var at []graph.Cursor
			for _, c := range must[[]graph.Change](t)(other.Changes(t.Context(), sc, 0, 0)) {
				ids, at = append(ids, c.ID), append(at, c.Cursor)
			}
			if !slices.Equal(ids, acked) || !slices.Equal(at, cursors) {
				t.Errorf("the feed has %d changes at %v, acknowledged were %d at %v", len(ids), at, len(acked), cursors)
			}
		})
	}
}

func TestLostAnswerCountsUseOnce(t *testing.T) {
	dial, faults := faulty(func(n int) fault { return fault(n % 3) })
	s, sc := open(t, Options{Dial: []grpc.DialOption{dial}}), scope(t)
	m := memory(t, 0)
	if _, err := s.Update(t.Context(), sc, put(m)); err != nil {
		t.Fatal(err)
	}
	const times = 10
	for i := range times {
		if err := s.CountUses(t.Context(), sc, []graph.ID{m.ID}, graph.Use{At: start.Add(time.Duration(i) * time.Minute)}); err != nil {
			t.Fatal(err)
		}
	}
	err := s.View(t.Context(), sc, func(r graph.Reader) error {
		got, err := r.Memory(m.ID)
		if err == nil && got.Usage.Count != times {
			t.Errorf("%d uses counted, want %d; %d faults", got.Usage.Count, times, faults.Load())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestUnknownOutcomeIsReported(t *testing.T) {
	var cut atomic.Bool // the connection stays dead after the first commit
	dial := grpc.WithUnaryInterceptor(func(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
		if cut.Load() {
			return status.Error(codes.Unavailable, "the line is dead")
		}
		if r, ok := req.(*api.Request); ok && r.CommitNow && len(r.Mutations) > 0 {
			cut.Store(true)
			return errors.Join(invoke(ctx, method, req, reply, conn, opts...), status.Error(codes.Unavailable, "the line went dead"))
		}
		return invoke(ctx, method, req, reply, conn, opts...)
	})
	var clock atomic.Int64
	s := open(t, Options{
		Dial: []grpc.DialOption{dial}, Now: func() time.Time { return start.Add(time.Duration(clock.Load())) },
		Backoff: func(int) time.Duration { clock.Add(int64(10 * time.Second)); return 0 },
	})
	other, sc := open(t, Options{}), scope(t)
	_, err := s.Update(t.Context(), sc, add)
	if !errors.Is(err, graph.ErrUncertain) || graph.CodeOf(err) != graph.CodeUnavailable {
		t.Errorf("error is %v, want %v", err, graph.ErrUncertain)
	}
	if n := counter(t, other, sc); n != 1 { // it was committed
		t.Errorf("the counter is %d", n)
	}
	if err := s.Ready(t.Context()); !errors.Is(err, graph.ErrUnavailable) {
		t.Errorf("ready answers %v", err)
	}
	if err := s.View(t.Context(), sc, func(r graph.Reader) error { _, err := r.Setting("counter"); return err }); !errors.Is(err, graph.ErrUnavailable) {
		t.Errorf("a view answers %v", err)
	}
	cut.Store(false)
}

func TestUnsentCommitIsNotUncertain(t *testing.T) {
	s, sc := open(t, Options{}), scope(t)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := s.Update(ctx, sc, func(tx graph.Tx) error {
		defer cancel()
		return add(tx)
	})
	if !errors.Is(err, context.Canceled) || errors.Is(err, graph.ErrUncertain) {
		t.Errorf("error is %v", err)
	}
	if err := s.View(t.Context(), sc, func(r graph.Reader) error { _, err := r.Setting("counter"); return err }); !errors.Is(err, graph.ErrNotFound) {
		t.Errorf("the counter is %v", err)
	}
}

func TestMissingClusterIsUnavailable(t *testing.T) {
	if _, err := Open(t.Context(), []string{"127.0.0.1:1"}, Options{RetryFor: time.Millisecond}); !errors.Is(err, graph.ErrUnavailable) {
		t.Errorf("error is %v", err)
	}
	if _, err := Open(t.Context(), nil, Options{}); err == nil {
		t.Error("a missing address is not an error")
	}
}

func TestErrorsOfDgraphAreClassified(t *testing.T) {
	for _, x := range []struct {
		err                error
		transient, aborted bool
	}{
		{nil, false, false},
		{status.Error(codes.Unavailable, "x"), true, false},
		{status.Error(codes.DeadlineExceeded, "x"), true, false},
		{status.Error(codes.Aborted, "Transaction has been aborted. Please retry"), false, true},
		{status.Error(codes.Unknown, "Please retry again, server is not ready to accept requests"), true, false},
		{status.Error(codes.Unknown, "errIndexingInProgress. Please retry"), true, false},
		{status.Error(codes.Unknown, "line 1 column 3: Unrecognized character"), false, false},
		{errors.New("something else"), false, false},
	} {
		if reach.IsTransient(x.err) != x.transient || reach.IsAborted(x.err) != x.aborted {
			t.Errorf("%v: transient %v, aborted %v", x.err, reach.IsTransient(x.err), reach.IsAborted(x.err))
		}
	}
}
