package reader

import "testing"

// What is now called otherwise has another name, and no other fact of it ends.
func TestAnotherNameReplacesTheEarlierOne(t *testing.T) {
	for _, x := range [][2]string{
		{"The project is called Orion.", "Orion is now called Pegasus."},
		{"Our app is called Lumi.", "Lumi is now called Brisk."},
		{"My boat is called Seagull.", "Seagull is now called Petrel."},
		{"The team is called Rockets.", "Rockets is now called Comets."},
		{"My company is called Fennel.", "Fennel is now called Thyme."},
		{"Our new service is called Harbor.", "Harbor is now called Quay."},
		{"The newsletter is called Digest.", "Digest is now called Roundup."},
		{"The product is called Atlas.", "Atlas is now called Globe."},
		{"My dog's name is Rex.", "My dog is now called Max."},
		{"My dog's name is Rex.", "Rex is now called Max."},
	} {
		if r := calls(x[0], x[1]); r.Certainty < Revises || r.Kind != Changed {
			t.Errorf("%s => %s: %+v", x[0], x[1], r)
		}
	}
	for _, x := range [][2]string{
		{"The project is called Orion.", "Lyra is now called Pegasus."},
		{"The project is called Orion.", "Orion is now live."},
		{"The project is called Orion.", "Orion was called Pegasus."},
		{"The project is called Orion.", "Orion is now called Pegasus in Japan."},
		{"The project is called Orion.", "Orion's library is now called Pegasus."},
		{"The project is called Orion.", "Orion may be called Pegasus."},
		{"The project is called Orion.", "Orion is not called Pegasus."},
		{"The project is called Orion.", "Is Orion now called Pegasus?"},
		{"The project is called Orion.", "Orion is now called off."},
		{"My dog is called Rex.", "My cat is now called Max."},
		{"Orion uses Postgres.", "Orion is now called Pegasus."},
		{"Orion is due in May.", "Orion is now called Pegasus."},
		{"My mother's name is Ingrid.", "My mother is now called Grandma."},
		{"My son is called Leo.", "Leo is now called Lion by his friends."},
		{"My daughter is called Ida.", "Ida is called Bee by everyone."},
	} {
		if r := calls(x[0], x[1]); r.Certainty >= Revises {
			t.Errorf("%s => %s: %+v", x[0], x[1], r)
		}
	}
}
