package telemetry

import "go.opentelemetry.io/otel/attribute"

// Texts is an attribute with a text of each item. It, Numbers and Flags are for events about several items: an event for each item, with
// all its values as attributes of their own, takes several times as much of a trace.
func Texts[T any](name string, items []T, of func(*T) string) attribute.KeyValue {
	return attribute.StringSlice(name, list(items, of))
}

// Numbers is an attribute with a number of each item.
func Numbers[T any](name string, items []T, of func(*T) float64) attribute.KeyValue {
	return attribute.Float64Slice(name, list(items, of))
}

// Flags is an attribute that says of each item whether something is so.
func Flags[T any](name string, items []T, of func(*T) bool) attribute.KeyValue {
	return attribute.BoolSlice(name, list(items, of))
}

func list[T, V any](items []T, of func(*T) V) []V {
	values := make([]V, len(items))
	for i := range items {
		values[i] = of(&items[i])
	}
	return values
}
