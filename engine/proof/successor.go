package proof

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
)

// successorSuffix ends the first line of a note that names the successor of a key.
const successorSuffix = "/successor"

// Successor is what a key says of the key that comes after it.
type Successor struct {
	Former, Next string // public keys
	At           time.Time
}

// Succeed signs that another key comes after k.
func (k *Key) Succeed(next *Key, at time.Time) (string, error) {
	return k.sign(Successor{k.vkey, next.vkey, at}.text(k.name))
}

func (s Successor) text(name string) string {
	return fmt.Sprintf("%s%s\n%s\n%s\n%s\n", name, successorSuffix, s.Former, s.Next, s.At.UTC().Format(time.RFC3339Nano))
}

// errSuccessor is returned for a note that is not what Succeed signed.
var errSuccessor = errors.New("a statement about the successor of a key can't be read, or was changed")

// ReadSuccessor checks that the former key signed a statement, and reads it. Whether the former key is to
// be trusted is for the caller to say.
func ReadSuccessor(signed string) (s Successor, err error) {
	lines := strings.Split(signed, "\n")
	if len(lines) < 5 {
		return s, errSuccessor
	}
	verifier, err := note.NewVerifier(lines[1])
	if err != nil {
		return s, errSuccessor
	}
	n, err := note.Open([]byte(signed), note.VerifierList(verifier))
	if err != nil {
		return s, errSuccessor
	}
	if _, err := note.NewVerifier(lines[2]); err != nil {
		return s, errSuccessor
	}
	s.Former, s.Next = lines[1], lines[2]
	if s.At, err = time.Parse(time.RFC3339Nano, lines[3]); err != nil || s.text(verifier.Name()) != n.Text {
		return s, errSuccessor
	}
	return s, nil
}
