package strictjson

import (
	"encoding/json"
	"testing"
	"time"
)

type inner struct {
	N    int    `json:"n"`
	Note string `json:"note,omitempty"`
}

type outer struct {
	ID   string           `json:"id"`
	At   time.Time        `json:"at"`
	List []inner          `json:"list"`
	Hash []byte           `json:"hash"`
	By   map[string]inner `json:"by,omitempty"`
	Raw  json.RawMessage  `json:"raw,omitempty"`
}

const good = `{"id":"a","at":"2026-03-02T09:00:00Z","list":[{"n":1},{"n":2,"note":"b"}],"hash":"aGE=","by":{"x":{"n":3}},"raw":{"a":[1]}}`

func TestWhatIsExactIsDecoded(t *testing.T) {
	for _, text := range []string{good, `{"id":"a","at":"2026-03-02T09:00:00Z","list":null,"hash":null}`, `{"id":"a","at":"2026-03-02T09:00:00Z","list":[],"hash":""}`} {
		var got, want outer
		if err := Decode([]byte(text), &got); err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if err := json.Unmarshal([]byte(text), &want); err != nil || len(got.List) != len(want.List) || got.ID != want.ID {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
}

func TestWhatIsReadInTwoWaysIsRefused(t *testing.T) {
	for name, text := range map[string]string{
		"repeated":            `{"id":"a","id":"b","at":"2026-03-02T09:00:00Z","list":[],"hash":""}`,
		"repeated, escaped":   `{"id":"a","\u0069d":"b","at":"2026-03-02T09:00:00Z","list":[],"hash":""}`,
		"another case":        `{"id":"a","ID":"b","at":"2026-03-02T09:00:00Z","list":[],"hash":""}`,
		"only another case":   `{"ID":"b","at":"2026-03-02T09:00:00Z","list":[],"hash":""}`,
		"folded":              `{"id":"a","at":"2026-03-02T09:00:00Z","list":[],"li\u017ft":[{"n":1}],"hash":""}`,
		"nested, repeated":    `{"id":"a","at":"2026-03-02T09:00:00Z","list":[{"n":1,"n":2}],"hash":""}`,
		"nested, case":        `{"id":"a","at":"2026-03-02T09:00:00Z","list":[{"n":1,"N":2}],"hash":""}`,
		"in a map, repeated":  `{"id":"a","at":"2026-03-02T09:00:00Z","list":[],"hash":"","by":{"x":{"n":1},"x":{"n":2}}}`,
		"in a map, case":      `{"id":"a","at":"2026-03-02T09:00:00Z","list":[],"hash":"","by":{"x":{"n":1,"N":2}}}`,
		"in what stays":       `{"id":"a","at":"2026-03-02T09:00:00Z","list":[],"hash":"","raw":{"a":1,"a":2}}`,
		"two":                 good + good,
		"trailing":            good + "x",
		"a list":              "[" + good + "]",
		"an object as a text": `{"id":{},"at":"2026-03-02T09:00:00Z","list":[],"hash":""}`,
		"cut":                 good[:len(good)-1],
		"empty":               "",
	} {
		if err := Decode([]byte(text), &outer{}); err == nil {
			t.Errorf("%s: decoded", name)
		}
		if err := DecodeExact([]byte(text), &outer{}); err == nil {
			t.Errorf("%s: decoded as exact", name)
		}
	}
	for name, text := range map[string]string{
		"missing":         `{"id":"a","at":"2026-03-02T09:00:00Z","list":[]}`,
		"nested, missing": `{"id":"a","at":"2026-03-02T09:00:00Z","list":[{}],"hash":""}`,
		"nested, null":    `{"id":"a","at":"2026-03-02T09:00:00Z","list":[{"n":null}],"hash":""}`,
		"null":            `{"id":null,"at":"2026-03-02T09:00:00Z","list":[],"hash":""}`,
		"no instant":      `{"id":"a","at":null,"list":[],"hash":""}`,
		"unknown":         `{"id":"a","at":"2026-03-02T09:00:00Z","list":[],"hash":"","z":1}`,
	} {
		if err := Decode([]byte(text), &outer{}); err == nil {
			t.Errorf("%s: decoded", name)
		}
		if err := DecodeExact([]byte(text), &outer{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
