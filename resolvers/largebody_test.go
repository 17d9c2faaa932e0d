package resolvers_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/resolvers"
)

// heldBody is a body that says when it is read, and comes when the test lets it.
type heldBody struct {
	asked chan struct{}
	come  chan error // why it ends
}

func (b heldBody) Read([]byte) (int, error) { b.asked <- struct{}{}; return 0, <-b.come }

// Slow large bodies of two principals of a tenant leave room for those of others. A credential that may write nothing sends none, and a body
// that came too slowly gives its room back.
func TestLargeBodiesLeaveRoomForThoseOfOthers(t *testing.T) {
	const most = 1 << 20
	s := start(t, func(c *resolvers.Config) {
		c.Limits.Bulk, c.Limits.Body = most, 64<<10
		c.Authenticate = func(r *http.Request) (engine.Caller, error) {
			name, scope, _ := strings.Cut(r.Header.Get("Authorization"), " ")
			tenant, _, _ := strings.Cut(name, "-")
			return engine.Caller{Tenant: graph.Tenant(tenant), Name: name, Grant: 1, Scopes: []access.Scope{access.Scope(scope), access.MemoryShare}}, nil
		}
	})
	post := func(who string, size int64, body io.Reader) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", body)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", who)
		r.ContentLength = size
		w := httptest.NewRecorder()
		s.handler.ServeHTTP(w, r)
		return w
	}
	for _, size := range []int64{most, -1} {
		w := post("acme-reader MEMORY_READ", size, strings.NewReader(strings.Repeat(" ", most)))
		if w.Code != http.StatusRequestEntityTooLarge || !strings.Contains(w.Body.String(), "MEMORY_WRITE") {
			t.Errorf("a large body without the scope: %d %s", w.Code, w.Body)
		}
	}
	held, ended := heldBody{make(chan struct{}), make(chan error)}, make(chan *httptest.ResponseRecorder)
	for _, name := range []string{"acme-a MEMORY_WRITE", "acme-b MEMORY_WRITE"} {
		go func() { ended <- post(name, most, held) }()
		select {
		case <-held.asked:
		case w := <-ended:
			t.Fatalf("the body is not read: %d %s", w.Code, w.Body)
		}
	}
	text, err := json.Marshal(map[string]any{
		"query":     `mutation($i:[RememberInput!]!){rememberMany(input:$i){memory{id}}}`,
		"variables": vars{"i": []vars{{"content": strings.Repeat("kite ", 1000), "consent": "EXPLICIT"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	large := string(text) + strings.Repeat(" ", most-len(text))
	for _, size := range []int64{most, -1} {
		if w := post("beta-a MEMORY_WRITE", size, strings.NewReader(large)); w.Code != http.StatusOK || strings.Contains(w.Body.String(), "errors") {
			t.Errorf("a large body of another tenant: %d %s", w.Code, w.Body)
		}
	}
	waits := make(chan *httptest.ResponseRecorder)
	go func() { waits <- post("acme-c MEMORY_WRITE", most, strings.NewReader(large)) }()
	held.come <- os.ErrDeadlineExceeded
	if w := <-ended; w.Code != http.StatusRequestTimeout {
		t.Errorf("a body that is too slow: %d %s", w.Code, w.Body)
	}
	if w := <-waits; w.Code != http.StatusOK {
		t.Errorf("afterwards: %d %s", w.Code, w.Body)
	}
	held.come <- io.ErrUnexpectedEOF
	if w := <-ended; w.Code != http.StatusBadRequest {
		t.Errorf("a body that is cut off: %d %s", w.Code, w.Body)
	}
}
