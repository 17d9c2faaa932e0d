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
		return &explained{fmt.Sprintf("the data in %s is sealed and can't be read with the keys given: %s", dir, line(err)), "choose their directory with --keys, or put its newest copy back", err}
	case errors.As(err, &keys):
		return damagedKeys(keys, err)
	case errors.As(err, &mixed):
		return &explained{fmt.Sprintf("the memories in %s are embedded with %s, and the embedder of the configuration is %s: vectors of two models can't be compared", dir, mixed.Stored, mixed.Given),
			"configure the former embedder (somnograph reembed then switches to the other), or choose another directory with --data", err}
	case errors.Is(err, graph.ErrLocked):
		return &explained{fmt.Sprintf("the data directory %s is in use by another somnograph", dir), "stop it, or choose another with --data", err}
	case errors.Is(err, graph.ErrIntegrity):
		return &explained{fmt.Sprintf("the data in %s is damaged and is not served: %s", dir, line(err)), fmt.Sprintf("move it away and restore it from a backup (somnograph restore --from BACKUP --data %s --keys KEYS)", dir), err}
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, graph.ErrUnavailable):
		return &explained{fmt.Sprintf("the data in %s can't be opened now: %s", dir, line(err)), "free some space on the disk if it is full", err}
	case errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EROFS):
		return &explained{fmt.Sprintf("not allowed to write to %s: %s", dir, line(err)), "", err}
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
		return damagedKeys(keys, err)
	case errors.As(err, &other):
		what, do := other.Parts()
		return &explained{what, do, err}
	case errors.Is(err, graph.ErrLocked):
		return &explained{fmt.Sprintf("the keys or the ledger of erasures of this store in %s are in use by another somnograph", dir), "stop it, or choose another directory with --keys", err}
	case errors.Is(err, graph.ErrIntegrity):
		return &explained{fmt.Sprintf("the ledger of erasures in %s is damaged: %s", dir, line(err)),
			graph.AcceptKeys("makes another, if the file is moved away, from the erasures that the store knows", "an older copy of the data may bring back what others had erased"), err}
	}
	return &explained{fmt.Sprintf("the directory of keys %s can't be used: %s", dir, line(err)), "choose another with --keys: the keys of the data and the ledger of erasures are there, and with --seal=off the ledger", err}
}

// damagedKeys explains a damaged file of keys.
func damagedKeys(e *graph.DamagedKeysError, err error) error {
	return &explained{line(e) + "; what it opens can't be read", e.Advice(), err}
}

// Advice divides an error that says what to do into what is wrong and what to do; do is empty if it does not.
func Advice(err error) (what, do string) {
	var e *explained
	if errors.As(err, &e) {
		return e.what, e.do
	}
	return line(err), ""
}

// explained is an error that says what to do.
type explained struct {
	what, do string // do may be empty
	err      error
}

func (e *explained) Error() string {
	if e.do == "" {
		return e.what
	}
	return e.what + "; " + e.do
}
func (e *explained) Unwrap() error { return e.err }

// line is the text of an error on one line.
func line(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
