package graph

import (
	"unicode/utf8"
)

// Limits of chunks and procedures.
const (
	MaxPath     = 1024 // bytes of the path of a document
	MaxHeadings = 16   // headings above a chunk
	MaxSteps    = 64   // steps of a procedure
	MaxStep     = 2048 // bytes of a step or a trigger
	MaxLearned  = 64   // memories that a procedure was learned from
)

// Chunk says which part of which document a memory is. The chunks that make up the current version
// of a document are listed in the note of the document (NoteDocument).
type Chunk struct {
	Document ID       // the note of the document
	Path     string   // of the document, 1 to MaxPath bytes
	Index    int      // position in the last version of the document that has it, from 0
	Hash     string   // SHA-256 of its headings and its text, lower-case hex
	Headings []string // outermost first, at most MaxHeadings
	Line     int      // first line, page or row, from 1; 0: unknown
}

// Procedure is what a PROCEDURAL memory says apart from its content.
type Procedure struct {
	Trigger     string   // when it applies, at most MaxStep bytes
	Steps       []string // in order, at most MaxSteps
	LearnedFrom []ID     // memories that it was learned from, at most MaxLearned
}

// validate returns an *Error that names the first invalid field, or nil.
func (c *Chunk) validate() error {
	switch {
	case c == nil:
		return nil
	case !c.Document.Valid():
		return FieldError(CodeInvalidRequest, "document", "must be a UUID")
	case c.Path == "" || len(c.Path) > MaxPath || !utf8.ValidString(c.Path):
		return FieldError(CodeInvalidRequest, "path", "must have 1 to %d bytes of UTF-8", MaxPath)
	case c.Index < 0 || c.Line < 0:
		return FieldError(CodeInvalidRequest, "chunkIndex", "must be at least 0")
	case len(c.Hash) != 64:
		return FieldError(CodeInvalidRequest, "contentHash", "must be 64 hexadecimal digits")
	case len(c.Headings) > MaxHeadings:
		return FieldError(CodeLimitExceeded, "headings", "has %d items, more than %d", len(c.Headings), MaxHeadings)
	}
	for _, h := range c.Headings {
		if len(h) > MaxName || !utf8.ValidString(h) {
			return FieldError(CodeInvalidRequest, "headings", "each must have at most %d bytes of UTF-8", MaxName)
		}
	}
	return nil
}

// Validate returns an *Error that names the first invalid field, or nil. A nil procedure is valid.
func (p *Procedure) Validate() error {
	switch {
	case p == nil:
		return nil
	case len(p.Trigger) > MaxStep || !utf8.ValidString(p.Trigger):
		return FieldError(CodeInvalidRequest, "trigger", "must have at most %d bytes of UTF-8", MaxStep)
	case len(p.Steps) > MaxSteps:
		return FieldError(CodeLimitExceeded, "steps", "has %d items, more than %d", len(p.Steps), MaxSteps)
	case len(p.LearnedFrom) > MaxLearned:
		return FieldError(CodeLimitExceeded, "learnedFrom", "has %d items, more than %d", len(p.LearnedFrom), MaxLearned)
	}
	for _, s := range p.Steps {
		if s == "" || len(s) > MaxStep || !utf8.ValidString(s) {
			return FieldError(CodeInvalidRequest, "steps", "each must have 1 to %d bytes of UTF-8", MaxStep)
		}
	}
	for _, id := range p.LearnedFrom {
		if !id.Valid() {
			return FieldError(CodeInvalidRequest, "learnedFrom", "each must be a UUID")
		}
	}
	return nil
}
