package auth

import (
	_ "embed"
	"net/http"
	"strings"
)

// CookieName is the cookie with the credential of a browser. The prefix binds it to this host
// over TLS: no other host and no page without TLS can set it.
const CookieName = "__Host-somnograph"

//go:embed signin.html
var signinPage []byte

// signinPolicy lets the page use its own style and send its own form.
const signinPolicy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// maxForm is the largest form in bytes.
const maxForm = 4 << 10

// SignIn serves /signin: GET shows a form for a key, POST sets the cookie if the key is accepted.
// GET /signin?out removes the cookie.
func (a *Authenticator) SignIn(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	switch {
	case r.Method == http.MethodGet && r.URL.Query().Has("out"):
		setCookie(w, "", -1)
		page(w, r, http.StatusOK, "You are signed out.")
	case r.Method == http.MethodGet:
		page(w, r, http.StatusOK, "")
	case r.Method == http.MethodPost:
		a.signIn(w, r)
	default:
		w.Header().Set("Allow", "GET, POST")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	}
}

func (a *Authenticator) signIn(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	key := strings.TrimSpace(r.PostFormValue("key"))
	tried := r.Clone(r.Context())
	tried.Header = http.Header{"Authorization": {"Bearer " + key}, "X-Forwarded-For": r.Header.Values("X-Forwarded-For")}
	if _, err := a.Authenticate(tried); err != nil {
		status, text := statusText(err)
		page(w, r, status, text)
		return
	}
	setCookie(w, key, 0)
	http.Redirect(w, r, destination(r), http.StatusSeeOther)
}

// graphiql is the value of the parameter "to" if the sign-in leads to GraphiQL.
const graphiql = "graphiql"

// destination is the page to which a sign-in leads: the explorer, or GraphiQL if the request
// names it.
func destination(r *http.Request) string {
	if r.URL.Query().Get("to") == graphiql {
		return "/" + graphiql
	}
	return "/"
}

func setCookie(w http.ResponseWriter, value string, age int) {
	http.SetCookie(w, &http.Cookie{
		Name: CookieName, Value: value, Path: "/", MaxAge: age, Secure: true, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
}

// page writes the form with a message. The form leads where the request leads.
func page(w http.ResponseWriter, r *http.Request, status int, message string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", signinPolicy)
	w.WriteHeader(status)
	action := "/signin"
	if destination(r) != "/" {
		action += "?to=" + graphiql
	}
	// Message and action are ours and contain no markup.
	_, _ = strings.NewReplacer("{{message}}", message, "{{action}}", action).WriteString(w, string(signinPage)) // the client may be gone
}

// Pages serves a page and the files below it. A browser without an accepted credential that asks
// for the page itself, with or without a slash at the end, is sent to the sign-in page.
func (a *Authenticator) Pages(page string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.TrimSuffix(r.URL.Path, "/") == strings.TrimSuffix(page, "/") {
			if _, err := a.Authenticate(r); err != nil {
				w.Header().Set("Cache-Control", "no-store")
				target := "/signin"
				if page == "/"+graphiql {
					target += "?to=" + graphiql
				}
				http.Redirect(w, r, target, http.StatusSeeOther)
				return
			}
			w.Header().Set("Cache-Control", "no-store")
		}
		next.ServeHTTP(w, r)
	})
}
