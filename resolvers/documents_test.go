package resolvers

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

// example finds request bodies in shell examples: ask '{…}' and -d '{…}'.
var example = regexp.MustCompile(`(?s)(?:ask|-d) '(\{.*?\})'`)

// The examples in the documentation are valid operations of the schema.
func TestExamplesInTheDocumentationAreValid(t *testing.T) {
	sdl, err := os.ReadFile("../schema.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	schema := gqlparser.MustLoadSchema(&ast.Source{Name: "schema.graphqls", Input: string(sdl)})
	for _, path := range []string{"../README.md", "../docs/api.md", "../deploy/README.md"} {
		doc, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		found := example.FindAllSubmatch(doc, -1)
		if len(found) == 0 {
			t.Errorf("%s has no example", path)
		}
		for _, m := range found {
			var body struct{ Query string }
			if err := json.Unmarshal(m[1], &body); err != nil {
				t.Errorf("%s: %v in %s", path, err, m[1])
				continue
			}
			if _, err := gqlparser.LoadQueryWithRules(schema, body.Query, rules.NewDefaultRules()); err != nil {
				t.Errorf("%s: %v in %s", path, err, body.Query)
			}
		}
	}
}
