package resolvers

import (
	"net/http"
	"net/url"
	"strings"
)

// allowedOrigins says whose pages may call. A browser names the origin of the page; what
// sends none is no page. Cookies play no part, so this guards a server that knows its
// callers by where they are, such as one on loopback, against pages of others.
type allowedOrigins map[string]bool

func newAllowedOrigins(allowed []string) allowedOrigins {
	o := allowedOrigins{}
	for _, a := range allowed {
		o[strings.ToLower(strings.TrimSuffix(a, "/"))] = true
	}
	return o
}

// admit reports whether the request may go on, and lets an allowed foreign page read
// the answer.
func (o allowedOrigins) admit(w http.ResponseWriter, r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		// A page can send a GET without an Origin; a browser still says that it is foreign.
		site := r.Header.Get("Sec-Fetch-Site")
		return site != "cross-site" && site != "same-site"
	}
	if u, err := url.Parse(origin); err == nil && u.Host != "" && strings.EqualFold(u.Host, r.Host) {
		return true
	}
	if !o[strings.ToLower(origin)] {
		return false
	}
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", origin)
	h.Add("Vary", "Origin")
	if r.Method == http.MethodOptions {
		h.Set("Access-Control-Allow-Methods", "GET, POST")
		h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type")
		h.Set("Access-Control-Max-Age", "600")
	}
	return true
}
