package config

import (
	"maps"
	"slices"
)

// profiles are the named sets of values. A profile gives the value of a setting that no flag,
// variable or file gives. What each costs is measured in docs/operations.md.
var profiles = map[string]map[string]string{
	"balanced": {},
	"fast": {
		"gc-percent": "200", "badger.memtable": "32MiB", "badger.mapped": "1GiB", "index.vector-memory": "1GiB", "search.effort": "FAST",
	},
	"accurate": {"search.effort": "ACCURATE"},
	"low-memory": {
		"memory-limit": "1GiB", "gc-percent": "50", "badger.memtable": "8MiB", "badger.mapped": "64MiB", "index.vector-memory": "0B", "index.workers": "1",
	},
	"large": {
		"memory-limit": "3GiB", "gc-percent": "50", "badger.memtable": "8MiB", "badger.mapped": "128MiB", "index.vector-memory": "64MiB",
	},
}

// ProfileNames are the names of the profiles, sorted.
func ProfileNames() []string { return slices.Sorted(maps.Keys(profiles)) }

// profileLayer is the profile that the layers choose. An unknown one has no values: the check of
// the setting itself refuses it.
func profileLayer(layers []layer) layer {
	name := "balanced"
	for _, l := range layers {
		if v, given := l.values["profile"]; given {
			name = textOf(v)
			break
		}
	}
	values := map[string]any{}
	for key, value := range profiles[name] {
		values[key] = value
	}
	return layer{values, func(string) string { return "profile " + name }, func(key string) string { return key }}
}
