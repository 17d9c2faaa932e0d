package auth

import (
	"cmp"
	"crypto/rand"
	"crypto/subtle"
	"html/template"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/oidc"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// attemptCookie holds a sign-in that has begun, sealed. A browser has one at a time.
const attemptCookie = "__Host-somnograph-signin"

// attemptTime is how long a sign-in may take at the issuer.
const attemptTime = 10 * time.Minute

// maxParameter is the largest parameter of an issuer's answer in bytes.
const maxParameter = 4 << 10

// attempt is a sign-in that has begun, as it is sealed in the cookie.
type attempt struct {
	oidc.Attempt
	To    string    // where the sign-in leads
	Until time.Time // when it has to be finished
}

// begin sends the browser to an issuer: GET /signin/start?issuer=N, the number of the button.
func (a *Authenticator) begin(w http.ResponseWriter, r *http.Request) {
	all := a.issuers()
	n, err := strconv.Atoi(r.URL.Query().Get("issuer"))
	if err != nil || n < 0 || n >= len(all) {
		a.page(w, r, http.StatusNotFound, "There is no such identity provider.")
		return
	}
	begun := attempt{
		Attempt: oidc.Attempt{Issuer: all[n].Issuer, Redirect: origin(r) + all[n].Callback, State: rand.Text() + rand.Text(), Nonce: rand.Text() + rand.Text(), Verifier: rand.Text() + rand.Text()},
		To:      destination(r), Until: a.options.Now().Add(attemptTime),
	}
	to, err := a.options.Tokens.Begin(r.Context(), begun.Attempt)
	if err != nil {
		a.refusePage(w, r, a.public(err, "a sign-in is refused"))
		return
	}
	sealed, err := a.sealer.seal("sign-in", begun)
	if err != nil {
		a.page(w, r, http.StatusInternalServerError, "The sign-in can't begin.")
		return
	}
	setCookie(w, attemptCookie, sealed, int(attemptTime/time.Second))
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// bounce is a page that goes on to another address by itself.
var bounce = template.Must(template.New("bounce").Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0;url={{.}}">
<title>Sign in to Somnograph</title>
<p><a href="{{.}}">Continue</a></p>
</html>
`))

// at is the parameter of /signin/finish with the path to which the issuer sent its answer, if that is not oidc.CallbackPath.
const at = "at"

// callback takes the answer of an issuer: GET /signin/callback?code=…&state=…, or an address below it that one issuer has for itself. The browser comes from
// another site, so it sends no cookie with SameSite=Strict. The page that it gets goes on to
// /signin/finish with the same parameters, now from this site.
func (a *Authenticator) callback(w http.ResponseWriter, r *http.Request) {
	answer := url.Values{}
	for _, name := range []string{"code", "state", "iss", "error"} {
		v := r.URL.Query().Get(name)
		if len(v) > maxParameter {
			a.page(w, r, http.StatusBadRequest, "The identity provider's answer is not valid.")
			return
		}
		if v != "" {
			answer.Set(name, v)
		}
	}
	if r.URL.Path != oidc.CallbackPath {
		answer.Set(at, r.URL.Path)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", signinPolicy)
	_ = bounce.Execute(w, "/signin/finish?"+answer.Encode()) // the client may be gone
}

// finish ends a sign-in: GET /signin/finish with the answer of the issuer. The attempt is in the
// cookie of the browser that began it, and is used once.
func (a *Authenticator) finish(w http.ResponseWriter, r *http.Request) {
	answer := r.URL.Query()
	var begun attempt
	cookie, err := r.Cookie(attemptCookie)
	setCookie(w, attemptCookie, "", -1)
	if err != nil || !a.sealer.open("sign-in", cookie.Value, &begun) || !a.options.Now().Before(begun.Until) ||
		subtle.ConstantTimeCompare([]byte(begun.State), []byte(answer.Get("state"))) != 1 {
		a.page(w, r, http.StatusBadRequest, "The sign-in took too long or was begun in another browser. Try again.")
		return
	}
	if answer.Get("code") == "" {
		a.page(w, r, http.StatusForbidden, "The identity provider did not sign you in.")
		return
	}
	address := a.Address(r)
	if !a.tries.allowed(address) {
		a.refusePage(w, r, tooManyTries())
		return
	}
	caller, basis, err := a.options.Tokens.Finish(r.Context(), begun.Attempt, oidc.Answer{
		Code: answer.Get("code"), Issuer: answer.Get("iss"), Callback: cmp.Or(answer.Get(at), oidc.CallbackPath),
	})
	gone := false
	if err == nil {
		gone, err = a.deleted(r.Context(), caller.Tenant)
	}
	if gone {
		a.refusePage(w, r, graph.Errorf(graph.CodeForbidden, "the tenant of your account is deleted"))
		return
	}
	if err = a.public(err, "a sign-in is refused"); err != nil {
		if graph.CodeOf(err) == graph.CodeUnauthenticated {
			a.tries.failed(address)
			err = graph.Errorf(graph.CodeForbidden, "your account is not allowed to use this server, or its sign-in is not valid")
		}
		a.refusePage(w, r, err)
		return
	}
	a.enter(w, r, caller, basis, begun)
}

// enter sets the cookie of a caller who has signed in.
func (a *Authenticator) enter(w http.ResponseWriter, r *http.Request, c engine.Caller, basis oidc.Basis, begun attempt) {
	text, err := a.sessionText(c, begun.Issuer, basis)
	if err != nil {
		a.options.Logger.Warn("a sign-in has too many namespaces for a cookie")
		a.page(w, r, http.StatusForbidden, "Your account has too many namespaces for a browser.")
		return
	}
	signed, _ := a.inSession(text) // its principal is the session
	a.note(r, signed, "signIn")
	keep(w, text)
	http.Redirect(w, r, begun.To, http.StatusSeeOther)
}

// issuers are those at which people can sign in.
func (a *Authenticator) issuers() []oidc.SignIn {
	if a.options.Tokens == nil {
		return nil
	}
	return a.options.Tokens.SignIns()
}

// origin is the scheme and the host under which the browser knows the server. The issuer accepts only
// the redirect URIs that were registered with it.
func origin(r *http.Request) string {
	u := url.URL{Scheme: "http", Host: r.Host}
	if r.TLS != nil || strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https") {
		u.Scheme = "https"
	}
	return u.String()
}
