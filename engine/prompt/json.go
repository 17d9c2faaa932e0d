package prompt

import (
	"encoding/json"
	"strings"
)

// jsonStyle writes one JSON object with an array for each layer.
type jsonStyle struct{}

func (jsonStyle) entry(l line) string {
	e := struct {
		At    string `json:"at,omitempty"`
		Role  string `json:"role,omitempty"`
		Who   string `json:"who,omitempty"`
		Mark  string `json:"mark,omitempty"`
		Count int    `json:"count,omitempty"`
		Text  string `json:"text"`
	}{l.at, l.role, l.who, l.mark, l.count, l.text}
	if l.count == 1 {
		e.Count = 0
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil { // strings and a number can always be encoded
		panic("prompt: " + err.Error())
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (jsonStyle) separator() string { return ",\n" }

func (jsonStyle) frame(n Name, _ []string) (before, after string) {
	return `"` + strings.ToLower(string(n)) + "\":[\n", "\n]"
}

func (jsonStyle) joinLayers(layers []string) string {
	return `{"note":"` + notice + "\",\n" + strings.Join(layers, ",\n") + "\n}\n"
}

func (jsonStyle) empty() string { return "{}\n" }
