package metrics

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/httpd"
)

// Handler serves the metrics that can be read. Those that can't, while the store is away, are left out: the others say that it is.
func Handler(all prometheus.Gatherer) http.Handler {
	return promhttp.HandlerFor(all, promhttp.HandlerOpts{ErrorHandling: promhttp.ContinueOnError})
}

// Serve serves the metrics at /metrics of an address until the server is closed.
func Serve(ctx context.Context, address string, all prometheus.Gatherer, log *slog.Logger) (*http.Server, error) {
	l, err := httpd.Listen(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", Handler(all))
	s := &http.Server{Handler: httpd.Guard(mux, nil), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		if err := s.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			log.Error("the metrics listener failed", "error", err)
		}
	}()
	log.Info("metrics", "url", "http://"+l.Addr().String()+"/metrics")
	return s, nil
}
