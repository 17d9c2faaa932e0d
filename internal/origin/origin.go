// Package origin says which web origins may call a server.
package origin

import (
	"net/http"
	"net/url"
	"strings"
)

// Local are the origins of pages that this machine serves, at any port. A page of another site can't
// have one: browsers set the origin.
var Local = []string{"http://localhost:*", "http://127.0.0.1:*", "http://[::1]:*", "https://localhost:*", "https://127.0.0.1:*", "https://[::1]:*"}

// Allowed reports whether an origin is in a list. An entry is an origin; with ":*" at its end it
// is the origin at every port, the default one too. Case makes no difference.
func Allowed(list []string, origin string) bool {
	origin = strings.ToLower(origin)
	for _, a := range list {
		a, everyPort := strings.CutSuffix(strings.ToLower(strings.TrimSuffix(a, "/")), ":*")
		rest, same := strings.CutPrefix(origin, a)
		if same && (rest == "" || everyPort && port(rest)) {
			return true
		}
	}
	return false
}

// port reports whether a text is a colon and a number of at most five digits.
func port(s string) bool {
	digits, colon := strings.CutPrefix(s, ":")
	return colon && digits != "" && len(digits) <= 5 && strings.Trim(digits, "0123456789") == ""
}

// Own reports whether an origin is the one that a request was sent to. https counts also if a
// proxy added TLS, and http does not if the proxy says that it did: who is between the browser and the proxy can write pages
// without TLS.
func Own(origin string, r *http.Request) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" || !strings.EqualFold(u.Host, r.Host) {
		return false
	}
	return u.Scheme == "https" || u.Scheme == "http" && r.TLS == nil && !strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}

// Expose lets the page of an origin read the answer.
func Expose(h http.Header, origin string) {
	h.Set("Access-Control-Allow-Origin", origin)
	h.Add("Vary", "Origin")
}
