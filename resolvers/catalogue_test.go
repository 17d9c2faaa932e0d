package resolvers

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/resolvers/internal/gql"
)

// docs/guide/errors.md has every code of the API, with a cause and a remedy, and no other code.
func TestCatalogueOfErrors(t *testing.T) {
	page, err := os.ReadFile("../docs/guide/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(page), "\n## Codes\n")
	if !found {
		t.Fatal("the page has no section Codes")
	}
	section, _, _ = strings.Cut(section, "\n## ")
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^\| ([A-Z_]+) \| ([^|]+) \| ([^|]+) \| (no|yes|later|once) \|$`).FindAllStringSubmatch(section, -1) {
		if len(m[2]) < 20 || len(m[3]) < 15 {
			t.Errorf("%s: cause %q, remedy %q", m[1], m[2], m[3])
		}
		listed = append(listed, m[1])
	}
	var codes []string
	for _, code := range gql.AllErrorCode {
		codes = append(codes, string(code))
	}
	slices.Sort(listed)
	slices.Sort(codes)
	if !slices.Equal(listed, codes) {
		t.Errorf("the page lists\n%v, the schema\n%v", listed, codes)
	}
}
