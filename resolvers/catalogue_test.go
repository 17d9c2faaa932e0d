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

// The section on errors of clients has the codes that the clients give by themselves, under the same names in each.
func TestCatalogueOfErrorsOfClients(t *testing.T) {
	page, err := os.ReadFile("../docs/guide/errors.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n## Errors of clients\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var listed []string
	for _, m := range regexp.MustCompile(`(?m)^\| ([A-Z_]+) \|`).FindAllStringSubmatch(section, -1) {
		listed = append(listed, m[1])
	}
	slices.Sort(listed)
	own := regexp.MustCompile(`(?:SomnographError\(|code = |Code: |return |case errors[^\n]*\n\t\treturn )['"]([A-Z]+)['"]`)
	for client, c := range map[string]struct {
		files   []string
		missing string // what the language has a form of its own for
	}{
		"TypeScript": {[]string{"../clients/typescript/src/transport.ts", "../clients/typescript/src/memory.ts"}, ""},
		"Python":     {[]string{"../clients/python/src/somnograph/_client_async.py", "../clients/python/src/somnograph/_protocol.py"}, "ABORTED"},
		"Go":         {[]string{"../client/client.go"}, ""},
	} {
		var codes []string
		for _, file := range c.files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range own.FindAllStringSubmatch(string(text), -1) {
				if code := m[1]; !gql.ErrorCode(code).IsValid() && !slices.Contains(codes, code) {
					codes = append(codes, code)
				}
			}
		}
		if c.missing != "" {
			codes = append(codes, c.missing)
		}
		slices.Sort(codes)
		if !slices.Equal(codes, listed) {
			t.Errorf("%s has %v, the page lists %v", client, codes, listed)
		}
	}
}
