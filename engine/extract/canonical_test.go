package extract

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ name, want string }{
		{"Ana", "ana"}, {"  Ana   Silva ", "ana silva"}, {"Ana's", "ana"}, {"Ana’s dog", "ana dog"}, {"the boys' room", "boys room"},
		{"Zoë Müller", "zoe muller"}, {"ÅNGSTRÖM", "angstrom"}, {"Straße", "strasse"}, {"ﬁle", "file"}, {"Ｆｕｌｌ", "full"},
		{"O'Brien", "obrien"}, {"The Kite Shed", "kite shed"}, {"A", "a"}, {"the", "the"}, {"An Apple", "apple"},
		{"C++", "c++"}, {"C#", "c#"}, {"C", "c"}, {"# heading", "heading"}, {"1 + 1", "1 1"},
		{"config.yaml", "config yaml"}, {"e-mail", "e mail"}, {"AT&T", "at t"}, {"U.S.", "u s"}, {"--", ""}, {"", ""}, {"’s", ""}, {"The A Team", "team"}, {"the the", "the"},
		{"東京", "東京"}, {"Москва", "москва"}, {"İstanbul", "istanbul"}, {"\xff\xfe", ""},
	} {
		if got := Canonical(c.name); got != c.want {
			t.Errorf("%q: %q, want %q", c.name, got, c.want)
		}
	}
}

// Canonical of a canonical name is the same name. Case and punctuation around a name make no
// difference, and the result holds nothing but letters, digits, single spaces, + and #.
func TestCanonicalIsANormalForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.String(), rapid.StringMatching(`(the |a )?[A-Za-zé'’+#. -]{0,20}('s)?`)).Draw(t, "name")
		c := Canonical(name)
		if again := Canonical(c); again != c {
			t.Fatalf("%q: %q, and again %q", name, c, again)
		}
		if strings.Contains(c, "  ") || strings.TrimSpace(c) != c {
			t.Fatalf("%q: spaces in %q", name, c)
		}
		for _, r := range c {
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ' ' && r != '+' && r != '#' && !unicode.Is(unicode.M, r) {
				t.Fatalf("%q: %q in %q", name, r, c)
			}
		}
		if padded := Canonical(" «" + name + "»!"); padded != c && !strings.ContainsAny(name, "'’") {
			t.Fatalf("%q: %q, padded %q", name, c, padded)
		}
	})
}

func TestCanonicalIgnoresCase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.StringMatching(`[A-Za-zäöüéñ0-9 ]{0,30}`).Draw(t, "name")
		if up, low := Canonical(strings.ToUpper(name)), Canonical(strings.ToLower(name)); up != low {
			t.Fatalf("%q: %q and %q", name, up, low)
		}
	})
}
