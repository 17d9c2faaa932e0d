package graph

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"iter"
)

// Annotations yields the texts that a memory holds beside its content, its summary, its subject and its tags: the reason of its version, what a
// caller stated or a person corrected in its claims, its steps and their trigger, the parts of its pattern, its calls of tools, its path and
// headings, and the texts of its metadata. Identifiers that a caller chose (session, project, agent, source, external id) are none.
func (m *Memory) Annotations() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, texts := range []iter.Seq[string]{m.corrections, m.notes, m.toolTexts, m.metaTexts} {
			for s := range texts {
				if s != "" && !yield(s) {
					return
				}
			}
		}
	}
}

// Annotated reports whether a memory has annotations.
func (m *Memory) Annotated() bool {
	for range m.Annotations() {
		return true
	}
	return false
}

// corrections yields what a person set in claims.
func (m *Memory) corrections(yield func(string) bool) {
	for i := range m.Claims {
		for _, s := range m.Claims[i].History {
			if s.Corrected && !(yield(s.Subject) && yield(s.Predicate) && yield(s.Object)) {
				return
			}
		}
	}
}

func (m *Memory) notes(yield func(string) bool) {
	texts := []string{m.Reason}
	if m.Stated { // the text may say it in other words
		texts = append(texts, m.Predicate, m.Object)
	}
	if m.Procedure != nil {
		texts = append(append(texts, m.Procedure.Trigger), m.Procedure.Steps...)
	}
	if m.Pattern != nil {
		texts = append(append(texts, m.Pattern.Conditions...), m.Pattern.Actions...)
	}
	if m.Chunk != nil {
		texts = append(append(texts, m.Chunk.Path), m.Chunk.Headings...)
	}
	for _, s := range texts {
		if !yield(s) {
			return
		}
	}
}

func (m *Memory) toolTexts(yield func(string) bool) {
	for _, c := range m.ToolCalls {
		if !yield(c.Name) {
			return
		}
		for s := range jsonTexts([]byte(c.Arguments)) {
			if !yield(s) {
				return
			}
		}
		if !yield(c.Result) {
			return
		}
	}
}

func (m *Memory) metaTexts(yield func(string) bool) { jsonTexts(m.Meta)(yield) }

// jsonTexts yields the texts of a JSON value, names of fields included, up to where it is no JSON.
func jsonTexts(value []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		d := json.NewDecoder(bytes.NewReader(value))
		d.UseNumber()
		for {
			token, err := d.Token()
			if err != nil {
				if !errors.Is(err, io.EOF) {
					yield(string(value)) // what cannot be parsed is one text
				}
				return
			}
			if s, ok := token.(string); ok && !yield(s) {
				return
			}
		}
	}
}
