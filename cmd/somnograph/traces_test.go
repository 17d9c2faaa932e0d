package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/somnograph/somnograph/internal/collectortest"
)

// Traces of the clients of the tests.
const (
	rememberTrace = "4bf92f3577b34da6a3ce929d0e0e4701"
	searchTrace   = "4bf92f3577b34da6a3ce929d0e0e4702"
	sleepTrace    = "4bf92f3577b34da6a3ce929d0e0e4703"
	toolTrace     = "4bf92f3577b34da6a3ce929d0e0e4704"
	socketTrace   = "4bf92f3577b34da6a3ce929d0e0e4705"
	clientSpan    = "00f067aa0ba902b7"
)

func traceparent(trace string) string { return "00-" + trace + "-" + clientSpan + "-01" }

// forest finds spans in what a collector got.
type forest struct {
	t     *testing.T
	spans []collectortest.Span
}

// one returns the first span of a name in a trace that is below another, which may be the client's.
func (f forest) one(trace, under, name string) collectortest.Span {
	f.t.Helper()
	for _, s := range f.spans {
		if s.TraceID == trace && s.Name == name && f.below(s, under) {
			return s
		}
	}
	var names []string
	for _, s := range f.spans {
		if s.TraceID == trace {
			names = append(names, s.Name)
		}
	}
	f.t.Errorf("trace %s has no span %q below %q; it has %q", trace, name, under, names)
	return collectortest.Span{}
}

// below reports whether a span has an ancestor with the id, or is a child of the client's span.
func (f forest) below(s collectortest.Span, ancestor string) bool {
	for range f.spans {
		if s.Parent == ancestor {
			return true
		}
		i := slices.IndexFunc(f.spans, func(x collectortest.Span) bool { return x.TraceID == s.TraceID && x.SpanID == s.Parent })
		if i < 0 {
			return false
		}
		s = f.spans[i]
	}
	return false
}

