package enginetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every story in testdata passes.
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.story")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".story"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			Run(t, filepath.Base(file), string(text))
		})
		t.Run(strings.TrimSuffix(filepath.Base(file), ".story")+" with remote vectors", func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			RunWithRemoteVectors(t, filepath.Base(file), string(text))
		})
	}
}

// A story with an error is rejected with the position of the error before anything runs.
func TestInvalidStories(t *testing.T) {
	for name, c := range map[string]struct{ story, want string }{
		"verb":             {"remember a \"x\"\ndream a", `s:2: unknown verb "dream"`},
		"word":             {"remember a \"x\" loudly", `s:1: remember: unexpected word "loudly"`},
		"pair":             {"remember a \"x\" colour=red", "s:1: remember: unexpected argument colour="},
		"name":             {"remember a \"x\"\n\n# b\npin b", `s:4: pin: no memory is named "b" before this`},
		"kind of name":     {"mark a\npin a", `s:2: pin: no memory is named "a" before this`},
		"name taken":       {"mark a\nremember a \"x\"", `s:2: remember: "a" is already the name of another kind: instant`},
		"no text":          {"remember a", "s:1: remember: what to remember is missing"},
		"open quote":       {"advance 1d\nremember a \"x", "s:2: a quoted text is not closed"},
		"number":           {"remember a \"x\" salience=high", "s:1: remember: salience=high is not a number"},
		"duration":         {"advance soon", `s:1: advance: "soon" is not a duration`},
		"no duration":      {"advance", "s:1: advance: a duration is missing"},
		"enumeration":      {"remember a \"x\" type=DREAMT", `s:1: remember: type "DREAMT" is not one of`},
		"property":         {"remember a \"x\"\nexpect a colour red", `s:2: expect: a memory has no property "colour"`},
		"bounds":           {"remember a \"x\"\nexpect a uses some", `s:2: expect: "some" is not a number`},
		"range":            {"remember a \"x\"\nexpect a uses 3..1", `s:2: expect: "3..1" is not a range`},
		"counter":          {"expect report snored 1", `s:1: expect: a morning report has no "snored"`},
		"evidence":         {"adjudicate a \"x\" subject=y evidence=bea", "s:1: adjudicate: evidence=bea is not"},
		"commit":           {"crash at dawn", `s:1: crash: "dawn" is not a commit number`},
		"phase":            {"crash in N4", `s:1: crash: phase "N4" is not one of`},
		"blank first":      {"  pin a", "s:1: there is no statement to continue"},
		"quote first":      {"\"pin\" a", "s:1: a statement begins with a verb"},
		"empty":            {"# nothing\n", "s: the story is empty"},
		"unknown strategy": {"consolidate LUCK", `s:1: consolidate: strategy "LUCK" is not one of`},
		"continued":        {"remember a \"x\"\n  user=ana\n  colour=red", "s:1: remember: unexpected argument colour="},
	} {
		if err := Play(t, "s", c.story); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error = %v, want one with %q", name, err, c.want)
		}
	}
}

// A failed expectation shows the expected and the actual value.
func TestFailedExpectations(t *testing.T) {
	const told = "remember a \"Ana lives in Porto\" user=ana salience=0.4\n"
	for name, c := range map[string]struct{ story, want string }{
		"status":                           {told + "expect a status ARCHIVED", "s:2: status of a: expected ARCHIVED, actual ACTIVE"},
		"number":                           {told + "expect a stored >0.5", "s:2: stored of a: expected >0.5, actual 0.4"},
		"text":                             {told + `expect a user "bea"`, "s:2: user of a: expected bea, actual ana"},
		"says":                             {told + `expect a says "Lisbon"`, `actual "Ana lives in Porto"`},
		"hides":                            {told + `expect a hides "Porto"`, `actual "Ana lives in Porto"`},
		"hit":                              {told + "remember b \"Bea keeps bees\"\nsearch \"Who keeps bees?\"\nexpect hit a within 1", "s:4: expected a within the first 1, actual 1. b ("},
		"no hit":                           {told + "search \"Where does Ana live?\"\nexpect no hit a", "s:3: expected a not to be found, actual 1. a ("},
		"no search":                        {told + "expect hit a", "s:2: no search has run yet"},
		"hits":                             {told + "search \"Ana Porto\"\nexpect hits 3", "s:3: hits: expected 3, actual 1"},
		"label":                            {told + "search \"Ana Porto\"\nexpect label a HISTORICAL", "expected HISTORICAL, actual CURRENT"},
		"no error":                         {told + "expect error FORBIDDEN", "s:2: error: expected FORBIDDEN, actual none"},
		"other error":                      {"remember a \"\"\nexpect error FORBIDDEN", "s:2: error: expected FORBIDDEN, actual INVALID_REQUEST"},
		"field":                            {"remember a \"\"\nexpect error INVALID_REQUEST field=user", "s:2: the field at fault: expected user, actual content"},
		"unexpected error":                 {"remember a \"\"\nadvance 1d", "s:1: remember failed: INVALID_REQUEST"},
		"error before another expectation": {told + "remember b \"\"\nexpect a uses 0", "s:2: remember failed: INVALID_REQUEST"},
		"error in the last statement":      {"advance 1d\nremember a \"\"", "s:2: remember failed: INVALID_REQUEST"},
		"decision":                         {told + "adjudicate b \"Ana lives in Rome\" subject=Ana evidence=x:0.1:0.1\nexpect decision REPLACED", "s:3: decision: expected REPLACED, actual REJECTED"},
		"lineage":                          {told + "supersede a b \"Ana lives in Rome\"\nexpect lineage a is b a", "s:3: lineage of a: expected b a, actual a b"},
		"current":                          {told + "supersede a b \"Ana lives in Rome\"\nexpect a current a", "s:3: current version of a: expected a, actual b"},
		"state":                            {told + "state s\nadvance 1d\npin a\nexpect state s", "s:5: the state differs: expected\n\tmemory"},
		"present":                          {told + "state s\nsupersede a b \"Ana lives in Rome\"\nexpect present s", "s:4: the state differs"},
		"nowhere":                          {told + `expect nowhere "Porto"`, `s:2: expected "Porto" nowhere`},
		"memories":                         {told + "expect memories 2 user=ana", "s:2: memories: expected 2, actual 1"},
		"found several":                    {told + "remember b \"Bea keeps bees\"\nfind c", "s:3: 2 memories match, want one"},
		"context":                          {told + "context \"Where does Ana live?\" user=ana\nexpect context lacks a", "s:3: expected that the context lacks a"},
		"absent":                           {told + "expect a absent", "s:2: expected that there is no a"},
		"task":                             {"observe t user \"Nice weather.\" session=s\ntask x \"mow\"", `s:2: no task contains "mow"`},
		"sources":                          {told + "expect a from a", "s:2: sources of a: expected [a], actual []"},
		"repeats":                          {told + "expect remembered repeats a", "s:2: expected that it repeats a"},
		"two":                              {told + "remember b \"Bea keeps bees\"\nexpect a is b", "actual they are two"},
	} {
		if err := Play(t, "s", c.story); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error = %v, want one with %q", name, err, c.want)
		}
	}
}
