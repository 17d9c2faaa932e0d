package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A webhook is refused when it is made if its URL can't be public, however the host is written, unless the operator allows
// private addresses.
func TestWebhooksOfPrivateHostsAreRefused(t *testing.T) {
	strict, open := start(t, t.TempDir()), start(t, t.TempDir(), "--webhooks-allow-private")
	create := func(s *server, url string) string {
		t.Helper()
		body, err := json.Marshal(map[string]any{"query": `mutation($u: String!) { createWebhook(input: {url: $u}) { webhook { url } } }`, "variables": map[string]any{"u": url}})
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.Post(s.url+"/graphql", "application/json", strings.NewReader(string(body)))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		answer, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(answer)
	}
	for _, host := range []string{"localhost", "app.localhost", "127.0.0.1", "127.1", "0x7f000001", "2130706433", "[::1]", "[::ffff:127.0.0.1]", "10.0.0.1", "metadata.google.internal", "redis"} {
		if a := create(strict, "https://"+host+":9000/hook"); !strings.Contains(a, `"INVALID_REQUEST"`) || !strings.Contains(a, `"field":"url"`) || !strings.Contains(a, "webhooks.allow-private") {
			t.Errorf("%s: %s", host, a)
		}
	}
	if a := create(strict, "https://app.example/hook"); strings.Contains(a, "errors") {
		t.Errorf("a public name: %s", a)
	}
	for _, url := range []string{"http://localhost:9000/hook", "http://127.0.0.1:9000/hook"} {
		if a := create(open, url); strings.Contains(a, "errors") {
			t.Errorf("allowed, %s: %s", url, a)
		}
	}
	strict.stop()
	open.stop()
}

// A webhook that was deleted stays so with a restore of a backup from before, and gets nothing of what is written later. So does that of a
// tenant that was deleted.
func TestADeletedWebhookStaysDeleted(t *testing.T) {
	got := make(chan string, 1000)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- r.URL.Path }))
	defer receiver.Close()
	p := newPlace(t)
	flags := []string{"--keys", p.at("keys"), "--webhooks-allow-private"}
	s := start(t, p.at("data"), flags...)
	ask := func(query string) (answer struct {
		Data struct {
			CreateWebhook struct{ Webhook struct{ ID string } }
			Webhooks      []struct{ URL string }
		}
		Errors []struct{ Message string }
	}) {
		t.Helper()
		body, err := json.Marshal(map[string]any{"query": query})
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.Post(s.url+"/graphql", "application/json", strings.NewReader(string(body)))
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || len(answer.Errors) > 0 {
			t.Fatalf("%s: %+v, %v", query, answer, err)
		}
		return answer
	}
	create := func(path string) string {
		t.Helper()
		return ask(`mutation { createWebhook(input: {url: "` + receiver.URL + path + `", content: true}) { webhook { id } } }`).Data.CreateWebhook.Webhook.ID
	}
	gone := create("/gone")
	create("/kept")
	p.succeeds("backup", "--addr", s.url, "--to", p.at("bk"))
	ask(`mutation { deleteWebhook(id: "` + gone + `") { id } }`)
	s.stop()
	for len(got) > 0 {
		<-got
	}
	p.succeeds("restore", "--from", p.at("bk"), "--keys", p.at("keys"), "--data", p.at("restored"))
	s = start(t, p.at("restored"), flags...)
	if list := ask(`{ webhooks { url } }`).Data.Webhooks; len(list) != 1 || list[0].URL != receiver.URL+"/kept" {
		t.Errorf("%+v", list)
	}
	remember(t, s.client(), "The lane floods in spring.")
	select {
	case path := <-got:
		if path != "/kept" {
			t.Errorf("%s got a message", path)
		}
	case <-time.After(time.Minute):
		t.Error("the webhook that was not deleted got nothing")
	}
	s.stop()
	for len(got) > 0 {
		if path := <-got; path != "/kept" {
			t.Errorf("%s got a message", path)
		}
	}
	if !strings.Contains(s.log.String(), "deleted webhooks were back") {
		t.Error(s.log.String())
	}
}