// send sends a JSON request in a trace of the client.
func (s *server) send(path, trace, body string) string {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if path == "/mcp" {
		req.Header.Set("Accept", "application/json, text/event-stream")
	}
	if trace != "" {
		req.Header.Set("traceparent", traceparent(trace))
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || strings.Contains(string(answer), `"errors"`) {
		s.t.Fatalf("%s: %d %s, %v", path, resp.StatusCode, answer, err)
	}
	return string(answer)
}

func (s *server) operation(trace, query string) string {
	s.t.Helper()
	body, err := json.Marshal(map[string]any{"query": query})
	if err != nil {
		s.t.Fatal(err)
	}
	return s.send("/graphql", trace, string(body))
}

const (
	winchText     = "The zanthrax winch of the Petrel carries 840 kilograms."
	winchQuestion = "how much does the zanthrax winch carry"
)

// A remember, a search and a sleep in traces of a client arrive at a collector as trees of spans,
// without any text.
func TestTracesReachACollector(t *testing.T) {
	collector := collectortest.Start(t)
	s := start(t, t.TempDir(), "--traces-to", collector.URL)
	var made struct {
		Data struct {
			Remember struct{ Memory struct{ ID string } }
		}
	}
	if err := json.Unmarshal([]byte(s.operation(rememberTrace, `mutation{remember(input:{content:"`+winchText+`",consent:EXPLICIT}){memory{id}}}`)), &made); err != nil {
		t.Fatal(err)
	}
	id := made.Data.Remember.Memory.ID
	s.operation(searchTrace, `{search(input:{query:"`+winchQuestion+`"}){hits{memory{content entities{name}}}}}`)
	s.operation(sleepTrace, `mutation{sleep(input:{deep:true,wait:true}){report{id}}}`)
	s.send("/mcp", searchTrace, fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":{"query":%q},"_meta":{"traceparent":%q}}}`, winchQuestion, traceparent(toolTrace)))
	s.ask(socketTrace, `{search(input:{query:"`+winchQuestion+`"}){hits{score}}}`)
	s.stop()

	f := forest{t, collector.Spans()}
	route := f.one(rememberTrace, clientSpan, "POST graphql")
	if route.Kind != 2 || route.Resource["service.name"] != "somnograph" {
		t.Errorf("the span of the route: %+v", route)
	}
	operation := f.one(rememberTrace, route.SpanID, "mutation")
	field := f.one(rememberTrace, operation.SpanID, "Mutation.remember")
	verb := f.one(rememberTrace, field.SpanID, "create_memory")
	for key, want := range map[string]any{
		"gen_ai.operation.name": "create_memory", "gen_ai.provider.name": "somnograph", "gen_ai.memory.store.id": "default",
		"gen_ai.memory.record.id": id, "gen_ai.memory.record.count": 1.0, "somnograph.verb": "remember",
	} {
		if verb.Attributes[key] != want {
			t.Errorf("create_memory has %s %v, want %v", key, verb.Attributes[key], want)
		}
	}
	f.one(rememberTrace, f.one(rememberTrace, verb.SpanID, "badger write").SpanID, "badger commit")
	if embedding := f.one(rememberTrace, verb.SpanID, "embeddings hashed-ngram-v1-512"); embedding.Attributes["gen_ai.request.model"] != "hashed-ngram-v1-512" {
		t.Errorf("the span of the embedding: %+v", embedding)
	}

	search := f.one(searchTrace, f.one(searchTrace, f.one(searchTrace, clientSpan, "POST graphql").SpanID, "query").SpanID, "search_memory")
	f.one(searchTrace, f.one(searchTrace, search.SpanID, "recall plan").SpanID, "embeddings hashed-ngram-v1-512")
	index := f.one(searchTrace, search.SpanID, "recall index")
	f.one(searchTrace, index.SpanID, "recall channel vectors")
	f.one(searchTrace, index.SpanID, "recall channel words")
	f.one(searchTrace, f.one(searchTrace, search.SpanID, "recall rank").SpanID, "badger read")
	f.one(searchTrace, search.SpanID, "recall hits") // reads what the ranking did not
	if len(search.Events) != 1 || search.Events[0].Name != "somnograph.hits" {
		t.Fatalf("the events of the search: %+v", search.Events)
	}
	hits := search.Events[0].Attributes // a list for each property, with a value for each hit
	for _, name := range []string{"id", "label", "score", "semantic", "keyword", "recency", "importance", "entity", "above_floor"} {
		if list, ok := hits["somnograph.hits."+name].([]any); !ok || len(list) != 1 {
			t.Errorf("somnograph.hits.%s of one hit is %v", name, hits["somnograph.hits."+name])
		}
	}
	if !reflect.DeepEqual(hits["somnograph.hits.id"], []any{id}) || !reflect.DeepEqual(hits["somnograph.hits.label"], []any{"CURRENT"}) || len(hits) != 9 {
		t.Errorf("the hits of the search: %+v", hits)
	}

	night := f.one(sleepTrace, clientSpan, "sleep DEEP")
	for _, phase := range []string{"N1", "N2", "N3", "REM"} {
		f.one(sleepTrace, night.SpanID, "sleep phase "+phase)
	}
	f.one(sleepTrace, f.one(sleepTrace, night.SpanID, "sleep phase N1").SpanID, "badger commit")

	tool := f.one(toolTrace, clientSpan, "tools/call recall")
	if len(tool.Links) != 1 || tool.Links[0] != searchTrace || tool.Attributes["mcp.method.name"] != "tools/call" || tool.Attributes["gen_ai.tool.name"] != "recall" {
		t.Errorf("the span of the tool: %+v", tool)
	}
	f.one(toolTrace, tool.SpanID, "search_memory")
	f.one(socketTrace, f.one(socketTrace, clientSpan, "query").SpanID, "search_memory")

	for _, word := range []string{"zanthrax", "Petrel", "kilograms", "winch"} {
		if strings.Contains(collector.Raw(), word) {
			t.Errorf("the spans have the text %q", word)
		}
	}
}

// ask sends an operation over a WebSocket, in the trace that its extensions name.
func (s *server) ask(trace, query string) {
	s.t.Helper()
	d := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}}
	conn, resp, err := d.DialContext(s.t.Context(), "ws"+strings.TrimPrefix(s.url, "http")+"/graphql", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	_ = resp.Body.Close()
	defer conn.Close()
	payload := map[string]any{"query": query, "extensions": map[string]any{"traceparent": traceparent(trace)}}
	for _, message := range []map[string]any{{"type": "connection_init"}, {"id": "1", "type": "subscribe", "payload": payload}} {
		if err := conn.WriteJSON(message); err != nil {
			s.t.Fatal(err)
		}
	}
	for {
		var message struct{ Type string }
		if err := conn.ReadJSON(&message); err != nil {
			s.t.Fatal(err)
		}
		switch message.Type {
		case "complete":
			return
		case "error":
			s.t.Fatal("the operation failed")
		}
	}
}

// With --traces-content the spans have texts. With --traces-ratio 0 only the traces of clients
// that sample are sent. The variables of OpenTelemetry say where to and how.
func TestTracesWithContentOverGRPC(t *testing.T) {
	collector := collectortest.Start(t)
	cmd := serveCommand(t, t.TempDir(), "--traces-to", "otlp", "--traces-content", "--traces-ratio", "0")
	cmd.Env = append(cmd.Env, "OTEL_EXPORTER_OTLP_ENDPOINT="+collector.GRPC, "OTEL_EXPORTER_OTLP_PROTOCOL=grpc", "OTEL_SERVICE_NAME=memory-1")
	s := waitReady(t, &server{t: t, cmd: cmd})
	s.operation("", `mutation{remember(input:{content:"`+winchText+`",consent:EXPLICIT}){memory{id}}}`)
	s.operation(searchTrace, `{search(input:{query:"`+winchQuestion+`"}){hits{score}}}`)
	s.stop()
	f := forest{t, collector.Spans()}
	search := f.one(searchTrace, clientSpan, "search_memory")
	records, _ := search.Attributes["gen_ai.memory.records"].(string)
	if search.Attributes["gen_ai.memory.query.text"] != winchQuestion || !strings.Contains(records, winchText) || search.Resource["service.name"] != "memory-1" {
		t.Errorf("search_memory: %+v", search)
	}
	for _, x := range f.spans {
		if x.TraceID != searchTrace {
			t.Errorf("a trace that was not sampled has the span %q", x.Name)
		}
	}
}

// A collector that does not answer costs spans and metrics, not requests, and the log says so once.
func TestACollectorThatIsAway(t *testing.T) {
	cmd := serveCommand(t, t.TempDir(), "--traces-to", "http://127.0.0.1:1", "--metrics-to", "http://127.0.0.1:1")
	cmd.Env = append(cmd.Env, "OTEL_EXPORTER_OTLP_TIMEOUT=100", "OTEL_METRIC_EXPORT_INTERVAL=50")
	s := waitReady(t, &server{t: t, cmd: cmd})
	remember(t, s.client(), winchText)
	s.stop()
	if log := s.log.String(); strings.Count(log, "traces can't be sent") != 1 || strings.Count(log, "metrics can't be sent") != 1 || strings.Contains(log, "zanthrax") {
		t.Errorf("the log:\n%s", log)
	}
}

func TestWrongTraceSettings(t *testing.T) {
	for want, args := range map[string][]string{
		"must be otlp, or an http": {"--traces-to", "collector"},
		"metrics-to: must be otlp": {"--metrics-to", "collector"},
		"must be a number from 0":  {"--traces-to", "otlp", "--traces-ratio", "2"},
	} {
		_, errs, code := output(t, append([]string{"serve", "--data", t.TempDir()}, args...)...)
		if code == exitOK || !strings.Contains(errs, want) {
			t.Errorf("%v: code %d, %q", args, code, errs)
		}
	}
}
