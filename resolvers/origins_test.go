package resolvers_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/resolvers"
)

// Foreign pages are refused, whatever they send. Clients without an origin and pages of allowed
// origins are accepted.
func TestOrigins(t *testing.T) {
	s := start(t, func(c *resolvers.Config) { c.AllowedOrigins = []string{"https://app.example"} })
	own := s.http.URL
	const query = "/graphql?query=%7B%20whoami%20%7B%20name%20%7D%20%7D"
	for _, c := range []struct {
		name    string
		headers []string
		status  int
	}{
		{"a program", nil, 200},
		{"the server's own page", []string{"Origin", own}, 200},
		{"an allowed page", []string{"Origin", "https://app.example"}, 200},
		{"a foreign page", []string{"Origin", "https://evil.example"}, 403},
		{"a page like an allowed one", []string{"Origin", "https://app.example.evil.example"}, 403},
		{"an allowed host by another scheme", []string{"Origin", "http://app.example"}, 403},
		{"a page without an origin", []string{"Origin", "null"}, 403},
		{"an image on a foreign page", []string{"Sec-Fetch-Site", "cross-site"}, 403},
		{"an image on a page of a neighbour", []string{"Sec-Fetch-Site", "same-site"}, 403},
		{"an image on the own page", []string{"Sec-Fetch-Site", "same-origin"}, 200},
	} {
		r, err := http.NewRequest(http.MethodGet, own+query, nil)
		if err != nil {
			t.Fatal(err)
		}
		for i := 0; i+1 < len(c.headers); i += 2 {
			r.Header.Set(c.headers[i], c.headers[i+1])
		}
		a := s.do(r)
		if a.Status != c.status || (c.status == 403) != (a.code() == "FORBIDDEN") {
			t.Errorf("%s gets %d %s, want %d", c.name, a.Status, a.Body, c.status)
		}
		if allow := a.Header.Get("Access-Control-Allow-Origin"); (allow == "https://app.example") != (c.name == "an allowed page") {
			t.Errorf("%s may read the answer as %q", c.name, allow)
		}
	}
	for origin, want := range map[string]int{"https://app.example": 204, "https://evil.example": 403} {
		r, err := http.NewRequest(http.MethodOptions, own+"/graphql", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Origin", origin)
		r.Header.Set("Access-Control-Request-Method", "POST")
		a := s.do(r)
		if a.Status != want || (want == 204) != strings.Contains(a.Header.Get("Access-Control-Allow-Headers"), "Authorization") {
			t.Errorf("the preflight of %s answers %d %v", origin, a.Status, a.Header)
		}
	}
}

// A form on a foreign page can send these requests; none of them is an operation.
func TestFormRequestsAreRefused(t *testing.T) {
	s := start(t)
	const body = `{"query": "mutation { remember(input: {content: \"x\", consent: EXPLICIT}) { promoted } }"}`
	for media, status := range map[string]int{
		"text/plain": 415, "application/x-www-form-urlencoded": 415, "multipart/form-data; boundary=x": 415, "": 415,
		"application/json; charset=latin1": 415, "application/json; charset=UTF-8": 200,
	} {
		if a := s.post([]byte(body), "Content-Type", media); a.Status != status {
			t.Errorf("%q answers %d %s, want %d", media, a.Status, a.Body, status)
		}
	}
	for method, status := range map[string]int{http.MethodPut: 405, http.MethodDelete: 405, http.MethodPatch: 405} {
		r, err := http.NewRequest(method, s.http.URL+"/graphql", strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		if a := s.do(r); a.Status != status || a.Header.Get("Allow") == "" {
			t.Errorf("%s answers %d", method, a.Status)
		}
	}
	r, err := http.NewRequest(http.MethodGet, s.http.URL+"/graphql?query=mutation%20%7B%20expire(id%3A%22x%22)%20%7B%20id%20%7D%20%7D", nil)
	if err != nil {
		t.Fatal(err)
	}
	if a := s.do(r); a.Status != 405 || a.Header.Get("Allow") != "POST" {
		t.Errorf("a mutation by GET answers %d %s", a.Status, a.Body)
	}
	if a := s.ask("subscription { memoryEvents { id } }", nil); a.Status != 400 || a.code() != "INVALID_REQUEST" {
		t.Errorf("a subscription without a stream answers %d %s", a.Status, a.Body)
	}
}

// Offers to upgrade to HTTP/2 are ignored.
func TestOtherUpgradesAreIgnored(t *testing.T) {
	s := start(t)
	a := s.post([]byte(`{"query": "{ whoami { name } }"}`), "Upgrade", "h2c", "Connection", "Upgrade, HTTP2-Settings", "HTTP2-Settings", "")
	if a.Status != 200 || a.at(t, "whoami.name") != "loopback" {
		t.Errorf("answers %d %s", a.Status, a.Body)
	}
}
