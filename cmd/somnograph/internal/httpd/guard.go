package httpd

import (
	"cmp"
	"encoding/json"
	"net"
	"net/http"
	"strings"

	"github.com/somnograph/somnograph/internal/origin"
)

// Guard protects a server without authentication from foreign web pages. A page can point its
// own name at 127.0.0.1 (DNS rebinding), so Host must be a name of this machine. It can send
// requests across origins, so Origin, if present, must be the server's own or an allowed one, see
// origin.Allowed.
func Guard(next http.Handler, allowedOrigins []string) http.Handler {
	return guard(next, allowedOrigins, false)
}

// guard is Guard; with anyHost the Host header is not checked.
func guard(next http.Handler, allowedOrigins []string, anyHost bool) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !anyHost && !localHost(r.Host) {
			plain(w, http.StatusForbidden, "this server answers only to the host names of this machine, such as 127.0.0.1 or localhost")
			return
		}
		if from := r.Header.Get("Origin"); from != "" && !origin.Own(from, r) {
			origin.Expose(w.Header(), from)
			if !origin.Allowed(allowedOrigins, from) {
				refuseOrigin(w, r, from)
				return
			}
		}
		// For images and scripts browsers send no Origin, but Sec-Fetch-Site. Another port of
		// this machine is same-site.
		if site := r.Header.Get("Sec-Fetch-Site"); (site == "cross-site" || site == "same-site") && !navigation(r) && r.Header.Get("Origin") == "" {
			plain(w, http.StatusForbidden, "this origin is not allowed to call the server")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// localHost reports whether a Host header names this machine.
func localHost(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.Trim(hostport, "[]")
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// refuseOrigin refuses a page so that its developer sees why: the browser gets to read the refusal.
// Its preflight is answered, because otherwise the browser would not send the request.
func refuseOrigin(w http.ResponseWriter, r *http.Request, from string) {
	h := w.Header()
	if r.Method == http.MethodOptions {
		h.Set("Access-Control-Allow-Methods", "GET, POST")
		h.Set("Access-Control-Allow-Headers", cmp.Or(r.Header.Get("Access-Control-Request-Headers"), "Content-Type"))
		w.WriteHeader(http.StatusNoContent)
		return
	}
	raw, err := json.Marshal(map[string]any{"errors": []any{map[string]any{
		"message":    "pages of " + from + " are not allowed to call this server; start it with --allowed-origins " + from,
		"extensions": map[string]any{"code": "FORBIDDEN"},
	}}})
	if err != nil {
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-store")
	h.Set("Cross-Origin-Resource-Policy", "cross-origin")
	w.WriteHeader(http.StatusForbidden)
	write(w, append(raw, '\n'))
}

// navigation reports whether a person follows a link. The page with the link can't read the
// response.
func navigation(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate"
}
