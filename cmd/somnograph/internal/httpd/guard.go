package httpd

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Guard protects a server without authentication from foreign web pages. A page can point its
// own name at 127.0.0.1 (DNS rebinding), so Host must be a name of this machine. It can send
// requests across origins, so Origin, if present, must be the server's own or an allowed one.
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
		if origin := r.Header.Get("Origin"); origin != "" && !slices.Contains(allowedOrigins, origin) && !sameOrigin(origin, r) {
			plain(w, http.StatusForbidden, "this origin is not allowed to call the server")
			return
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

// sameOrigin reports whether an origin is the one that the request was sent to.
func sameOrigin(origin string, r *http.Request) bool {
	u, err := url.Parse(origin)
	if err != nil || !strings.EqualFold(u.Host, r.Host) {
		return false
	}
	// A proxy that adds TLS forwards requests without it.
	return u.Scheme == "https" || u.Scheme == "http" && r.TLS == nil
}

// navigation reports whether a person follows a link. The page with the link can't read the
// response.
func navigation(r *http.Request) bool {
	return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate"
}
