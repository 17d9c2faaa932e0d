package wire

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

func TestAccepted(t *testing.T) {
	for accept, want := range map[string]string{
		"-":                                 mediaJSON,
		"*/*":                               mediaJSON,
		"application/*":                     mediaJSON,
		"application/json":                  mediaJSON,
		"application/json; charset=utf-8":   mediaJSON,
		"application/graphql-response+json": mediaGraphQL,
		"application/graphql-response+json; charset=UTF-8, application/json; charset=utf-8": mediaGraphQL,
		"application/json, application/graphql-response+json":                               mediaJSON,
		"application/json;q=0.9, application/graphql-response+json":                         mediaGraphQL,
		"application/graphql-response+json;q=0.5, */*;q=0.8":                                mediaJSON,
		"text/html, */*;q=0.1":            mediaJSON,
		"text/html":                       "",
		"application/json; charset=utf-7": "",
		"application/json;q=0":            "",
		"application/json;q=x":            "",
		";;;":                             "",
		"text/event-stream":               "",
	} {
		r := httptest.NewRequest("POST", "/", nil)
		if accept != "-" {
			r.Header.Set("Accept", accept)
		}
		if got := accepted(r); got != want {
			t.Errorf("Accept: %s is %q, want %q", accept, got, want)
		}
		if got := wantsEvents(r); got != (accept == "text/event-stream") {
			t.Errorf("Accept: %s wants events: %v", accept, got)
		}
	}
}

func TestBody(t *testing.T) {
	fault := gqlerror.List{{Message: `a "word"`, Extensions: map[string]any{"code": "X"}}}
	for _, c := range []struct {
		resp     graphql.Response
		executed bool
		want     string
	}{
		{graphql.Response{Data: []byte(`{"a":1}`)}, true, `{"data":{"a":1}}`},
		{graphql.Response{Errors: fault, Data: []byte(`{"a":null}`)}, true, `{"errors":[{"message":"a \"word\"","extensions":{"code":"X"}}],"data":{"a":null}}`},
		{graphql.Response{Errors: fault}, true, `{"errors":[{"message":"a \"word\"","extensions":{"code":"X"}}],"data":null}`},
		{graphql.Response{Errors: fault}, false, `{"errors":[{"message":"a \"word\"","extensions":{"code":"X"}}]}`},
		{graphql.Response{Data: []byte(`{}`), Extensions: map[string]any{"cost": 1}}, true, `{"data":{},"extensions":{"cost":1}}`},
	} {
		if got := string(encodeResponse(&c.resp, c.executed)); got != c.want {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

func TestFromBody(t *testing.T) {
	s := Sizes{Ordinary: 100, Bulk: 1000, Batch: func(document, operation string) bool { return document == "many" && operation == "O" }}
	r := httptest.NewRequest("POST", "/", nil)
	p, no := s.fromBody(r, []byte(`{"query":"q","operationName":"O","variables":{"n":12345678901234567890},"extensions":{"x":null}}`))
	if no != nil || p.Query != "q" || p.OperationName != "O" || len(p.Extensions) != 1 {
		t.Fatalf("read as %+v, %+v", p, no)
	}
	if n := p.Variables["n"]; n == nil || n.(interface{ String() string }).String() != "12345678901234567890" {
		t.Errorf("a number lost its digits: %v", n)
	}
	for _, null := range []string{`{"query":"q"}`, `{"query":"q","operationName":null,"variables":null,"extensions":null}`} {
		if p, no := s.fromBody(r, []byte(null)); no != nil || p.Variables != nil || p.OperationName != "" {
			t.Errorf("%s is read as %+v, %+v", null, p, no)
		}
	}
	long := strings.Repeat("x", 200)
	if _, no := s.fromBody(r, []byte(`{"query":"one","operationName":"O","variables":{"x":"`+long+`"}}`)); no == nil || no.status != 413 {
		t.Errorf("a long ordinary operation: %+v", no)
	}
	if _, no := s.fromBody(r, []byte(`{"query":"many","operationName":"O","variables":{"x":"`+long+`"}}`)); no != nil {
		t.Errorf("a long batch: %+v", no)
	}
}
