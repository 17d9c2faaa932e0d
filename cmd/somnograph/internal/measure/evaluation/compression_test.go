package evaluation

import "testing"

func TestCompressionCountsLongHistories(t *testing.T) {
	all := []Compressed{
		{Context: 300, History: 2000, Keys: 4, Kept: 3, Found: 2},
		{Context: 100, History: 1200, Keys: 1, Kept: 1, Found: 1},
		{Context: 500, History: 100, Keys: 5, Found: 2},
		{Context: 900, Keys: 0},
	}
	if contexts, histories, n := CompressionOf(all, longHistory); contexts != 200 || histories != 1600 || n != 2 {
		t.Errorf("long histories: %v and %v tokens, %d", contexts, histories, n)
	}
	if contexts, histories, n := CompressionOf(all, 1); contexts != 300 || histories != 1100 || n != 3 {
		t.Errorf("all histories: %v and %v tokens, %d", contexts, histories, n)
	}
	if contexts, _, n := CompressionOf(nil, 1); contexts != 0 || n != 0 {
		t.Errorf("without questions: %v tokens, %d", contexts, n)
	}
	if kept, found, keys := KeysKept(all); kept != 0.4 || found != 0.5 || keys != 10 {
		t.Errorf("kept %v, found %v of %d", kept, found, keys)
	}
}
