package keyring

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/somnograph/somnograph/graph"
)

// secretsName is the directory of the named secrets. The names of tenants are hashes.
const secretsName = "secrets"

// maxSecretName is the longest name of a secret, in bytes.
const maxSecretName = 64

// Secret returns the secret with a name, such as the key of a chain or of signatures. A missing
// one is graph.ErrNotFound. A damaged one, and one that another name or master key seals, is
// graph.ErrIntegrity.
func (k *Keyring) Secret(name string) ([]byte, error) {
	path, err := k.secretPath(name)
	if err != nil {
		return nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	secret, err := k.master.read(path, joined("secret", name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("keyring: secret %s: %w", name, graph.ErrNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("keyring: secret %s: %w", name, err)
	}
	return secret, nil
}

// PutSecret replaces the secret with a name, durably and as a whole; without content it removes
// it. The bytes of the former secret are overwritten. Names are of a to z, 0 to 9 and hyphens, 64
// at most.
func (k *Keyring) PutSecret(name string, content []byte) error {
	path, err := k.secretPath(name)
	if err != nil {
		return err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(content) == 0 {
		err = removeFile(path)
	} else {
		err = k.writeSecret(path, name, content)
	}
	if err != nil {
		return fmt.Errorf("keyring: secret %s: %w", name, err)
	}
	return nil
}

// writeSecret seals a secret into its file.
func (k *Keyring) writeSecret(path, name string, content []byte) error {
	dir := filepath.Dir(path)
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := errors.Join(os.Mkdir(dir, 0o700), syncDir(k.dir)); err != nil {
			return err
		}
	}
	return k.master.write(path, content, joined("secret", name), true)
}

// secretPath is the file of a secret.
func (k *Keyring) secretPath(name string) (string, error) {
	valid := name != "" && len(name) <= maxSecretName
	for _, c := range []byte(name) {
		valid = valid && (c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-')
	}
	if !valid {
		return "", fmt.Errorf("keyring: %q is no name of a secret: use a to z, 0 to 9 and hyphens, at most %d", name, maxSecretName)
	}
	return filepath.Join(k.dir, secretsName, name), nil
}

// SecretOrNew returns the secret with a name, or makes one of KeySize random bytes.
func (k *Keyring) SecretOrNew(name string) ([]byte, error) {
	secret, err := k.Secret(name)
	if !errors.Is(err, graph.ErrNotFound) {
		return secret, err
	}
	if secret, err = newKey(k.random); err != nil {
		return nil, fmt.Errorf("keyring: secret %s: %w", name, err)
	}
	return secret, k.PutSecret(name, secret)
}
