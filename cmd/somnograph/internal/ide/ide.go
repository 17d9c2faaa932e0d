// Package ide is a small GraphQL IDE: write an operation, run it, follow a subscription, read
// the schema. It loads nothing from other servers.
package ide

import (
	"embed"
	"io/fs"
	"net/http"
	"strings"
)

//go:embed page
var files embed.FS

// policy allows the page only its own server.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Handler serves the IDE at /graphiql and its files under it.
func Handler() http.Handler {
	page, err := fs.Sub(files, "page")
	if err != nil {
		panic(err) // the embedded directory exists
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", policy)
		w.Header().Set("Cache-Control", "no-cache")
		name := strings.Trim(strings.TrimPrefix(r.URL.Path, "/graphiql"), "/")
		if name == "" {
			name = "ide.html"
		}
		http.ServeFileFS(w, r, page, name)
	})
}
