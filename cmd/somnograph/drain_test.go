package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/importer"
)

// A shutdown beside writers, a deep sleep and a stream loses nothing that was acknowledged, and ends
// with code 0.
func TestShutdownUnderLoadLosesNothing(t *testing.T) {
	dir := t.TempDir()
	s := start(t, dir)
	c := s.client()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/graphql", strings.NewReader(`{"query":"subscription{memoryEvents{kind}}"}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	stream, err := http.DefaultClient.Do(req)
	if err != nil || stream.StatusCode != http.StatusOK {
		t.Fatalf("%+v, %v", stream, err)
	}
	defer stream.Body.Close()

	var mu sync.Mutex
	acked, enough := map[string]string{}, make(chan struct{})
	var wg sync.WaitGroup
	for writer := range 4 {
		wg.Go(func() {
			for i := 0; ; i++ {
				content := fmt.Sprintf("Writer %d counted %d gulls at pier %d.", writer, i*7, i)
				out, err := c.RememberMany(context.Background(), []importer.Memory{{Content: content, Consent: "EXPLICIT", OnDuplicate: "INSERT"}})
				if err != nil || len(out) != 1 || out[0].Err != nil {
					return // the server is closing
				}
				mu.Lock()
				acked[out[0].ID] = content
				if len(acked) == 100 {
					close(enough)
				}
				mu.Unlock()
			}
		})
	}
	<-enough
	wg.Go(func() { // it may be cut off
		_ = c.Do(context.Background(), `mutation{sleep(input:{deep:true}){id}}`, nil, &struct{}{})
	})
	s.signal(syscall.SIGTERM)
	if code := s.exit(); code != 0 {
		t.Fatalf("exit code %d:\n%s", code, s.log)
	}
	wg.Wait()
	if _, err := io.Copy(io.Discard, stream.Body); err != nil {
		t.Errorf("the stream was cut off: %v", err)
	}
	again := start(t, dir)
	compare(t, again.client(), acked)
	var health struct{ Health struct{ Status string } }
	if err := again.client().Do(t.Context(), `{health{status}}`, nil, &health); err != nil || health.Health.Status == "CRITICAL" {
		t.Errorf("%+v, %v", health, err)
	}
	again.stop()
}

// An import whose body is half there when the server shuts down has written nothing: the same import
// succeeds afterwards.
func TestShutdownDuringAnImport(t *testing.T) {
	from := start(t, t.TempDir())
	for i := range 5 {
		remember(t, from.client(), fmt.Sprintf("The tide table has page %d.", i))
	}
	_, _, lines := from.get("/export")
	from.stop()

	dir := t.TempDir()
	s := start(t, dir, "--shutdown-timeout", "300ms", "--metrics-addr", "127.0.0.1:0")
	body, sender := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		resp, err := http.Post(s.url+"/import", "application/x-ndjson", body)
		if err == nil {
			_ = resp.Body.Close()
		}
		ended <- err
	}()
	if _, err := sender.Write([]byte(lines[:len(lines)/2])); err != nil {
		t.Fatal(err)
	}
	s.stop()
	_ = sender.Close()
	<-ended // with an error, or the refusal of half a body

	again := start(t, dir)
	resp, err := http.Post(again.url+"/import", "application/x-ndjson", bytes.NewReader([]byte(lines)))
	if err != nil {
		t.Fatal(err)
	}
	answer, _ := io.ReadAll(resp.Body)
	if _ = resp.Body.Close(); resp.StatusCode != http.StatusOK || !strings.Contains(string(answer), `"memories":5`) {
		t.Errorf("%d %s", resp.StatusCode, answer)
	}
	again.stop()
}
