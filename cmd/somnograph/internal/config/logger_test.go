package config

import (
	"bytes"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/trace"
)

// A tag stays in the message, where operators search for it, and becomes an attribute.
func TestLogTagsAreAnAttribute(t *testing.T) {
	for _, x := range []struct {
		format string
		want   []string
	}{
		{"text", []string{`msg="[CIRCUIT BREAKER] Redis is back" component=circuit_breaker addr=a`, `msg="[READ] slow" tenant=t component=read id=1`, `msg=ready addr=b`, `msg="[no tag" id=2`}},
		{"json", []string{`"msg":"[CIRCUIT BREAKER] Redis is back","component":"circuit_breaker","addr":"a"`, `"msg":"[READ] slow","tenant":"t","component":"read","id":1`, `"msg":"ready","addr":"b"`, `"msg":"[no tag","id":2`}},
	} {
		var out bytes.Buffer
		log := (&Config{LogFormat: x.format}).Logger(&out)
		log.Info("[CIRCUIT BREAKER] Redis is back", "addr", "a")
		log.With("tenant", "t").Warn("[READ] slow", "id", 1)
		log.Info("ready", "addr", "b")
		log.Info("[no tag", "id", 2)
		log.Debug("[WRITE] not logged at this level")
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if len(lines) != len(x.want) {
			t.Fatalf("%d lines:\n%s", len(lines), out.String())
		}
		for i, line := range lines {
			if !strings.Contains(line, x.want[i]) {
				t.Errorf("line %s lacks %s", line, x.want[i])
			}
		}
	}
}

// A line about a traced request has the ids of the trace and the span.
func TestLogLinesNameTheTrace(t *testing.T) {
	var out bytes.Buffer
	log := (&Config{LogFormat: "text"}).Logger(&out)
	ctx := trace.ContextWithRemoteSpanContext(t.Context(), trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{15: 10}, SpanID: trace.SpanID{7: 11}}))
	log.WarnContext(ctx, "[READ] slow", "id", 1)
	log.WarnContext(ctx, "ready")
	want := `msg="[READ] slow" component=read trace_id=0000000000000000000000000000000a span_id=000000000000000b id=1` + "\n"
	if lines := strings.SplitAfter(out.String(), "\n"); len(lines) != 3 || !strings.HasSuffix(lines[0], want) || !strings.HasSuffix(lines[1], "msg=ready trace_id=0000000000000000000000000000000a span_id=000000000000000b\n") {
		t.Errorf("%q", lines)
	}
}
