package mcp_test

import (
	"strings"
	"testing"
)

// A rule without the user's words is a conclusion of the assistant, and the answer says how it becomes a rule.
func TestARuleNeedsTheWordsOfTheUser(t *testing.T) {
	const hint = "give the user's own words as quote"
	c := start(t).connect("/mcp/desk?user=nia", nil)
	if text := c.ok("remember", object{"text": "Always answer in Welsh.", "asked": true}); !strings.Contains(text, hint) {
		t.Errorf("without a quote: %q", text)
	}
	if text := c.ok("remember", object{"text": "Never answer in capitals.", "asked": true, "quote": "never answer in capitals"}); strings.Contains(text, hint) {
		t.Errorf("with a quote: %q", text)
	}
	if text := c.ok("remember", object{"text": "Nia keeps bees.", "asked": true}); strings.Contains(text, hint) {
		t.Errorf("no rule: %q", text)
	}
}
