package dgraphstore

import (
	"context"
	"math/rand/v2"
	"slices"
	"strings"
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
	firstAnswer = 3 * time.Second  // how long the first two of several alphas have to answer; each next two twice as long
)

// member is an alpha. One that can't be reached must not make who asks wait while others
// would answer.
type member struct {
	dg     *dgo.Dgraph
	mu     sync.Mutex   // guards logins
	logins int          // how often who asks has logged in
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
	return min(s.opts.Timeout, firstAnswer<<((n-1)/2))
}

// once runs the n-th try of a request (from 1) at an alpha that answers, as far as is known.
func (s *Store) once(ctx context.Context, n int, request func(context.Context) error) error {
	m, ok := ctx.Value(memberKey{}).(*member)
	if !ok || m.silent.Load() > time.Now().UnixNano() {
		m = s.pick()
	}
	limited, cancel := context.WithTimeout(ctx, s.within(n))
	defer cancel()
	defer context.AfterFunc(s.Alive(), cancel)() // while nobody answers only the probe asks
	err := s.at(limited, m, request)
	if transient(err) && ctx.Err() == nil {
		m.silent.Store(time.Now().Add(silentFor).UnixNano())
	}
	return err
}

// at runs a request at an alpha, and takes note of whether it answers.
func (s *Store) at(ctx context.Context, m *member, request func(context.Context) error) error {
	ctx = context.WithValue(ctx, memberKey{}, m)
	s.pulse.asked(time.Now())
	err := m.as(ctx, s.opts.Login, request)
	answered := !transient(err)
	if answered {
		m.silent.Store(0)
	}
	if s.pulse.ended(time.Now(), answered) {
		s.opts.Logger.Info("[CIRCUIT BREAKER] Dgraph is back")
	}
	return err
}

// as runs a request as somebody whom the alpha knows. A login that has run out, or that the
// alpha does not know any more, is made again.
func (m *member) as(ctx context.Context, as *Login, request func(context.Context) error) error {
	if as == nil {
		return request(ctx)
	}
	n, err := m.login(ctx, as, 0)
	if err != nil {
		return err
	}
	if err = request(ctx); !strange(err) {
		return err
	}
	if _, err = m.login(ctx, as, n); err != nil {
		return err
	}
	return request(ctx)
}

// strange reports whether an alpha does not know who asks, as it says of a token that has
// run out. dgo shows it a refresh token by itself; one that has run out too is refused like
// a wrong password. Where Dgraph asks for the namespace first it says that there is none.
func strange(err error) bool {
	if status.Code(err) == codes.Unauthenticated {
		return true
	}
	return err != nil && slices.ContainsFunc([]string{"invalid username or password", "No namespace in the metadata"}, func(part string) bool {
		return strings.Contains(err.Error(), part)
	})
}

// login makes this process known to the alpha, where that was not done since the login
// that ran out (0: none did). It answers which login this is.
func (m *member) login(ctx context.Context, as *Login, out int) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.logins > out {
		return m.logins, nil
	}
	if err := m.dg.Login(ctx, as.User, as.Password); err != nil {
		return 0, err
	}
	m.logins++
	return m.logins, nil
}

// credentials are how the connections are protected.
func (o Options) credentials() credentials.TransportCredentials {
	if o.TLS == nil {
		return insecure.NewCredentials()
	}
	return credentials.NewTLS(o.TLS.Clone())
}
