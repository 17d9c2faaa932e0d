package main

import (
	"errors"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/models/provider"
	"github.com/somnograph/somnograph/graph"
)

// errNotAllowed is the answer for every model that the configuration does not name. It does not say
// whether the model exists.
var errNotAllowed = errors.New("the configuration does not allow it; an administrator of the server adds models to models.allow")

// mayUse reports whether reembed may use a model: the built-in one, the configured one, and those of
// models.allow. An endpoint must be reached by HTTPS or be on this machine.
func mayUse(c *config.Config, s engine.ModelSpec) bool {
	switch provider.Kind(s.Kind) {
	case "", provider.Hashed:
		return true
	case provider.Static:
		if s.URL != "" && s.URL != c.Embedder.URL {
			return false
		}
		name := s.Model
		if !strings.HasPrefix(name, "hub:") {
			name = filepath.Clean(name)
		}
		return allowed(c, "static", s.Model, c.Embedder.Model) || slices.Contains(c.Models.Allow, name)
	}
	if s.URL == "" { // the inference service of the hub
		return allowed(c, s.Kind, s.Model, c.Embedder.Model) && c.Embedder.URL == ""
	}
	u, err := url.Parse(s.URL)
	if err != nil || u.User != nil || u.Scheme != "https" && (u.Scheme != "http" || !config.Loopback(u.Host)) {
		return false
	}
	same := func(to string) bool { return strings.TrimRight(to, "/") == strings.TrimRight(s.URL, "/") }
	return same(c.Embedder.URL) || slices.ContainsFunc(c.Models.Allow, same)
}

// allowed reports whether a value is that of the configured embedder, if it is of the kind.
func allowed(c *config.Config, kind, value, configured string) bool {
	return c.Embedder.Kind == kind && value == configured && value != ""
}

// ceilingOf is the ceiling of a model; nil: its texts stay on this machine.
func ceilingOf(c *config.Config, kind, address string) *engine.Ceiling {
	switch provider.Kind(kind) {
	case "", provider.Hashed, provider.Static:
		return nil
	}
	if u, err := url.Parse(address); err == nil && address != "" && config.Loopback(u.Host) {
		return nil
	}
	return &engine.Ceiling{Sensitivity: graph.Sensitivity(c.Models.MaxSensitivity), Consent: graph.Consent(c.Models.MinConsent)}
}

// ceilings are those of the configured models.
func ceilings(c *config.Config) engine.Ceilings {
	return engine.Ceilings{
		Embedder: ceilingOf(c, c.Embedder.Kind, c.Embedder.URL), Chat: ceilingOf(c, "chat", c.Chat.URL), Reranker: ceilingOf(c, "reranker", c.Reranker.URL),
	}
}
