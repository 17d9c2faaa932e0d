package resolvers

import (
	"embed"
	"io/fs"
	"net/http"
)

//go:embed ide
var ideFiles embed.FS

// idePolicy lets the page load its own two files and call its own server, nothing else.
const idePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// IDE is a page for trying the API by hand: a query, its variables and headers, the
// answer or the stream, and the schema by introspection. It calls /graphql of the same
// server. Mount it for development only, with its prefix stripped:
//
//	mux.Handle("/graphiql/", http.StripPrefix("/graphiql", resolvers.IDE()))
func IDE() http.Handler {
	files, err := fs.Sub(ideFiles, "ide")
	if err != nil {
		panic(err) // the folder is embedded
	}
	server := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Security-Policy", idePolicy)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-cache")
		server.ServeHTTP(w, r)
	})
}
