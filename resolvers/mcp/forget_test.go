package mcp_test

import (
	"strings"
	"testing"
)

// A topic is no subject. The answer says what a subject is, and the way on works.
func TestForgetOfATopicPointsToIDs(t *testing.T) {
	c := start(t).connect("/mcp?user=ana", nil)
	key := id(t, c.ok("remember", object{"text": "My passport number is 123456.", "quote": "my passport number is 123456"}))
	c.ok("remember", object{"text": "Dana hates mornings.", "quote": "Dana hates mornings"})
	text := c.ok("forget", object{"subject": "passport"})
	if !strings.HasPrefix(text, "Nothing matches; nothing was erased. subject is the name of a person or thing") || !strings.Contains(text, `recall "passport", and call forget with the ids`) {
		t.Errorf("forget of a topic says %q", text)
	}
	if found := id(t, c.ok("recall", object{"query": "passport"})); found != key {
		t.Errorf("recall finds %s, want %s", found, key)
	}
	if text := c.ok("forget", object{"ids": []string{key}}); !strings.Contains(text, `Erase 1 memory for good? "My passport number is 123456."`) {
		t.Errorf("forget of the id says %q", text)
	}
	if text := c.ok("forget", object{"subject": "Dana"}); !strings.Contains(text, `Erase 1 memory for good? Everything about "Dana". What only mentions it stays.`) {
		t.Errorf("forget of a subject says %q", text)
	}
}

// The code is short enough to be copied, and each digit counts.
func TestTheCodeOfForgetIsShort(t *testing.T) {
	c := start(t).connect("/mcp", nil)
	key := id(t, c.ok("remember", object{"text": "The spare key is in the blue box."}))
	args := object{"ids": []string{key}}
	_, code, _ := strings.Cut(c.ok("forget", args), "confirm=")
	if len(code) != 16 || strings.Trim(code, "0123456789abcdef") != "" {
		t.Fatalf("the code is %q", code)
	}
	last := "0"
	if strings.HasSuffix(code, last) {
		last = "1"
	}
	for _, wrong := range []string{code[:15], code[:15] + last, code + "0", strings.ToUpper(code) + "x", " "} {
		args["confirm"] = wrong
		if text := c.ok("forget", args); !strings.HasPrefix(text, "Nothing was erased") {
			t.Errorf("with the code %q: %q", wrong, text)
		}
	}
	args["confirm"] = code
	if text := c.ok("forget", args); !strings.HasPrefix(text, "Erased 1 memory") {
		t.Errorf("with the code: %q", text)
	}
}

// What a user said in the first person has the name of the user as its subject. The answer for "user", as history calls the user, says so.
func TestForgetOfTheUserNamesTheUser(t *testing.T) {
	s := start(t)
	c := s.connect("/mcp?user=ana", nil)
	hint := ` What "ana" said in the first person has the subject "ana".`
	if text := c.ok("forget", object{"subject": "user"}); !strings.HasSuffix(text, "the ids of what is to go."+hint) {
		t.Errorf("without memories: %q", text)
	}
	c.ok("remember", object{"text": "The user likes tea."})
	c.ok("remember", object{"text": "I live in Oslo.", "quote": "I live in Oslo"})
	if text := c.ok("forget", object{"subject": "User"}); !strings.Contains(text, `Erase 1 memory for good? Everything about "User". What only mentions it stays.`+hint) {
		t.Errorf("of the user: %q", text)
	}
	for path, subject := range map[string]string{"/mcp?user=ana": "ana", "/mcp": "user"} {
		if text := s.connect(path, nil).ok("forget", object{"subject": subject}); !strings.Contains(text, "Erase 1 memory for good?") || strings.Contains(text, "first person") {
			t.Errorf("%s, subject %s: %q", path, subject, text)
		}
	}
}
