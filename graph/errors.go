package graph

import (
	"cmp"
	"errors"
	"fmt"
)

// Errors of a transaction.
var (
	// ErrConflict is returned when a transaction lost against other transactions more
	// often than the store retries.
	ErrConflict = errors.New("graph: transaction conflict")
	// ErrTooLarge is returned when a transaction, or one value, is larger than
	// the store can commit at once. Nothing was written.
	ErrTooLarge = errors.New("graph: transaction too large")
	// ErrUncertain is returned when it is unknown whether a commit happened.
	ErrUncertain = errors.New("graph: outcome of the commit is unknown")
	// ErrReadOnly is returned when a View function tries to write.
	ErrReadOnly = errors.New("graph: read-only transaction")
)

// Errors of a read.
var (
	// ErrNotFound is returned when the requested node does not exist in the scope.
	ErrNotFound = errors.New("graph: not found")
	// ErrIntegrity is returned when stored bytes are not what was written. The
	// record is never served.
	ErrIntegrity = errors.New("graph: integrity check failed")
)

// DamagedKeysError is returned for a file of keys that is missing though it must be there, that is
// damaged, or that is another's. It wraps ErrIntegrity.
type DamagedKeysError struct {
	Path string
	Err  error
	Do   string // what a person does; empty: RestoreKeys
}

// RestoreKeys is what a person does about a damaged file of keys.
const RestoreKeys = "put it back from the newest backup of the directory of keys; what it opens is lost without it, and other data is not concerned"

// AcceptKeys is what a person does about keys that are not those that the data knows: what a server takes with
// --accept-keys=true, and what is lost by that.
func AcceptKeys(takes, loses string) string {
	return "put its newest copy back. Only if there is none, start once with somnograph serve --accept-keys=true: the server " + takes + ", and " + loses + ". Until then nothing is changed"
}

func (e *DamagedKeysError) Error() string {
	return fmt.Sprintf("the file of keys %s: %v", e.Path, e.Err)
}
func (e *DamagedKeysError) Unwrap() error { return e.Err }

// Advice is what a person does about it.
func (e *DamagedKeysError) Advice() string { return cmp.Or(e.Do, RestoreKeys) }

// DamagedNoteError is returned by Reader.Notes if the first note that can't be read is damaged or was altered.
// It wraps ErrIntegrity. A reader can go on after its ID.
type DamagedNoteError struct {
	Kind NoteKind
	ID   ID
	Err  error
}

func (e *DamagedNoteError) Error() string {
	return fmt.Sprintf("the note %s of kind %s: %v", e.ID, e.Kind, e.Err)
}
func (e *DamagedNoteError) Unwrap() error { return e.Err }

// DamagedNote is the id of the note because of which a read of notes failed; empty: it did not, or for another
// reason.
func DamagedNote(err error) ID {
	var damaged *DamagedNoteError
	if errors.As(err, &damaged) {
		return damaged.ID
	}
	return ""
}

// Found reports whether a read by key found something, given its error. It returns the error
// unless that is ErrNotFound.
func Found(err error) (bool, error) {
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Errors of the store as a whole.
var (
	// ErrUnavailable is returned when the store can't serve the call now: the disk is
	// (nearly) full or a server does not answer. Reads may still work; writes may later.
	ErrUnavailable = errors.New("graph: store unavailable")
	// ErrDiskFull is returned, with ErrUnavailable, when the store refuses writes because its disk is (nearly) full.
	ErrDiskFull = errors.New("graph: disk full")
	// ErrClosed is returned when the store is used after Close.
	ErrClosed = errors.New("graph: store closed")
	// ErrLocked is returned when another process holds the store open.
	ErrLocked = errors.New("graph: store is in use by another process")
	// ErrUnfinished is returned when a store is to be opened without any change, and opening it would finish what was interrupted.
	ErrUnfinished = errors.New("graph: opening the store changes it")
)

// Code classifies an error for clients; the names are those of the API.
type Code string

// The codes.
const (
	CodeInvalidRequest   Code = "INVALID_REQUEST"
	CodeConsentRequired  Code = "CONSENT_REQUIRED"
	CodeUnauthenticated  Code = "UNAUTHENTICATED"
	CodeForbidden        Code = "FORBIDDEN"
	CodeMemoryNotFound   Code = "MEMORY_NOT_FOUND"
	CodeDuplicateMemory  Code = "DUPLICATE_MEMORY"
	CodeVersionConflict  Code = "VERSION_CONFLICT"
	CodeSleepRunning     Code = "SLEEP_RUNNING"
	CodeQuorumUnmet      Code = "QUORUM_UNMET"
	CodeRateLimited      Code = "RATE_LIMITED"
	CodeLimitExceeded    Code = "LIMIT_EXCEEDED"
	CodeIntegrityFailure Code = "INTEGRITY_FAILURE"
	CodeUnavailable      Code = "UNAVAILABLE"
	CodeInternal         Code = "INTERNAL"
)

// Error is an error that clients may see: a code, the field at fault and a sentence.
// The cause, if any, is for logs only.
type Error struct {
	Code    Code
	Field   string // path of the argument at fault, "" if none
	Message string
	Cause   error
}

// Errorf makes an Error without a field.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// FieldError makes an Error that names the field at fault.
func FieldError(code Code, field, format string, args ...any) *Error {
	return &Error{Code: code, Field: field, Message: fmt.Sprintf(format, args...)}
}

func (e *Error) Error() string { return string(e.Code) + ": " + e.Sentence() }

// Sentence is the text for people: the message, after the field at fault if there is one.
func (e *Error) Sentence() string {
	if e.Field == "" {
		return e.Message
	}
	return e.Field + ": " + e.Message
}

// Unwrap is the cause.
func (e *Error) Unwrap() error { return e.Cause }

// CodeOf is the code of err: that of an Error in its chain, else the code of a
// sentinel error, else CodeInternal.
func CodeOf(err error) Code {
	var e *Error
	switch {
	case errors.As(err, &e):
		return e.Code
	case errors.Is(err, ErrNotFound):
		return CodeMemoryNotFound
	case errors.Is(err, ErrTooLarge):
		return CodeLimitExceeded
	case errors.Is(err, ErrIntegrity):
		return CodeIntegrityFailure
	case errors.Is(err, ErrConflict), errors.Is(err, ErrUncertain), errors.Is(err, ErrUnavailable),
		errors.Is(err, ErrClosed), errors.Is(err, ErrLocked), errors.Is(err, ErrUnfinished):
		return CodeUnavailable
	}
	return CodeInternal
}
