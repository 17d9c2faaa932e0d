package config

import (
	"os"
	"strings"
	"testing"
)

// docs/configuration.md has a line for every setting. Of settings of one group the
// first is written out and the others by their last part, as in `redis-tls.enabled`, `.ca`.
func TestEverySettingIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../../../docs/configuration.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range declared {
		group, last, _ := strings.Cut(s.key, ".")
		found := strings.Contains(string(doc), "`"+s.key+"`")
		for line := range strings.Lines(string(doc)) {
			if last != "" && strings.Contains(line, "| `"+group+".") && strings.Contains(line, "`."+last+"`") {
				found = true
			}
		}
		if !found {
			t.Errorf("docs/configuration.md does not mention %s", s.key)
		}
	}
}
