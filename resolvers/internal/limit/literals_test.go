package limit

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
)

// Half of a surrogate pair in a string is refused, with its place. What is no escape is not.
func TestHalfOfASurrogatePairInAString(t *testing.T) {
	for document, want := range map[string]gqlerror.Location{
		`{ a(b: "\ud800") }`:                                {Line: 1, Column: 9},
		"{\n  é: a(b: \"ë \\ude00\") }":                     {Line: 2, Column: 14},
		"{\r\n a(b: \"x\")\r c(b: \"\\ud83d \\ude00\") }":   {Line: 3, Column: 8},
		`{ a(b: "\ud83d\ude00", c: "\uD83D\uDE00\uDE00") }`: {Line: 1, Column: 40},
		`{ a(b: "", c: "\"\ud800") }`:                       {Line: 1, Column: 18},
		`{ a(b: """\""" \ud800""", c: "\ud800") }`:          {Line: 1, Column: 31},
		`{ a(b: """x""""", c: "\ud800") }`:                  {Line: 1, Column: 23},
		"# \"\n{ a(b: \"\\ud800\") }":                       {Line: 2, Column: 9},
		`query($b: String = "\ud800") { a(b: $b) }`:         {Line: 1, Column: 21},
	} {
		e := guard().MutateOperationParameters(t.Context(), &graphql.RawParams{Query: document})
		if code(e) != "INVALID_REQUEST" || !slices.Equal(e.Locations, []gqlerror.Location{want}) ||
			!strings.Contains(e.Message, fmt.Sprintf("half of a surrogate pair at line %d, column %d: a character beyond U+FFFF is two escapes", want.Line, want.Column)) {
			t.Errorf("%s: %+v, want %+v", document, e, want)
		}
	}
	for _, document := range []string{
		`{ a(b: "\ud83d\ude00 \u00e9 \u{1f600}") }`, `{ a(b: "\\ud800") }`, "{ a # \\ud800 \"\\ud800\n }", `{ a(b: """\ud800""") }`, `{ a(b: """ \""" "\ud800" """) }`,
	} {
		if e := guard().MutateOperationParameters(t.Context(), &graphql.RawParams{Query: document}); e != nil {
			t.Errorf("%s: %v", document, e)
		}
	}
}

// Every document is refused in whose strings the lexer would replace half of a surrogate pair, and no other.
func FuzzLiterals(f *testing.F) {
	for _, document := range []string{`{ a(b: "\ud800") }`, `{ a(b: "\ud83d\ude00") }`, `{ a(b: """\ud800""") } # "`, `{ a(b: "", c: "\\\ude00") }`} {
		f.Add(document)
	}
	f.Fuzz(func(t *testing.T, document string) {
		if strings.Contains(document, "\ufffd") || strings.ToValidUTF8(document, "") != document || strings.Contains(strings.ToLower(document), "fffd") {
			return
		}
		doc, err := parser.ParseQuery(&ast.Source{Input: document})
		if err != nil {
			return
		}
		if replaced, refused := anyReplaced(doc), checkLiterals(document) != nil; replaced != refused {
			t.Errorf("%q: replaced %t, refused %t", document, replaced, refused)
		}
	})
}

// anyReplaced reports whether an argument of a root field has the replacement character.
func anyReplaced(doc *ast.QueryDocument) (found bool) {
	var look func(v *ast.Value)
	look = func(v *ast.Value) {
		if v == nil {
			return
		}
		found = found || strings.Contains(v.Raw, "\ufffd")
		for _, c := range v.Children {
			look(c.Value)
		}
	}
	var walk func(all ast.SelectionSet)
	walk = func(all ast.SelectionSet) {
		for _, s := range all {
			switch s := s.(type) {
			case *ast.Field:
				for _, a := range s.Arguments {
					look(a.Value)
				}
				directives(s.Directives, look)
				walk(s.SelectionSet)
			case *ast.InlineFragment:
				directives(s.Directives, look)
				walk(s.SelectionSet)
			case *ast.FragmentSpread:
				directives(s.Directives, look)
			}
		}
	}
	for _, op := range doc.Operations {
		for _, v := range op.VariableDefinitions {
			look(v.DefaultValue)
			directives(v.Directives, look)
		}
		directives(op.Directives, look)
		walk(op.SelectionSet)
	}
	for _, fragment := range doc.Fragments {
		directives(fragment.Directives, look)
		walk(fragment.SelectionSet)
	}
	return found
}

func directives(all ast.DirectiveList, look func(*ast.Value)) {
	for _, d := range all {
		for _, a := range d.Arguments {
			look(a.Value)
		}
	}
}
