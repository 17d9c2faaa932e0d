package auth

import (
	_ "embed"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
)

// CookieName is the cookie with the credential of a browser. The prefix binds it to this host
// over TLS: no other host and no page without TLS can set it.
const CookieName = "__Host-somnograph"

// markName is the cookie that says to the scripts of our pages that the browser is signed in. It has
// no secret.
const markName = "__Host-somnograph-user"

//go:embed signin.html
var signinText string

var signinPage = template.Must(template.New("signin").Parse(signinText))

// signinPolicy lets the page use its own style and send its own form.
const signinPolicy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// maxForm is the largest form in bytes.
const maxForm = 4 << 10

// SignIn serves /signin and the addresses below it: GET shows a form for a key and a button for each
// issuer, POST sets the cookie if the key is accepted. GET /signin?out ends the session and removes the
// cookie. /signin/start, /signin/callback (or an address below it for each issuer) and /signin/finish are the steps of a sign-in at an issuer.
func (a *Authenticator) SignIn(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	if r.URL.Path != "/signin" {
		a.signInAtIssuer(w, r)
		return
	}
	switch {
	case r.Method == http.MethodGet && r.URL.Query().Has("out"):
		a.signOut(w, r)
	case r.Method == http.MethodGet:
		a.page(w, r, http.StatusOK, "")
	case r.Method == http.MethodPost && !a.options.WithoutKeys:
		a.signIn(w, r)
	default:
		w.Header().Set("Allow", "GET, POST")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	}
}

func (a *Authenticator) signInAtIssuer(w http.ResponseWriter, r *http.Request) {
	steps := map[string]http.HandlerFunc{"/signin/start": a.begin, "/signin/finish": a.finish}
	for _, i := range a.issuers() {
		steps[i.Callback] = a.callback
	}
	step := steps[r.URL.Path]
	switch {
	case step == nil || len(a.issuers()) == 0:
		http.NotFound(w, r)
	case r.Method != http.MethodGet:
		w.Header().Set("Allow", "GET")
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	default:
		step(w, r)
	}
}

// signOut ends the session at once, with its sockets and streams. A link of another site does not sign
// out: the browser does not send the cookie with it, and the form is shown.
func (a *Authenticator) signOut(w http.ResponseWriter, r *http.Request) {
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		a.page(w, r, http.StatusOK, "")
		return
	}
	if c, err := r.Cookie(CookieName); err == nil {
		if caller, err := a.Authenticate(r); err == nil {
			a.note(r, caller, "signOut")
		}
		if s, ok := a.readSession(c.Value); ok {
			a.ended.add(s.ID, time.UnixMilli(s.Until), a.options.Now())
			a.wakeUp()
			if a.options.Ended != nil {
				if err := a.options.Ended.EndSession(s.ID, time.UnixMilli(s.Until)); err != nil { // it has ended until a restart
					a.options.Logger.Error("the end of a session is not recorded", "error", err)
				}
			}
		}
	}
	keep(w, "")
	a.page(w, r, http.StatusOK, "You are signed out.")
}

func (a *Authenticator) signIn(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	key := strings.TrimSpace(r.PostFormValue("key"))
	tried := r.Clone(r.Context())
	tried.Header = http.Header{"Authorization": {"Bearer " + key}, "X-Forwarded-For": r.Header.Values("X-Forwarded-For")}
	c, err := a.Authenticate(tried)
	if err == nil && !access.Looks(key) { // a token is no key
		err = refused()
	}
	if err != nil {
		a.refusePage(w, r, err)
		return
	}
	a.note(r, c, "signIn")
	keep(w, key)
	http.Redirect(w, r, destination(r), http.StatusSeeOther)
}

// note notes a caller who signs in or out.
func (a *Authenticator) note(r *http.Request, c engine.Caller, verb string) {
	if a.options.Note != nil {
		a.options.Note(r.Context(), c, verb, nil)
	}
}

// destination is the page to which a sign-in leads: the explorer or GraphiQL, as the parameter "to" of the
// request names it, with its query. Any other page is the explorer.
func destination(r *http.Request) string {
	to := r.URL.Query().Get("to")
	u, err := url.Parse(to)
	if err != nil || len(to) > maxDestination || u.Scheme != "" || u.Host != "" || u.User != nil || u.Opaque != "" || u.Path != "/" && u.Path != "/graphiql" {
		return "/"
	}
	return (&url.URL{Path: u.Path, RawQuery: u.RawQuery, Fragment: u.Fragment}).String()
}

// maxDestination is the largest address to which a sign-in leads, in bytes.
const maxDestination = 2 << 10

// signInFor is the address of the sign-in page that leads to a page.
func signInFor(to string) string {
	if to == "/" {
		return "/signin"
	}
	return "/signin?" + url.Values{"to": {to}}.Encode()
}

// keep sets the cookie with a credential, or removes it if that is empty.
func keep(w http.ResponseWriter, credential string) {
	age, mark := 0, "1"
	if credential == "" {
		age, mark = -1, ""
	}
	setCookie(w, CookieName, credential, age)
	http.SetCookie(w, &http.Cookie{Name: markName, Value: mark, Path: "/", MaxAge: age, Secure: true, SameSite: http.SameSiteStrictMode})
}

func setCookie(w http.ResponseWriter, name, value string, age int) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: age, Secure: true, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
}

// button leads to the sign-in at an issuer.
type button struct{ Name, To string }

// page writes the sign-in page with a message. Its form and its buttons lead where the request leads.
func (a *Authenticator) page(w http.ResponseWriter, r *http.Request, status int, message string) {
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", signinPolicy)
	// With no-referrer browsers send "Origin: null" with the form, which the server would refuse.
	h.Set("Referrer-Policy", "same-origin")
	w.WriteHeader(status)
	to := destination(r)
	data := struct {
		Message, Action string
		Keys            bool
		Buttons         []button
	}{Message: message, Action: signInFor(to), Keys: !a.options.WithoutKeys}
	for n, i := range a.issuers() {
		data.Buttons = append(data.Buttons, button{i.Name, "/signin/start?" + url.Values{"issuer": {strconv.Itoa(n)}, "to": {to}}.Encode()})
	}
	_ = signinPage.Execute(w, data) // the client may be gone
}

// refusePage writes the sign-in page with an error.
func (a *Authenticator) refusePage(w http.ResponseWriter, r *http.Request, err error) {
	status, text := statusText(err)
	if status == http.StatusServiceUnavailable {
		text = "the identity provider can't be reached; try again later"
	}
	a.page(w, r, status, strings.ToUpper(text[:1])+text[1:]+".")
}

// Pages serves a page and the files below it. A browser without an accepted credential that asks
// for the page itself, with or without a slash at the end, is sent to the sign-in page.
func (a *Authenticator) Pages(page string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.TrimSuffix(r.URL.Path, "/") == strings.TrimSuffix(page, "/") {
			if _, err := a.Authenticate(r); err != nil {
				w.Header().Set("Cache-Control", "no-store")
				http.Redirect(w, r, signInFor((&url.URL{Path: page, RawQuery: r.URL.RawQuery}).String()), http.StatusSeeOther)
				return
			}
			w.Header().Set("Cache-Control", "no-store")
		} else if a.isKnown(r) {
			_, _ = a.Authenticate(r) // anybody gets the files: only for the connection
		}
		next.ServeHTTP(w, r)
	})
}
