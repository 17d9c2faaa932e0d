package dgraphstore

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dgraph-io/dgo/v230"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
)

const (
	silentFor   = 15 * time.Second // how long an alpha that did not answer is not asked
	firstAnswer = 3 * time.Second  // how long the first of several alphas has to answer; each next one twice as long
)

// member is an alpha. One that can't be reached must not make who asks wait while others
// would answer.
type member struct {
	dg     *dgo.Dgraph
	mu     sync.Mutex   // guards known
	known  bool         // who asks has logged in
	silent atomic.Int64 // until when it is not asked, nanoseconds since 1970
}

// pick chooses an alpha at random among those that answer, or else the one that has been
// silent for longest.
func (s *Store) pick() *member {
	now := time.Now().UnixNano()
	var answer []*member
	oldest := s.members[0]
	for _, m := range s.members {
		until := m.silent.Load()
		if until <= now {
			answer = append(answer, m)
		}
		if until < oldest.silent.Load() {
			oldest = m
		}
	}
	if len(answer) == 0 {
		return oldest
	}
	return answer[rand.N(len(answer))]
}

// memberKey is what the alpha that a request goes to goes by in a context.
type memberKey struct{}

// client is the alpha of a request.
func (s *Store) client(ctx context.Context) *dgo.Dgraph {
	if m, ok := ctx.Value(memberKey{}).(*member); ok {
		return m.dg
	}
	return s.pick().dg
}

// within is how long the n-th try of a request (from 1) may take: where there are others
// to ask the first tries are short.
func (s *Store) within(n int) time.Duration {
	if len(s.members) == 1 || n > 8 {
		return s.opts.Timeout
	}
	return min(s.opts.Timeout, firstAnswer<<(n-1))
}

// once runs the n-th try of a request (from 1) at an alpha that answers, as far as is known.
func (s *Store) once(ctx context.Context, n int, request func(context.Context) error) error {
	m, ok := ctx.Value(memberKey{}).(*member)
	if !ok || m.silent.Load() > time.Now().UnixNano() {
		m = s.pick()
	}
	limited, cancel := context.WithTimeout(context.WithValue(ctx, memberKey{}, m), s.within(n))
	defer cancel()
	err := m.login(limited, s.opts.Login)
	if err == nil {
		err = request(limited)
	}
	switch {
	case err == nil:
		m.silent.Store(0)
	case status.Code(err) == codes.Unauthenticated:
		m.forget() // of the login that has run out, or that the alpha does not know any more
	case transient(err) && ctx.Err() == nil:
		m.silent.Store(time.Now().Add(silentFor).UnixNano())
	}
	return err
}

// login makes this process known to the alpha, where that has to be and was not done.
func (m *member) login(ctx context.Context, as *Login) error {
	if as == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known {
		return nil
	}
	err := m.dg.Login(ctx, as.User, as.Password)
	m.known = err == nil
	return err
}

func (m *member) forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known = false
}

// credentials are how the connections are protected.
func (o Options) credentials() credentials.TransportCredentials {
	if o.TLS == nil {
		return insecure.NewCredentials()
	}
	return credentials.NewTLS(o.TLS.Clone())
}
