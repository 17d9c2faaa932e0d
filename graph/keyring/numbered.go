package keyring

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/somnograph/somnograph/graph"
)

// NumberSize is the size of the number of a key, which comes before what the key sealed.
const NumberSize = 8

// RenewOdds is how many texts a data key seals on average until it is replaced. That it seals 2³⁰, a
// quarter of what NIST SP 800-38D allows with random nonces, has the probability e⁻⁶⁴.
const RenewOdds = 1 << 24

// ErrUnopened is the error for what SealNumbered sealed and its key does not open. A damaged file of keys is another error.
var ErrUnopened = fmt.Errorf("%w: a sealed text can't be opened", graph.ErrIntegrity)

// SealNumbered seals a text under the key with a number, and puts the number before it. For 0, and for a
// key that was destroyed, as that of a record of a copy that was put back, it takes a new one. It returns the
// number of the key that it used.
func (r *Ring) SealNumbered(text, additional []byte, number uint64) (sealed []byte, used uint64, err error) {
	var with Key
	if number == 0 {
		with, err = r.Next()
	} else {
		with, err = r.Key(number)
	}
	if errors.Is(err, ErrDestroyed) {
		with, err = r.Next()
	}
	if err != nil {
		return nil, 0, err
	}
	b := make([]byte, NumberSize, NumberSize+len(text)+Overhead)
	binary.BigEndian.PutUint64(b, with.Number)
	sealed, err = with.Seal(b, text, additional)
	return sealed, with.Number, err
}

// OpenNumbered opens what SealNumbered sealed. The error is ErrDestroyed for a key that was destroyed, and ErrUnopened if
// text, key and additional data do not belong together.
func (r *Ring) OpenNumbered(sealed, additional []byte) ([]byte, error) {
	number, ok := NumberOf(sealed)
	if !ok {
		return nil, ErrUnopened
	}
	once, err := r.Key(number)
	if err != nil {
		return nil, err
	}
	text, err := once.Open(make([]byte, 0, len(sealed)), sealed[NumberSize:], additional)
	if err != nil {
		return nil, ErrUnopened
	}
	return text, nil
}

// NumberOf is the number of the key of a sealed text, or of its beginning; ok is false if it is too short.
func NumberOf(sealed []byte) (number uint64, ok bool) {
	if len(sealed) < NumberSize {
		return 0, false
	}
	return binary.BigEndian.Uint64(sealed), true
}

// Renews reports whether the next version of a record with a key gets another one: the keys are being replaced, or,
// at the odds, it is time for this one.
func (r *Ring) Renews(number uint64, odds uint32) bool {
	return number < r.Renewing() || rand.Uint32N(odds) == 0
}
