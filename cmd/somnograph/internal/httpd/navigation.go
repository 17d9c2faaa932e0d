package httpd

import "net/http"

// NoNavigation refuses requests that a page of another site makes by navigating to them, as a link
// or a frame does. Guard lets those through, because they are right for pages. They are not right
// for data: an export would be downloaded, and a query would be charged to who is signed in.
func NoNavigation(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if site := r.Header.Get("Sec-Fetch-Site"); (site == "cross-site" || site == "same-site") && r.Header.Get("Sec-Fetch-Mode") == "navigate" {
			plain(w, http.StatusForbidden, "this address is for programs: a link of another site can't open it")
			return
		}
		next.ServeHTTP(w, r)
	})
}
