package reader

import "testing"

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
