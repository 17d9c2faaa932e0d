package resolvers

import (
	"net/http"
	"net/url"
	"strings"
)

// allowedOrigins is the set of foreign origins whose pages may send requests. Browsers send the
// origin of a page; other clients send none. No cookies are used, so the check protects a
// server that identifies callers by address, such as one on loopback, from foreign pages.
type allowedOrigins map[string]bool

func newAllowedOrigins(allowed []string) allowedOrigins {
	o := allowedOrigins{}
	for _, a := range allowed {
		o[strings.ToLower(strings.TrimSuffix(a, "/"))] = true
	}
	return o
}

// admit reports whether the request is allowed, and sets the CORS headers for an allowed
// foreign page.
func (o allowedOrigins) admit(w http.ResponseWriter, r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		// A page can send a GET without Origin; the browser still marks it as cross-site.
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
