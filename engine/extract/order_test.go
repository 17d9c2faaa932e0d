package extract

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSameOrder(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Never copy data from staging to production.", "Never copy data from production to staging.", false},
		{"Copy data from staging to production.", "Copy the data from production to staging.", false},
		{"We migrate from Oracle to Postgres.", "We migrate from Postgres to Oracle.", false},
		{"The train from Utrecht to Ghent takes two hours.", "The train from Ghent to Utrecht takes two hours.", false},
		{"Never copy data from staging to production.", "Never ever copy any data out of production to staging.", false},
		{"If Kim calls before noon, ring Lars.", "If Kim calls, ring Lars before noon.", false},
		{"The man with the dog bit the boy.", "The man bit the boy with the dog.", false},
		{"Kim called Bas and Noor left.", "Kim called Noor and Bas left.", false},
		{"The key is kept by Mara.", "Mara is kept by the key.", false},
		{"Kim pays Lars.", "Kim is paid by Lars.", false},
		{"Stop the pump. Open the valve.", "Open the valve. Stop the pump.", false},
		{"All cats are animals.", "All animals are cats.", false},

		{"On Monday we meet.", "We meet on Monday.", true},
		{"On Monday, we meet.", "We meet on Monday.", true},
		{"Bas and Noor play chess.", "Noor and Bas play chess.", true},
		{"We invited Ana, Bas and Noor.", "We invited Noor, Ana and Bas.", true},
		{"Copy data from staging to production.", "Copy data to production from staging.", true},
		{"We meet on Monday at noon.", "We meet at noon on Monday.", true},
		{"If it rains, we stay inside.", "We stay inside if it rains.", true},
		{"My boss is Ana.", "Ana is my boss.", true},
		{"Mara keeps the key under the pot.", "The key is kept under the pot by Mara.", true},
		{"We have two dogs.", "We have 2 dogs.", true},
		{"The course starts in May in Leiden.", "The course starts in Leiden in May.", true},
		{"Ines likes strong tea.", "Ines likes tea that is strong.", true},
		{"", "", true},
	} {
		if got := SameOrder(c.a, c.b); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
		if got := SameOrder(c.b, c.a); got != c.want {
			t.Errorf("%q and %q, the other way: %v", c.b, c.a, got)
		}
	}
}

// Pairs that were written after the rule: reversed ones, and the same statement in another order.
func TestSameFactsInOtherOrders(t *testing.T) {
	reversed := [][2]string{
		{"Forward invoices from Petra to Joost.", "Forward invoices from Joost to Petra."},
		{"The blue cable feeds the red cable.", "The red cable feeds the blue cable."},
		{"Always translate Dutch into German first.", "Always translate German into Dutch first."},
		{"Replace the valve before the filter.", "Replace the filter before the valve."},
		{"Nina lent her bike to Omar.", "Omar lent her bike to Nina."},
		{"Prefer tabs over spaces in Go files.", "Prefer spaces over tabs in Go files."},
		{"The bus leaves Arnhem for Nijmegen at 9.", "The bus leaves Nijmegen for Arnhem at 9."},
		{"Billing depends on the auth service.", "The auth service depends on billing."},
		{"Sync the laptop with the server, not the server with the laptop.", "Sync the server with the laptop, not the laptop with the server."},
		{"When the alarm rings, the door locks.", "When the door locks, the alarm rings."},
	}
	same := [][2]string{
		{"In winter the shop closes at five.", "The shop closes at five in winter."},
		{"Every Friday the team eats pizza.", "The team eats pizza every Friday."},
		{"We buy milk and bread at the market.", "We buy bread and milk at the market."},
		{"Kim and Lars share a desk.", "Lars and Kim share a desk."},
		{"After lunch, Tess walks the dog.", "Tess walks the dog after lunch."},
		{"The capital of Peru is Lima.", "Lima is the capital of Peru."},
		{"The ferry sails from Texel to Den Helder.", "The ferry sails to Den Helder from Texel."},
		{"Tomorrow the plumber comes.", "The plumber comes tomorrow."},
		{"The course starts in May in Leiden.", "The course starts in Leiden in May."},
		{"If the build fails, ask Ruth.", "Ask Ruth if the build fails."},
	}
	for _, p := range reversed {
		if SameFacts(p[0], p[1]) || SameFacts(p[1], p[0]) {
			t.Errorf("%q and %q are taken as one", p[0], p[1])
		}
	}
	for _, p := range same {
		if !SameFacts(p[0], p[1]) || !SameFacts(p[1], p[0]) {
			t.Errorf("%q and %q are taken as two", p[0], p[1])
		}
	}
}

// Any two texts are compared, whatever forms their words have.
func TestSameOrderOfAnyTexts(t *testing.T) {
	words := rapid.SampledFrom(strings.Fields("is are was be been being am 's isn't were do does did not we We the a my Ana Bas and or on Monday in Ghent to from tea strong that which , ; . by made make paid 3 three May may"))
	text := rapid.Custom(func(t *rapid.T) string { return strings.Join(rapid.SliceOfN(words, 1, 10).Draw(t, "words"), " ") })
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		SameOrder(a, b)
		if !SameOrder(a, a) {
			t.Errorf("%q has another order than itself", a)
		}
	})
}
