package mcp

import (
	"encoding/json"
	"net/http"
	"strings"
)

// metadata serves the OAuth protected-resource metadata (RFC 9728): which authorization servers
// issue tokens for the endpoint.
func (s *Service) metadata(w http.ResponseWriter, r *http.Request) {
	resource := strings.TrimPrefix(r.URL.EscapedPath(), metadataPath)
	if resource == "" {
		resource = "/mcp"
	}
	raw, err := json.Marshal(map[string]any{
		"resource": origin(r) + resource, "authorization_servers": s.config.AuthorizationServers, "bearer_methods_supported": []string{"header"},
		"resource_name": "Somnograph memory",
	})
	if err != nil {
		http.Error(w, "internal error", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Access-Control-Allow-Origin", "*")
	if _, err := w.Write(raw); err != nil {
		return // the client has gone
	}
}
