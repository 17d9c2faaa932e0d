package histories

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"strings"
	"unicode/utf8"
)

// Limits of what is kept of the calls of one turn.
const (
	maxCalls    = 32
	maxArgument = 1000 // bytes of the arguments of a call
	maxResult   = 1000 // bytes of its result
	maxTurn     = 24 << 10
)

func sliceReader(b []byte) io.Reader { return bytes.NewReader(b) }

// cut shortens a text to at most n bytes.
func cut(text string, n int) string {
	text = clean(text)
	if len(text) <= n {
		return text
	}
	end := n - len("…")
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// arguments returns JSON of limited size: the value itself, or else its beginning as a string.
func arguments(raw []byte) json.RawMessage {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return nil
	}
	if len(raw) <= maxArgument && json.Valid(raw) && utf8.Valid(raw) {
		return append(json.RawMessage(nil), raw...)
	}
	text := string(raw)
	var s string
	if json.Unmarshal(raw, &s) == nil {
		text = s
	}
	short, err := json.Marshal(cut(text, maxArgument))
	if err != nil {
		return nil
	}
	return short
}

// answer collects what an assistant says and does between two turns of a person. It becomes one turn.
type answer struct {
	turn  Turn
	where string
	open  map[string]int // calls without a result, by their id
}

// empty reports whether nothing was collected.
func (a *answer) empty() bool { return a.turn.Text == "" && len(a.turn.Calls) == 0 }

// begin sets what the turn takes from its first part.
func (a *answer) begin(t Turn, where string) {
	if a.turn.ID == "" {
		t.Text, t.Calls = "", nil
		a.turn, a.where = t, where
	}
}

// say adds a text.
func (a *answer) say(text string) {
	if text = clean(text); text == "" {
		return
	}
	if a.turn.Text != "" {
		a.turn.Text += "\n\n"
	}
	a.turn.Text += text
}

// full reports whether the turn is to be passed on before more is added.
func (a *answer) full() bool { return len(a.turn.Text) >= maxTurn || len(a.turn.Calls) >= maxCalls }

// call adds a call; id may be empty.
func (a *answer) call(id, name string, args []byte) {
	if name = cut(name, 200); name == "" {
		return
	}
	if a.open == nil {
		a.open = map[string]int{}
	}
	a.turn.Calls = append(a.turn.Calls, Call{Name: name, Arguments: arguments(args)})
	a.open[id] = len(a.turn.Calls) - 1
}

// result adds the result of a call. What our own tools answered is not kept: it is in memory already.
func (a *answer) result(id, text string) {
	i, known := a.open[id]
	if !known || i >= len(a.turn.Calls) {
		return
	}
	delete(a.open, id)
	if !strings.Contains(strings.ToLower(a.turn.Calls[i].Name), "somnograph") {
		a.turn.Calls[i].Result = cut(text, maxResult)
	}
}

// take returns the collected turn and begins another. A turn of calls alone is one of a tool, whose text names them.
func (a *answer) take() (Turn, string) {
	t, where := a.turn, a.where
	if t.Text == "" && len(t.Calls) > 0 {
		t.Role = "tool"
		var names []string
		for _, c := range t.Calls {
			if len(names) < 8 && (len(names) == 0 || names[len(names)-1] != c.Name) {
				names = append(names, c.Name)
			}
		}
		t.Text = "[" + strings.Join(names, ", ") + "]"
	}
	*a = answer{}
	return t, where
}

// flush passes the collected turn on, if there is one.
func (r *reading) flush(a *answer) error {
	if a.empty() {
		*a = answer{}
		return nil
	}
	t, where := a.take()
	return r.put(t, where)
}

// textOf joins the texts of content that is a string or a list of blocks with a text.
func textOf(raw []byte) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var blocks []json.RawMessage
	if json.Unmarshal(raw, &blocks) != nil {
		var one struct {
			Text   string
			Output string
		}
		if json.Unmarshal(raw, &one) == nil {
			return cmp.Or(one.Text, one.Output)
		}
		return ""
	}
	var texts []string
	for _, b := range blocks {
		var block struct{ Text string }
		if json.Unmarshal(b, &s) == nil {
			texts = append(texts, s)
		} else if json.Unmarshal(b, &block) == nil && block.Text != "" {
			texts = append(texts, block.Text)
		}
	}
	return strings.Join(texts, "\n")
}

// enclosed reports whether a text is one element of markup with a name of several words, such as
// <environment_context>…</environment_context>: programs put those into a conversation, people do not.
func enclosed(text string) bool {
	text = strings.TrimSpace(text)
	name, rest, ok := strings.Cut(strings.TrimPrefix(text, "<"), ">")
	if !ok || !strings.HasPrefix(text, "<") || !strings.ContainsAny(name, "-_") || strings.ContainsAny(name, " \n<") {
		return false
	}
	return strings.HasSuffix(rest, "</"+name+">")
}

// without removes the elements of markup of a name from a text.
func without(text, name string) string {
	for {
		from := strings.Index(text, "<"+name+">")
		if from < 0 {
			return text
		}
		length := strings.Index(text[from:], "</"+name+">")
		if length < 0 {
			return text[:from]
		}
		text = text[:from] + text[from+length+len("</"+name+">"):]
	}
}
