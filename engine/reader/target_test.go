package reader

import (
	"testing"
	"time"
)

// A change of a thing states what it is then; who hands a thing over no longer owns it.
func TestChangesStateWhatTheyBringAThingTo(t *testing.T) {
	at := time.Date(2026, 6, 1, 10, 0, 0, 0, time.UTC)
	for text, want := range map[string]string{
		"We moved CI to GitHub Actions.":                          "CI | moved to | GitHub Actions",
		"We're moving the builds to GitHub Actions in July.":      "builds | moves to | GitHub Actions",
		"We moved the standup to 10.":                             "standup | moved to | 10",
		"We've migrated the payments from Stripe to Adyen.":       "payments | migrated to | Adyen",
		"We upgraded the server to 64 GB.":                        "server | upgraded to | 64 GB",
		"We raised the rent to 950.":                              "rent | is | 950",
		"The meeting was pushed to Friday.":                       "meeting | is planned for | Friday",
		"We moved the launch to 10 March.":                        "launch | is planned for | 10 March",
		"Marek hands over the auth service to Lin on 1 February.": "auth service | is owned by | Lin",
		"I handed the billing over to Priya.":                     "billing | is owned by | Priya",
		"I transferred the domain to Lin.":                        "domain | is owned by | Lin",
		// Nothing is brought to anything.
		"I moved to Bergen.":              "ana | lives in | Bergen",
		"I changed my name to Bo.":        "ana | is called | Bo",
		"I started a course to learn Go.": "ana | started | course",
		"I gave my bike to Tom.":          "ana | gave | my bike",
		"Move the backups to S3.":         " | move | backups",
	} {
		claims := Read(text, Hints{Speaker: "ana", At: at})
		if len(claims) != 1 {
			t.Errorf("%s: %+v", text, claims)
			continue
		}
		if got := claims[0].Subject + " | " + claims[0].Predicate + " | " + claims[0].Object; got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
