package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/somnograph/somnograph/graph"
)

// refusal is an error response without an operation.
type refusal struct {
	status int
	err    *graph.Error
}

func refuse(status int, code graph.Code, format string, args ...any) *refusal {
	return &refusal{status, graph.Errorf(code, format, args...)}
}

// Sizes limit the size of a request in bytes.
type Sizes struct {
	// Ordinary is the maximum size of a body without a batch.
	Ordinary int64
	// Bulk is the maximum size of any body.
	Bulk int64
	// Batch reports whether the operation of a document accepts a batch.
	Batch func(document, operation string) bool
}

// envelope is a request whose variables are decoded after the check of their size.
type envelope struct {
	Query         *string         `json:"query"`
	OperationName string          `json:"operationName"`
	Variables     json.RawMessage `json:"variables"`
	Extensions    map[string]any  `json:"extensions"`
}

// fromBody reads the parameters of a POST. A body larger than Ordinary is decoded only if its
// operation accepts a batch.
func (s Sizes) fromBody(r *http.Request, body []byte) (*graphql.RawParams, *refusal) {
	if err := graph.CheckJSON("the body", body); err != nil {
		return nil, &refusal{http.StatusBadRequest, err}
	}
	var e envelope
	if err := decode(body, &e); err != nil {
		return nil, malformed(err)
	}
	if e.Query == nil || *e.Query == "" {
		return nil, refuse(http.StatusBadRequest, graph.CodeInvalidRequest, "the request has no query")
	}
	if int64(len(body)) > s.Ordinary && !s.Batch(*e.Query, e.OperationName) {
		return nil, refuse(http.StatusRequestEntityTooLarge, graph.CodeLimitExceeded, "an operation without a batch may have at most %d bytes", s.Ordinary)
	}
	p := &graphql.RawParams{Query: *e.Query, OperationName: e.OperationName, Extensions: e.Extensions, Headers: r.Header}
	if len(e.Variables) > 0 {
		if err := decode(e.Variables, &p.Variables); err != nil {
			return nil, malformed(err)
		}
	}
	return p, nil
}

// fromURL reads the parameters of a GET.
func (s Sizes) fromURL(r *http.Request) (*graphql.RawParams, *refusal) {
	if int64(len(r.URL.RawQuery)) > s.Ordinary {
		return nil, refuse(http.StatusRequestURITooLong, graph.CodeLimitExceeded, "a GET may have at most %d bytes", s.Ordinary)
	}
	q := r.URL.Query()
	for name := range q {
		if err := graph.CheckUTF8("a parameter of the address", []byte(name+q.Get(name))); err != nil {
			return nil, &refusal{http.StatusBadRequest, err}
		}
	}
	p := &graphql.RawParams{Query: q.Get("query"), OperationName: q.Get("operationName"), Headers: r.Header}
	if p.Query == "" {
		return nil, refuse(http.StatusBadRequest, graph.CodeInvalidRequest, "the request has no query")
	}
	for name, into := range map[string]*map[string]any{"variables": &p.Variables, "extensions": &p.Extensions} {
		if text := q.Get(name); text != "" {
			if err := graph.CheckJSON("the parameter "+name, []byte(text)); err != nil {
				return nil, &refusal{http.StatusBadRequest, err}
			}
			if err := decode([]byte(text), into); err != nil {
				return nil, malformed(err)
			}
		}
	}
	return p, nil
}

// decode decodes one JSON value and refuses trailing data; numbers keep their digits.
func decode(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("trailing data after the JSON value")
	}
	return nil
}

// malformed describes the error without echoing the request.
func malformed(err error) *refusal {
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) && wrong.Field != "" {
		e := graph.FieldError(graph.CodeInvalidRequest, wrong.Field, "must be a JSON %s", jsonKind(wrong.Type.Kind().String()))
		return &refusal{http.StatusBadRequest, e}
	}
	return refuse(http.StatusBadRequest, graph.CodeInvalidRequest, "the request is not a JSON object with query, variables, operationName and extensions")
}

// jsonKind is the JSON name of a Go kind.
func jsonKind(name string) string {
	if name == "map" {
		return "object"
	}
	return name
}

// Media types of responses.
const (
	mediaJSON    = "application/json"
	mediaGraphQL = "application/graphql-response+json"
	mediaEvents  = "text/event-stream"
)

// isJSON reports whether the content type is JSON in UTF-8.
func isJSON(r *http.Request) bool {
	media, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset, given := params["charset"]
	return err == nil && media == mediaJSON && (!given || strings.EqualFold(charset, "utf-8"))
}
