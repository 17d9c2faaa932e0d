package ide

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

func get(t *testing.T, path string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

func TestThePageAndWhatItLoadsAreThere(t *testing.T) {
	w := get(t, "/graphiql")
	if w.Code != 200 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		t.Fatalf("%d %s", w.Code, w.Header().Get("Content-Type"))
	}
	loaded := regexp.MustCompile(`(?:src|href)="([^"]+)"`).FindAllStringSubmatch(w.Body.String(), -1)
	for _, m := range loaded {
		if m[1] == "/" {
			continue
		}
		if !strings.HasPrefix(m[1], "/graphiql/") || get(t, m[1]).Code != 200 {
			t.Errorf("the page loads %s: %d", m[1], get(t, m[1]).Code)
		}
	}
	if len(loaded) != 3 {
		t.Errorf("the page names %d files", len(loaded))
	}
	if get(t, "/graphiql/../ide.go").Code == 200 || get(t, "/graphiql/nothing").Code != 404 {
		t.Error("files that do not belong to the page are served")
	}
}

// The page has no inline script or style, which its policy forbids.
func TestThePageFitsItsPolicy(t *testing.T) {
	w := get(t, "/graphiql/")
	if p := w.Header().Get("Content-Security-Policy"); !strings.Contains(p, "script-src 'self';") || strings.Contains(p, "unsafe") || strings.Contains(p, "http") {
		t.Errorf("policy = %q", p)
	}
	body := w.Body.String()
	if strings.Contains(body, "style=") || strings.Contains(body, "onclick") || regexp.MustCompile(`<script>|<style>`).MatchString(body) {
		t.Error("the page has script or style of its own")
	}
}
