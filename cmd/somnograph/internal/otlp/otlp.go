// Package otlp says where traces and metrics of the server go: to a collector of OpenTelemetry, over OTLP.
package otlp

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
)

// FromEnvironment is the destination that the variables OTEL_EXPORTER_OTLP_* name.
const FromEnvironment = "otlp"

// Protocols of OTLP.
const (
	GRPC = "grpc"
	HTTP = "http/protobuf"
)

// Signals.
const (
	Traces  = "traces"
	Metrics = "metrics"
)

// Protocol is the protocol for a signal, as the variables of an environment say, or HTTP.
func Protocol(environ []string, signal string) (string, error) {
	for _, name := range []string{"OTEL_EXPORTER_OTLP_" + strings.ToUpper(signal) + "_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"} {
		switch p := variable(environ, name); p {
		case "":
		case GRPC, HTTP:
			return p, nil
		default:
			return "", fmt.Errorf("%s: %s is %q, and must be %s or %s", signal, name, p, HTTP, GRPC)
		}
	}
	return HTTP, nil
}

// Endpoint is the URL of a signal over HTTP at a collector: to, with the usual path unless it has one.
func Endpoint(to, signal string) (string, error) {
	u, err := url.Parse(to)
	if err != nil {
		return "", fmt.Errorf("the destination of %s: %w", signal, err)
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = "/v1/" + signal
	}
	return u.String(), nil
}

// Resource names the server of a version. OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES of the process win.
func Resource(ctx context.Context, version string) (*resource.Resource, error) {
	res, err := resource.New(ctx,
		resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "somnograph"), attribute.String("service.version", version)),
		resource.WithFromEnv(),
	)
	if err != nil {
		return nil, fmt.Errorf("OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	return res, nil
}

// variable is the value of a variable of an environment.
func variable(environ []string, name string) string {
	value := ""
	for _, v := range environ {
		if rest, found := strings.CutPrefix(v, name+"="); found {
			value = rest
		}
	}
	return value
}
