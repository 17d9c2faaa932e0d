package httpd

import (
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net/http"

	"github.com/somnograph/somnograph/graph"
)

// Recover turns a panic into a response with an id. The log has the stack under the same id.
func Recover(next http.Handler, log *slog.Logger) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if v == http.ErrAbortHandler {
				panic(v)
			}
			id := make([]byte, 8)
			_, _ = rand.Read(id) // never fails
			name := hex.EncodeToString(id)
			kind, stack := graph.DescribePanic(v)
			log.Error("panic in a request", "id", name, "path", r.URL.Path, "type", kind, "stack", stack)
			plain(w, http.StatusInternalServerError, "internal error "+name)
		}()
		next.ServeHTTP(w, r)
	})
}
