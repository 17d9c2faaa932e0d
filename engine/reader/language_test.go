package reader

import (
	"os"
	"strings"
	"testing"

	"github.com/somnograph/somnograph/engine/reader/lexicon"
)

func TestEnglish(t *testing.T) {
	for _, text := range []string{"log level: debug", "I live in Oslo.", "theme = dark", "Use tabs", "My dog is called Biscuit, I hate olives", "port 8080", "I moved to Bergen", "Owner of billing: Omar",
		"PR 12 is merged", "Standup: 9:30", "The parcel from Göteborg was delivered", "Deploys go to eu-west-1", "sync worker OOM on node 3", "Ticket 12"} {
		if ok, _ := English(text); !ok {
			t.Errorf("%q is not recognised as English", text)
		}
	}
	for _, text := range []string{"Ich wohne in Oslo.", "Ich bin nach Bergen gezogen", "Mijn hond heet Rufus", "Ik ben verhuisd naar Utrecht", "J'habite à Lyon", "Mon chien s'appelle Rex", "Vivo en Madrid",
		"Mi perro se llama Luna", "Jeg bor i Oslo", "Katten min heter Pus", "Jag har flyttat till Malmö", "Ben İzmir'de oturuyorum", "Toplantı saat onda", "Asun Helsingissä", "Koirani nimi on Musti",
		"Mieszkam w Krakowie", "Mój pies nazywa się Burek", "Abito a Torino", "Moro em Lisboa", "Bydlím v Praze", "我住在北京"} {
		if ok, c := English(text); ok {
			t.Errorf("%q is recognised as English with certainty %.2f", text, c)
		}
	}
}

// TestEnglishWithNames takes short English sentences about people with names of other languages as English, and no
// sentence of another language but those that are marked.
func TestEnglishWithNames(t *testing.T) {
	for _, name := range []string{"names_english.txt", "names_foreign.txt"} {
		file, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for text := range lexicon.Lines(string(file)) {
			text, doubtful := strings.CutPrefix(text, "? ")
			if ok, c := English(text); ok != (doubtful || name == "names_english.txt") {
				t.Errorf("%s: English(%q) = %v with certainty %.2f", name, text, ok, c)
			}
		}
	}
	for _, text := range []string{"Ole is eleven.", "Un Jin is my doctor."} {
		if ok, c := English(text); !ok || c < surelyEnglish {
			t.Errorf("English(%q) = %v with certainty %.2f", text, ok, c)
		}
	}
}
