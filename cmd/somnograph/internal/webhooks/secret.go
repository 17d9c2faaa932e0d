package webhooks

import (
	"encoding/base64"
	"errors"
	"strings"
)

// secretPrefix begins the text of a secret in Standard Webhooks.
const secretPrefix = "whsec_"

// decodeSecret returns the key of a secret: base64 after the prefix, or the text itself.
func decodeSecret(secret string) ([]byte, error) {
	text, encoded := strings.CutPrefix(secret, secretPrefix)
	if !encoded {
		return []byte(secret), nil
	}
	key, err := base64.StdEncoding.DecodeString(text)
	if err != nil || len(key) == 0 {
		return nil, errors.New("the secret must be base64 after whsec_")
	}
	return key, nil
}
