package resolvers_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/somnograph/somnograph/graph"
)

// A request that is not UTF-8 is refused, on every way in: the decoder of JSON would replace what is wrong.
func TestRequestsThatAreNotUTF8AreRefused(t *testing.T) {
	s := start(t)
	body := func(text string) []byte {
		return []byte(`{"query":"mutation($t:String!){remember(input:{content:$t,consent:EXPLICIT}){memory{content}}}","variables":{"t":"` + text + `"}}`)
	}
	bad := body("Zo\xeb lives in Lyon.")
	for _, media := range []string{"application/json", "application/graphql-response+json", "text/event-stream"} {
		a := s.post(bad, "Accept", media)
		if a.Status != http.StatusBadRequest || a.code() != string(graph.CodeInvalidRequest) || !strings.Contains(string(a.Body), fmt.Sprint("not valid UTF-8 at byte ", bytes.IndexByte(bad, 0xeb))) {
			t.Errorf("%s: %d %s", media, a.Status, a.Body)
		}
	}
	if a := s.post(body("Zoë lives in Lyon.")); a.code() != "" || a.at(t, "remember.memory.content") != "Zoë lives in Lyon." {
		t.Errorf("UTF-8: %s", a.Body)
	}
	for name, text := range map[string]string{"query": "{ search(input: {query: \"Zo\xeb\"}) { hits { score } } }", "variables": "{\"t\": \"Zo\xeb\"}"} {
		q := url.Values{"query": {"{ health { memories } }"}}
		q.Set(name, text)
		r, err := http.NewRequest(http.MethodGet, s.http.URL+"/graphql?"+q.Encode(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if a := s.do(r); a.Status != http.StatusBadRequest || !strings.Contains(string(a.Body), "not valid UTF-8") {
			t.Errorf("GET with a bad %s: %d %s", name, a.Status, a.Body)
		}
	}
	c := s.socket(t, 0)
	defer c.Close()
	if err := c.WriteMessage(websocket.TextMessage, append(append([]byte(`{"id":"1","type":"subscribe","payload":`), bad...), '}')); err != nil {
		t.Fatal(err)
	}
	_, answer, err := c.ReadMessage()
	var closed *websocket.CloseError
	if !errors.As(err, &closed) || closed.Code != 4400 || !strings.Contains(closed.Text, "UTF-8") {
		t.Errorf("the socket answers %s, %v", answer, err)
	}
	if a := s.must(`{ memories { nodes { content } } }`, nil); strings.Count(string(a.Body), `"content"`) != 1 {
		t.Errorf("stored: %s", a.Body)
	}
}

// Half of a surrogate pair is refused, on every way in: the decoder of JSON would replace it.
func TestRequestsWithHalfASurrogatePairAreRefused(t *testing.T) {
	s := start(t)
	body := func(text string) []byte {
		return []byte(`{"query":"mutation($t:String!){remember(input:{content:$t,consent:EXPLICIT}){memory{content}}}","variables":{"t":"` + text + `"}}`)
	}
	bad := body(`Zoe smiles \ud83d in Lyon.`)
	a := s.post(bad)
	if a.Status != http.StatusBadRequest || a.code() != string(graph.CodeInvalidRequest) || !strings.Contains(string(a.Body), fmt.Sprint("half of a surrogate pair at byte ", bytes.Index(bad, []byte(`\ud83d`)))) {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	if a := s.post(body(`Zoe smiles \ud83d\ude00 at \\ud83d in Lyon.`)); a.code() != "" || a.at(t, "remember.memory.content") != "Zoe smiles \U0001F600 at \\ud83d in Lyon." {
		t.Errorf("a pair: %s", a.Body)
	}
	// In the text of a query the escape is that of GraphQL.
	literal := func(text string) []byte {
		return []byte(`{"query":"mutation {\n  remember(input:{content:\"` + text + `\",consent:EXPLICIT}){memory{content}}}"}`)
	}
	a = s.post(literal(`Zoe smiles \\ud83d in Lyon.`), "Accept", "application/graphql-response+json")
	if a.Status != http.StatusBadRequest || a.code() != string(graph.CodeInvalidRequest) || !strings.Contains(string(a.Body), "half of a surrogate pair at line 2, column 39: a character beyond U+FFFF is two escapes") ||
		!strings.Contains(string(a.Body), `"locations":[{"line":2,"column":39}]`) {
		t.Errorf("in a string of the query: %d %s", a.Status, a.Body)
	}
	if a := s.post(literal(`Zoe frowns \\ud83d\\ude1f in Lyon.`)); a.code() != "" || a.at(t, "remember.memory.content") != "Zoe frowns \U0001F61F in Lyon." {
		t.Errorf("a pair in a string of the query: %s", a.Body)
	}
	q := url.Values{"query": {"{ health { memories } }"}, "variables": {`{"t":"\ude00"}`}}
	r, err := http.NewRequest(http.MethodGet, s.http.URL+"/graphql?"+q.Encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if a := s.do(r); a.Status != http.StatusBadRequest || !strings.Contains(string(a.Body), "the parameter variables has half of a surrogate pair") {
		t.Errorf("GET: %d %s", a.Status, a.Body)
	}
	c := s.socket(t, 0)
	defer c.Close()
	if err := c.WriteMessage(websocket.TextMessage, append(append([]byte(`{"id":"1","type":"subscribe","payload":`), bad...), '}')); err != nil {
		t.Fatal(err)
	}
	_, answer, err := c.ReadMessage()
	var closed *websocket.CloseError
	if !errors.As(err, &closed) || closed.Code != 4400 || !strings.Contains(closed.Text, "surrogate") {
		t.Errorf("the socket answers %s, %v", answer, err)
	}
}
