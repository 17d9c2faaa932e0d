package cluster

import (
	"slices"
	"testing"
)

func TestEachStatementCountsOnce(t *testing.T) {
	page := Text{"Skylark, October 2026\nChanges:\n- The server stands in the shed, with a lock on it. (9 October)\n- The backup goes to the institute every night. (9 October)", true}
	shed, backup := Text{Content: "The server stands in the shed, with a lock on it."}, Text{Content: "The backup goes to the institute every night, says Wren."}
	for _, c := range []struct {
		what       string
		texts      []Text
		want       []string
		unrepeated []string // nil: the same
	}{
		{"a page of what others say", []Text{page, shed, backup}, []string{"", shed.Content, backup.Content}, nil},
		{"a page with a point of its own", []Text{shed, page}, []string{shed.Content, "The backup goes to the institute every night."}, nil},
		{
			"a page that outlives its sources", []Text{page},
			[]string{"The server stands in the shed, with a lock on it.\nThe backup goes to the institute every night."}, nil,
		},
		{
			"a fold and an occurrence", []Text{{"The shed, 8 times from 11 to 20 November: all three winches are dry, the batteries of Plover are at 91, 88 and 94 percent.", true}, {Content: "Evening at the shed: all three winches are dry, the batteries of Plover are at 91 percent."}},
			[]string{"", "Evening at the shed: all three winches are dry, the batteries of Plover are at 91 percent."}, nil,
		},
		{
			"equal texts", []Text{shed, {Content: "the server  stands in the shed, with a lock on it."}, backup},
			[]string{shed.Content, "", backup.Content}, []string{shed.Content, "the server  stands in the shed, with a lock on it.", backup.Content},
		},
		{"hardly anything but equal texts", []Text{shed, shed, shed, backup, shed}, []string{shed.Content, shed.Content, shed.Content, backup.Content, shed.Content}, nil},
		{"sentences of originals stay", []Text{shed, {Content: shed.Content + " " + backup.Content}}, []string{shed.Content, shed.Content + " " + backup.Content}, nil},
		{"two pages", []Text{page, page}, []string{"The server stands in the shed, with a lock on it.\nThe backup goes to the institute every night.", ""}, nil},
		{"letters that are none", []Text{{"\xff. \xff", true}, {Content: "\xff"}}, []string{"", "\xff"}, nil},
		{"nothing", nil, []string{}, nil},
	} {
		if got := Statements(c.texts); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
		if c.unrepeated == nil {
			c.unrepeated = c.want
		}
		if got := Unrepeated(c.texts); !slices.Equal(got, c.unrepeated) {
			t.Errorf("%s, each text: %q, want %q", c.what, got, c.unrepeated)
		}
	}
}
