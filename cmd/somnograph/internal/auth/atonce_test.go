package auth_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/auth"
	"github.com/somnograph/somnograph/engine"
)

func TestRequestsAtOnce(t *testing.T) {
	came, free := make(chan struct{}), make(chan struct{})
	serve := auth.AtOnce(2, func(_ engine.Caller, _ http.ResponseWriter, _ *http.Request) { came <- struct{}{}; <-free })
	try := func(c engine.Caller) int {
		w := httptest.NewRecorder()
		serve(c, w, httptest.NewRequest(http.MethodGet, "/export", nil))
		return w.Code
	}
	ana, bo := engine.Caller{Tenant: "acme", Name: "ana"}, engine.Caller{Tenant: "beta", Name: "ana"}
	done := make(chan int, 10)
	run := func(c engine.Caller) { go func() { done <- try(c) }(); <-came }
	run(ana)
	run(ana)
	if code := try(ana); code != http.StatusTooManyRequests {
		t.Errorf("the third: %d", code)
	}
	run(bo)
	for range 3 {
		run(engine.Loopback())
	}
	close(free)
	for range 6 {
		if code := <-done; code != http.StatusOK {
			t.Errorf("code %d", code)
		}
	}
	go func() { done <- try(ana) }()
	<-came
	if code := <-done; code != http.StatusOK {
		t.Errorf("afterwards: %d", code)
	}
}
