package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"
)

//go:embed all:graphiql/dist
var graphiqlFiles embed.FS

// GraphiQLPolicy is the content security policy of GraphiQL: scripts, workers, fonts and requests
// of its own origin only. Its editor, Monaco, writes style elements and attributes while it runs.
const GraphiQLPolicy = "default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// GraphiQL serves the GraphQL IDE at /graphiql and its files below. The binary contains them
// compressed, and they are sent so to clients that accept gzip.
func GraphiQL() http.Handler {
	dist, err := fs.Sub(graphiqlFiles, "graphiql/dist")
	if err != nil {
		panic(err) // graphiql/dist is embedded above
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", GraphiQLPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		name := strings.Trim(strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/graphiql"), "/")
		if name == "" {
			name = "index.html"
		}
		body, err := fs.ReadFile(dist, name+".gz")
		if err != nil {
			http.NotFound(w, r)
			return
		}
		h.Set("Cache-Control", "no-cache")
		if strings.HasPrefix(name, "assets/") {
			h.Set("Cache-Control", "public, max-age=31536000, immutable")
		}
		h.Set("Content-Type", mediaTypes[path.Ext(name)])
		h.Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
			return
		}
		plain, err := gzip.NewReader(bytes.NewReader(body))
		if err != nil {
			panic(err) // the files are compressed by the build
		}
		if r.Method == http.MethodGet {
			_, _ = io.Copy(w, plain) // the client may be gone
		}
	})
}
