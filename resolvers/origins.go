package resolvers

import (
	"net/http"

	"github.com/somnograph/somnograph/internal/origin"
)

// admit reports whether the request of a page is allowed, and sets the CORS headers for an allowed
// foreign page. Browsers send the origin of a page; other clients send none. The check protects a server that
// identifies callers by address, such as one on loopback, and the cookie of the explorer, from foreign pages.
func (h *Handler) admit(w http.ResponseWriter, r *http.Request) bool {
	from := r.Header.Get("Origin")
	switch {
	case from == "":
		// A page can send a GET without Origin; the browser still marks it as cross-site.
		site := r.Header.Get("Sec-Fetch-Site")
		return site != "cross-site" && site != "same-site"
	case origin.Own(from, r):
		return true
	case !origin.Allowed(h.config.AllowedOrigins, from):
		return false
	}
	head := w.Header()
	origin.Expose(head, from)
	if r.Method == http.MethodOptions {
		head.Set("Access-Control-Allow-Methods", "GET, POST")
		head.Set("Access-Control-Allow-Headers", "Authorization, Content-Type")
		head.Set("Access-Control-Max-Age", "600")
	}
	return true
}
