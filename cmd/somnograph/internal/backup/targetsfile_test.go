package backup_test

import (
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/engine/enginetest"
)

// A round with a damaged file of targets names the file, what is wrong and what to do; without the file it goes on.
func TestDamagedFileOfTargets(t *testing.T) {
	data, to := t.TempDir(), t.TempDir()
	file := filepath.Join(data, "backup-targets.json")
	w := enginetest.With(t, enginetest.Options{})
	secrets := newSecrets()
	round := func() error {
		maker := &backup.Maker{Store: w.Store, ID: storeID, Secrets: secrets, Now: w.Clock.Now, Random: rand.Reader}
		target := must[backup.Target](t)(backup.Directory(to, true))
		_, err := backup.NewRunner(backup.Options{Source: maker, Target: target, Dir: data, Now: w.Clock.Now}).Once(t.Context(), false)
		return err
	}
	if err := round(); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"": " is empty", " \n": " is empty", `{"a":"b"`: " is damaged (unexpected end", `{"a":1}`: " is damaged (json", "null": " is damaged"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		err := round()
		if err == nil || !strings.Contains(err.Error(), file+want) || !strings.Contains(err.Error(), "remove the file; the next round writes it again") {
			t.Errorf("with %q: %v", text, err)
		}
		if what, do := backup.CheckTargets(data); !strings.HasPrefix(what, file+want) || !strings.Contains(do, "remove the file") {
			t.Errorf("the check of %q says %q, %q", text, what, do)
		}
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := round(); err != nil {
		t.Error(err)
	}
	if b, err := os.ReadFile(file); err != nil || !strings.Contains(string(b), to) {
		t.Errorf("the file is %q, %v", b, err)
	}
	if what, _ := backup.CheckTargets(data); what != "" {
		t.Error(what)
	}
}
