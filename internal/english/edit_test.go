package english

import "testing"

func TestApply(t *testing.T) {
	out, ok := Apply("I will start at Siemens on Monday.", []Edit{{24, 33, ""}, {2, 12, "start"}})
	if !ok || out != "I start at Siemens ." {
		t.Errorf("%q, %v", out, ok)
	}
	if out, ok := Apply("abc", []Edit{{0, 2, "x"}, {1, 3, "y"}}); ok {
		t.Errorf("overlapping edits gave %q", out)
	}
	if out, ok := Apply(" abc ", nil); !ok || out != "abc" {
		t.Errorf("without edits: %q, %v", out, ok)
	}
}
