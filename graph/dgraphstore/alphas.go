package dgraphstore

import (
	"context"
	"github.com/somnograph/somnograph/graph/dgraphstore/reach"
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
	skipSilentFor   = 15 * time.Second // how long an alpha that did not answer is skipped
	firstTryTimeout = 3 * time.Second  // time limit of the first two tries with several alphas; it doubles every two tries
)

// alpha is a server of the cluster. One that does not answer is skipped while others do.
type alpha struct {
	client      *dgo.Dgraph
	mu          sync.Mutex   // guards logins
	logins      int          // logins so far
	silentUntil atomic.Int64 // until when it is skipped, nanoseconds since 1970
}

// pickAlpha chooses an alpha at random among those that answer, or else the one that has
// been silent for longest.
func (s *Store) pickAlpha() *alpha {
	now := time.Now().UnixNano()
	var answer []*alpha
	oldest := s.alphas[0]
	for _, alpha := range s.alphas {
		until := alpha.silentUntil.Load()
		if until <= now {
			answer = append(answer, alpha)
		}
		if until < oldest.silentUntil.Load() {
			oldest = alpha
		}
	}
	if len(answer) == 0 {
		return oldest
	}
	return answer[rand.N(len(answer))]
}

// alphaContextKey is the context key of the alpha that a request goes to.
type alphaContextKey struct{}

// clientFor is the client of the alpha in the context.
func (s *Store) clientFor(ctx context.Context) *dgo.Dgraph {
	if alpha, ok := ctx.Value(alphaContextKey{}).(*alpha); ok {
		return alpha.client
	}
	return s.pickAlpha().client
}

// tryTimeout is the time limit of the n-th try of a request (from 1). With several alphas
// the first tries are short.
func (s *Store) tryTimeout(n int) time.Duration {
	if len(s.alphas) == 1 || n > 8 {
		return s.options.Timeout
	}
	return min(s.options.Timeout, firstTryTimeout<<((n-1)/2))
}

// tryOnce runs the n-th try of a request (from 1) at an alpha that is believed to answer.
func (s *Store) tryOnce(ctx context.Context, n int, request func(context.Context) error) error {
	alpha, ok := ctx.Value(alphaContextKey{}).(*alpha)
	if !ok || alpha.silentUntil.Load() > time.Now().UnixNano() {
		alpha = s.pickAlpha()
	}
	limited, cancel := context.WithTimeout(ctx, s.tryTimeout(n))
	defer cancel()
	defer context.AfterFunc(s.Alive(), cancel)() // while no alpha answers, only probes are sent
	err := s.requestAt(limited, alpha, request)
	if reach.IsTransient(err) && ctx.Err() == nil {
		alpha.silentUntil.Store(time.Now().Add(skipSilentFor).UnixNano())
	}
	return err
}

// requestAt runs a request at an alpha, and records whether it answers.
func (s *Store) requestAt(ctx context.Context, alpha *alpha, request func(context.Context) error) error {
	ctx = context.WithValue(ctx, alphaContextKey{}, alpha)
	s.availability.RequestSent(time.Now())
	err := alpha.requestAs(ctx, s.options.Login, request)
	answered := !reach.IsTransient(err)
	if answered {
		alpha.silentUntil.Store(0)
	}
	if s.availability.RequestEnded(time.Now(), answered) {
		s.options.Logger.Info("[CIRCUIT BREAKER] Dgraph is back")
	}
	return err
}

// requestAs runs a request as a user of the cluster. It logs in again if the login has
// expired or the alpha does not know it any more.
func (alpha *alpha) requestAs(ctx context.Context, as *Login, request func(context.Context) error) error {
	if as == nil {
		return request(ctx)
	}
	n, err := alpha.login(ctx, as, 0)
	if err != nil {
		return err
	}
	if err = request(ctx); !notLoggedIn(err) {
		return err
	}
	if _, err = alpha.login(ctx, as, n); err != nil {
		return err
	}
	return request(ctx)
}

// notLoggedIn reports whether an alpha refuses a request because its token has expired. dgo
// uses a refresh token by itself; an expired refresh token is refused like a wrong password.
// If Dgraph checks the namespace first, it says that there is none.
func notLoggedIn(err error) bool {
	if status.Code(err) == codes.Unauthenticated {
		return true
	}
	return err != nil && slices.ContainsFunc([]string{"invalid username or password", "No namespace in the metadata"}, func(part string) bool {
		return strings.Contains(err.Error(), part)
	})
}

// login logs in at the alpha, unless that was done after the login that expired (0: none
// did). It returns the number of the login.
func (alpha *alpha) login(ctx context.Context, as *Login, out int) (int, error) {
	alpha.mu.Lock()
	defer alpha.mu.Unlock()
	if alpha.logins > out {
		return alpha.logins, nil
	}
	if err := alpha.client.Login(ctx, as.User, as.Password); err != nil {
		return 0, err
	}
	alpha.logins++
	return alpha.logins, nil
}

// credentials is how the connections are encrypted.
func (o Options) credentials() credentials.TransportCredentials {
	if o.TLS == nil {
		return insecure.NewCredentials()
	}
	return credentials.NewTLS(o.TLS.Clone())
}
