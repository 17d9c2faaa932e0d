// Package web serves the explorer. Vite builds it into dist, which is embedded in the
// binary. dist is committed; a check compares it with a build of the sources.
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/klauspost/compress/gzhttp"
	"github.com/klauspost/compress/gzip"
)

//go:embed all:dist
var files embed.FS

// Policy is the content security policy of the explorer: scripts, styles, fonts,
// images and requests of its own origin only.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; " +
	"connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Handler serves the explorer at / and its files below /assets/. File names below
// /assets/ contain a hash of the content, so browsers may cache them without limit;
// everything else is revalidated. It answers GET and HEAD, and 404 for unknown paths.
func Handler() http.Handler {
	dist, err := fs.Sub(files, "dist")
	if err != nil {
		panic(err) // dist is embedded above
	}
	return compressed(handler(dist))
}

// bestZstd is gzhttp's level of zstd that compresses most. Its default is larger than gzip.
const bestZstd = 4

// compressed compresses scripts, styles and pages for clients that accept zstd or gzip. Fonts
// are compressed already.
func compressed(h http.Handler) http.Handler {
	wrap, err := gzhttp.NewWrapper(gzhttp.CompressionLevel(gzip.BestCompression), gzhttp.ZstdCompressionLevel(bestZstd), gzhttp.MinSize(256),
		gzhttp.ContentTypes([]string{"text/html", "text/javascript", "text/css", "text/plain", "image/svg+xml"}))
	if err != nil {
		panic(err) // the options are constant
	}
	return wrap(h)
}

func handler(dist fs.FS) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", Policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		if name == "" {
			name = "index.html"
		}
		body, err := fs.ReadFile(dist, name)
		switch {
		case err != nil && name == "index.html":
			unbuilt(w)
			return
		case err != nil:
			http.NotFound(w, r)
			return
		case strings.HasPrefix(name, "assets/"):
			h.Set("Cache-Control", "public, max-age=31536000, immutable")
		default:
			sum := sha256.Sum256(body)
			h.Set("Cache-Control", "no-cache")
			h.Set("ETag", `W/"`+hex.EncodeToString(sum[:12])+`"`) // weak: the same for compressed and plain bytes
		}
		if kind := mediaTypes[path.Ext(name)]; kind != "" {
			h.Set("Content-Type", kind)
		}
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
	})
}

// mediaTypes does not depend on the media types that the system has configured.
var mediaTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".woff2": "font/woff2", ".ttf": "font/ttf", ".txt": "text/plain; charset=utf-8",
}

// unbuilt answers if this binary was built without the explorer.
func unbuilt(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusServiceUnavailable)
	_, _ = w.Write([]byte("<!doctype html><html lang=en><meta charset=utf-8><title>Somnograph</title>" +
		"<h1>The explorer is not in this binary</h1>" +
		"<p>It was built without web/dist. Run <code>npm ci &amp;&amp; npm run build</code> in web/, then build again." +
		"<p>The API works without it, at <code>/graphql</code>.</html>"))
}
