package httpd

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestDataIsNotOpenedByLinksOfOtherSites(t *testing.T) {
	h := NoNavigation(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	for _, test := range []struct {
		name, site, mode, dest string
		want                   int
	}{
		{"a link of another site", "cross-site", "navigate", "document", 403},
		{"a frame of another site", "cross-site", "navigate", "iframe", 403},
		{"a page on another port", "same-site", "navigate", "document", 403},
		{"the explorer's own link", "same-origin", "navigate", "document", 200},
		{"typed in", "none", "navigate", "document", 200},
		{"a page of an allowed origin", "cross-site", "cors", "empty", 200},
		{"a program", "", "", "", 200},
	} {
		r := httptest.NewRequest("GET", "/export", nil)
		for name, value := range map[string]string{"Sec-Fetch-Site": test.site, "Sec-Fetch-Mode": test.mode, "Sec-Fetch-Dest": test.dest} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != test.want {
			t.Errorf("%s: %d, want %d", test.name, w.Code, test.want)
		}
	}
}
