package main

import (
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/engine"
)

func TestModelsThatReembedMayUse(t *testing.T) {
	c := &config.Config{
		Embedder: config.Embedder{Kind: "openai", URL: "https://models.example/v1", Model: "small"},
		Models:   config.Models{Allow: []string{"https://other.example/v1/", "http://127.0.0.1:9000", "/models/potion", "hub:owner/potion@v1", "http://plain.example"}},
	}
	for _, x := range []struct {
		kind, url, model string
		want             bool
	}{
		{"hashed", "", "", true},
		{"openai", "https://models.example/v1", "large", true},
		{"openai", "https://models.example/v1/", "large", true},
		{"openai", "https://other.example/v1", "m", true},
		{"huggingface", "http://127.0.0.1:9000/", "m", true},
		{"static", "", "/models/potion", true},
		{"static", "", "/models/../models/potion/", true},
		{"static", "", "hub:owner/potion@v1", true},
		{"openai", "https://models.example/v2", "m", false},
		{"openai", "https://models.example.evil.example/v1", "m", false},
		{"openai", "https://u@models.example/v1", "m", false},
		{"openai", "http://models.example/v1", "m", false},
		{"openai", "http://plain.example", "m", false}, // not encrypted
		{"openai", "http://127.0.0.1:9001", "m", false},
		{"openai", "file:///etc/passwd", "m", false},
		{"openai", "gopher://models.example/v1", "m", false},
		{"openai", "", "small", false},
		{"huggingface", "", "any/model", false},
		{"static", "", "/etc/passwd", false},
		{"static", "", "/models/potion/../../etc", false},
		{"static", "", "hub:owner/other", false},
		{"static", "https://mirror.example", "hub:owner/potion@v1", false},
		{"odd", "", "", false},
	} {
		if got := mayUse(c, engine.ModelSpec{Kind: x.kind, URL: x.url, Model: x.model}); got != x.want {
			t.Errorf("%s %q %q: %v", x.kind, x.url, x.model, got)
		}
	}
}

// What goes to a model on this machine does not leave it.
func TestCeilingOfEndpoints(t *testing.T) {
	c := &config.Config{Models: config.Models{MaxSensitivity: "INTERNAL", MinConsent: "EXPLICIT"}}
	for _, x := range []struct {
		kind, url string
		limited   bool
	}{
		{"hashed", "", false}, {"static", "https://mirror.example", false}, {"openai", "http://127.0.0.1:1", false}, {"huggingface", "http://[::1]:1/x", false},
		{"openai", "https://models.example", true}, {"huggingface", "", true}, {"chat", "https://127.0.0.1.example", true},
	} {
		got := ceilingOf(c, x.kind, x.url)
		if (got != nil) != x.limited || got != nil && (got.Sensitivity != "INTERNAL" || got.Consent != "EXPLICIT") {
			t.Errorf("%s %q: %+v", x.kind, x.url, got)
		}
	}
}
