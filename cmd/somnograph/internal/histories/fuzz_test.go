package histories

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// FuzzFormats reads any bytes as any format: no panic, no item without a text or with bytes that the
// API refuses, and no content in a reason.
func FuzzFormats(f *testing.F) {
	for i, name := range Formats() {
		err := filepath.WalkDir(filepath.Join("testdata", name), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			raw, err := os.ReadFile(path)
			f.Add(i, raw)
			return err
		})
		if err != nil {
			f.Fatal(err)
		}
	}
	for _, text := range []string{"", "[", "[]", "{}", "[{}]", `[{"mapping":{}}]`, `{"a":1}`, "[1,2", `["\`, "[nul", "{\"results\":[{}]}", "[[[[", "]"} {
		f.Add(0, []byte(text))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, which int, raw []byte) {
		formats := Formats()
		name := formats[uint(which)%uint(len(formats))]
		base := map[string]string{"slack": "2025-01-01.json", "claude-code": "a.jsonl", "codex": "a.jsonl", "mem0": "a.json", "zep": "a.json", "rules": "CLAUDE.md"}[name]
		if base == "" {
			base = "conversations.json"
		}
		path := filepath.Join(dir, base)
		if err := os.WriteFile(path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		s := open(t, path)
		Detect(s)
		r := read(t, name, s, Options{Me: "ines"})
		for _, i := range r.items {
			text := ""
			if i.Turn != nil {
				if text = i.Turn.Text; text == "" && len(i.Turn.Calls) > 0 {
					text = "calls"
				}
				for _, c := range i.Turn.Calls {
					if c.Arguments != nil && !json.Valid(c.Arguments) || !utf8.ValidString(c.Result) || c.Name == "" {
						t.Errorf("call %+v", c)
					}
				}
			} else {
				text = i.Memory.Text
			}
			if strings.TrimSpace(text) == "" || !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
				t.Errorf("%s: the text %q", i.Where, text)
			}
		}
		for _, bad := range r.bad {
			if len(bad) > 300 || !utf8.ValidString(bad) {
				t.Errorf("reason %q", bad)
			}
		}
	})
}

// Elements of any JSON come out as they are, whatever stands between them.
func TestElementsOfAnyArray(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(anyJSON(3), 0, 6).Draw(t, "values")
		space := rapid.SampledFrom([]string{"", " ", "\n\t", "\r\n "}).Draw(t, "space")
		var parts []string
		for _, v := range values {
			parts = append(parts, string(v))
		}
		array := space + "[" + space + strings.Join(parts, space+","+space) + space + "]"
		for _, text := range []string{array, fmt.Sprintf(`{"first":%s,"list":%s,"n" : 1.5}`, `{"a":"]"}`, array)} {
			var got []string
			err := elements(strings.NewReader(text), func(_ string, i int, raw []byte, err error) error {
				if i != len(got) || err != nil {
					t.Fatalf("element %d: %v", i, err)
				}
				got = append(got, string(raw))
				return nil
			}, func(string, []byte) error { return nil })
			if err != nil || strings.Join(got, "\x00") != strings.Join(parts, "\x00") {
				t.Fatalf("%s: %q, %v", text, got, err)
			}
		}
	})
}

// anyJSON generates JSON values of limited depth.
func anyJSON(depth int) *rapid.Generator[json.RawMessage] {
	return rapid.Custom(func(t *rapid.T) json.RawMessage {
		kind := rapid.IntRange(0, 6).Draw(t, "kind")
		if depth == 0 {
			kind %= 4
		}
		var v any
		switch kind {
		case 0:
			v = rapid.String().Draw(t, "string")
		case 1:
			v = rapid.Int().Draw(t, "number")
		case 2:
			v = nil
		case 3:
			v = `\"[{` + rapid.String().Draw(t, "string")
		case 4:
			v = rapid.SliceOfN(anyJSON(depth-1), 0, 3).Draw(t, "list")
		default:
			v = rapid.MapOfN(rapid.String(), anyJSON(depth-1), 0, 3).Draw(t, "map")
		}
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	})
}
