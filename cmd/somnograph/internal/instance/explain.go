package instance

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/keyring"
	"github.com/somnograph/somnograph/graph/ledger"
)

// Explain turns an error of opening a directory into one line that says what to do.
func Explain(dir string, err error) error {
	var mixed *engine.MixedModelsError
	var keys *graph.DamagedKeysError
	var before *explained
	switch {
	case err == nil:
		return nil
	case errors.As(err, &before):
		return err
	case errors.Is(err, keyring.ErrWrong):
		return &explained{fmt.Sprintf("the data in %s is sealed and can't be read with the keys given: %s; choose their directory with --keys, or put its newest copy back", dir, line(err)), err}
	case errors.As(err, &keys):
		return &explained{damagedKeys(keys), err}
	case errors.As(err, &mixed):
		return &explained{fmt.Sprintf("the memories in %s are embedded with %s, and the embedder of the configuration is %s: vectors of two models can't be compared; configure the former embedder (somnograph reembed then switches to the other), or choose another directory with --data", dir, mixed.Stored, mixed.Given), err}
	case errors.Is(err, graph.ErrLocked):
		return &explained{fmt.Sprintf("the data directory %s is in use by another somnograph; stop it, or choose another with --data", dir), err}
	case errors.Is(err, graph.ErrIntegrity):
		return &explained{fmt.Sprintf("the data in %s is damaged and is not served: %s; move it away and restore it from a backup (somnograph restore --from BACKUP --data %[1]s --keys KEYS)", dir, line(err)), err}
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, graph.ErrUnavailable):
		return &explained{fmt.Sprintf("the data in %s can't be opened now: %s; free some space on the disk if it is full", dir, line(err)), err}
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EROFS):
		return &explained{fmt.Sprintf("not allowed to write to %s: %s", dir, line(err)), err}
	}
	return err
}

// ExplainKeys turns an error of opening the ledger in the directory of keys into one line that
// says what to do.
func ExplainKeys(dir string, err error) error {
	var other *ledger.MismatchError
	var keys *graph.DamagedKeysError
	switch {
	case errors.Is(err, keyring.ErrWrong):
		return err
	case errors.As(err, &keys):
		return &explained{damagedKeys(keys), err}
	case errors.As(err, &other):
		return &explained{line(other), err}
	case errors.Is(err, graph.ErrLocked):
		return &explained{fmt.Sprintf("the keys or the ledger of erasures of this store in %s are in use by another somnograph: stop it, or choose another directory with --keys", dir), err}
	case errors.Is(err, graph.ErrIntegrity):
		return &explained{fmt.Sprintf("the ledger of erasures in %s is damaged: %s; put its newest copy back; if there is none, move the file away and start once with somnograph serve --accept-keys=true: the server makes another from the erasures that the store knows, and an older copy of the store may bring back others", dir, line(err)), err}
	}
	return &explained{fmt.Sprintf("the directory of keys %s can't be used: %s; choose another with --keys: the keys of the data and the ledger of erasures are there, and with --seal=off the ledger", dir, line(err)), err}
}

// damagedKeys is the text about a damaged file of keys.
func damagedKeys(e *graph.DamagedKeysError) string {
	return fmt.Sprintf("%s; what it opens can't be read: %s", line(e), e.Advice())
}

// explained is an error with another text.
type explained struct {
	text string
	err  error
}

func (e *explained) Error() string { return e.text }
func (e *explained) Unwrap() error { return e.err }

// line is the text of an error on one line.
func line(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
