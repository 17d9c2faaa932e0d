package webhook_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/somnograph/somnograph/engine"
)

// A webhook that is deleted while messages are on their way to it gets none of those that follow: neither the deletion nor its record
// waits until the page of changes that is being sent has come to its end.
func TestAWebhookThatIsDeletedWhileItIsSentToGetsNothingMore(t *testing.T) {
	w, r, hook, _ := world(t, engine.WebhookInput{Content: true})
	w.Remember("The first box is in the shed.")
	r.wait(t, 1)
	r.set(func(int) (engine.WebhookAnswer, error) { return engine.WebhookAnswer{Status: 503}, nil }) // what follows is one page
	for i := range 20 {
		w.Remember(fmt.Sprintf("Box %d is on shelf %d.", i, i*7))
	}
	var once sync.Once
	began, deleted := make(chan struct{}), make(chan struct{})
	r.set(func(int) (engine.WebhookAnswer, error) {
		once.Do(func() { close(began) })
		<-deleted
		return engine.WebhookAnswer{Status: 204}, nil
	})
	if _, err := w.RetryWebhook(t.Context(), w.Caller, hook.ID); err != nil {
		t.Fatal(err)
	}
	<-began
	if _, err := w.DeleteWebhook(t.Context(), w.Caller, hook.ID); err != nil {
		t.Fatal(err)
	}
	close(deleted)
	other := engine.WebhookInput{URL: "https://other.example"}
	if _, _, err := w.CreateWebhook(t.Context(), w.Caller, other); err != nil {
		t.Fatal(err)
	}
	w.Remember("The winch is kept in the shed.")
	until(t, func() bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, q := range r.accepted {
			if q.URL == other.URL {
				return true
			}
		}
		return false
	})
	if err := w.Restart(); err != nil { // every delivery has ended
		t.Fatal(err)
	}
	late := 0
	for _, q := range r.accepted {
		if strings.Contains(q.URL, "app.example") {
			late++
		}
	}
	if late > 2 { // the first message, and the one that was on its way
		t.Errorf("%d messages were sent after the deletion", late-2)
	}
}
