package auth_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/auth"
	"github.com/somnograph/somnograph/engine"
)

// What is held ends when its credential expires, without waiting for the next look.
func TestHeldEndsWhenItsCredentialExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a, err := auth.New(auth.Options{Now: time.Now, Tick: make(chan time.Time)}) // no look comes
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		c := engine.Caller{Credential: "session-1", Until: time.Now().Add(3 * time.Second)}
		ended, stopped := make(chan struct{}), make(chan struct{})
		a.Hold(c, func() { close(stopped) })()
		a.Hold(c, func() { close(ended) })
		if a.Expired(c) {
			t.Error("it has expired before its end")
		}
		<-ended
		if now := time.Now(); !now.Equal(c.Until) {
			t.Errorf("it ended %v after its credential", now.Sub(c.Until))
		}
		if !a.Expired(c) {
			t.Error("it has not expired at its end")
		}
		select {
		case <-stopped:
			t.Error("a holding ended after it was stopped")
		default:
		}
	})
}
