package graph

import (
	"bytes"
	"crypto/rand"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestNewIDCarriesItsInstant(t *testing.T) {
	at := time.Date(2026, 2, 19, 12, 34, 56, 789e6, time.UTC)
	id, err := NewID(at, bytes.NewReader(bytes.Repeat([]byte{0xff}, 10)))
	if err != nil {
		t.Fatal(err)
	}
	// 0x019c75e57095 is 1771504496789, the instant in Unix milliseconds.
	if want := ID("019c75e5-7095-7fff-bfff-ffffffffffff"); id != want {
		t.Fatalf("id = %s, want %s", id, want)
	}
}

func TestNewIDRefuses(t *testing.T) {
	if _, err := NewID(time.UnixMilli(-1), rand.Reader); err == nil {
		t.Error("an instant before 1970 made an id")
	}
	if _, err := NewID(time.UnixMilli(0), strings.NewReader("short")); err == nil {
		t.Error("too few random bytes made an id")
	}
}

func TestIDBytesRoundTrip(t *testing.T) {
	for range 100 {
		var b [16]byte
		if _, err := rand.Read(b[:]); err != nil {
			t.Fatal(err)
		}
		got, err := IDFromBytes(b).Bytes()
		if err != nil || got != b {
			t.Fatalf("%x came back as %x, %v", b, got, err)
		}
	}
}

func TestIDBytesRefusesOtherText(t *testing.T) {
	for _, bad := range []ID{"", "x", "019C75DB-1715-7fff-bfff-ffffffffffff", "019c75db17157fffbfffffffffffffff", "019c75db-1715-7fff-bfff-fffffffffff", "019c75db-1715-7fff-bfff-ffffffffffffg", "019c75db-1715-7fff-bfff-fffffffffffg", "019c75db_1715_7fff_bfff_ffffffffffff"} {
		if bad.Valid() {
			t.Errorf("%q passes for an id", bad)
		}
	}
}

func TestIDSourceAscends(t *testing.T) {
	s := NewIDSource(rand.Reader)
	at := time.UnixMilli(1771504496789)
	var ids []ID
	for i := range 10_000 {
		// The clock stands still, goes back and jumps ahead.
		now := at
		switch i % 1000 {
		case 500:
			now = at.Add(-time.Hour)
		case 999:
			at = at.Add(time.Second)
		}
		id, err := s.New(now)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if !slices.IsSorted(ids) {
		t.Error("ids do not ascend in the order in which they were made")
	}
	if n := len(slices.Compact(ids)); n != 10_000 {
		t.Errorf("%d different ids, want 10000", n)
	}
	for _, id := range ids[:10] {
		b, err := id.Bytes()
		if err != nil || b[6]>>4 != 7 || b[8]>>6 != 2 {
			t.Fatalf("%s is not a UUIDv7: %v", id, err)
		}
	}
}

func TestIDSourceFailsWithItsRandomness(t *testing.T) {
	s := NewIDSource(strings.NewReader(""))
	if _, err := s.New(time.UnixMilli(1)); err == nil {
		t.Error("no random bytes made an id")
	}
}

func TestMillis(t *testing.T) {
	if !Millis(time.Time{}).IsZero() {
		t.Error("the zero stamp became an instant")
	}
	zone := time.FixedZone("east", 2*60*60)
	got := Millis(time.Date(2026, 1, 2, 3, 4, 5, 678_999_999, zone))
	if want := time.Date(2026, 1, 2, 1, 4, 5, 678e6, time.UTC); !got.Equal(want) || got.Location() != time.UTC {
		t.Errorf("Millis = %v, want %v", got, want)
	}
}

func TestDay(t *testing.T) {
	for _, c := range []struct {
		at   string
		want int32
	}{{"1970-01-01T00:00:00Z", 0}, {"1970-01-01T23:59:59.999Z", 0}, {"1970-01-02T00:00:00Z", 1}, {"1969-12-31T23:59:59Z", -1}, {"2026-02-19T01:30:00+02:00", 20502}} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		if got := Day(at); got != c.want {
			t.Errorf("Day(%s) = %d, want %d", c.at, got, c.want)
		}
	}
}

func TestScope(t *testing.T) {
	for _, good := range []Tenant{"default", "a", "A-1_b", Tenant(strings.Repeat("x", 64))} {
		if err := (Scope{Tenant: good}).Validate(); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []Tenant{"", "a b", "ä", "a/b", Tenant(strings.Repeat("x", 65))} {
		if err := (Scope{Tenant: bad}).Validate(); CodeOf(err) != CodeInvalidRequest {
			t.Errorf("%q passes as a tenant", bad)
		}
	}
	for _, good := range []string{
		"a_B9", "a-b", "my-app/dev", "a.b", "...", "ada@mail.example", "urn:uuid:0197b6a4-6f1e-7000-8000-000000000000", "a/.b/c..", strings.Repeat("x", 128),
	} {
		if !ValidNamespace(good) {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{
		"", ".", "..", "/", "/a", "a/", "a//b", "../a", "a/..", "a/../b", "a/./b", "a b", "a\b", "a%2fb", "a?b", "a#b", "ä", "a\n", "a\x00", strings.Repeat("x", 129),
	} {
		if ValidNamespace(bad) {
			t.Errorf("%q passes as a namespace", bad)
		}
	}
}

func TestCodeOf(t *testing.T) {
	for _, c := range []struct {
		err  error
		want Code
	}{
		{errors.New("anything"), CodeInternal},
		{errors.Join(errors.New("reading"), ErrNotFound), CodeMemoryNotFound},
		{ErrTooLarge, CodeLimitExceeded}, {ErrIntegrity, CodeIntegrityFailure},
		{ErrConflict, CodeUnavailable}, {ErrUncertain, CodeUnavailable}, {ErrUnavailable, CodeUnavailable}, {ErrClosed, CodeUnavailable}, {ErrLocked, CodeUnavailable},
		{&Error{Code: CodeForbidden, Cause: ErrNotFound}, CodeForbidden},
	} {
		if got := CodeOf(c.err); got != c.want {
			t.Errorf("CodeOf(%v) = %s, want %s", c.err, got, c.want)
		}
	}
	err := FieldError(CodeInvalidRequest, "topK", "must be 1 to %d", 100)
	if err.Error() != "INVALID_REQUEST: topK: must be 1 to 100" {
		t.Errorf("error reads %q", err.Error())
	}
	if got := Errorf(CodeUnavailable, "later").Error(); got != "UNAVAILABLE: later" {
		t.Errorf("error reads %q", got)
	}
}

func TestDerivedIDDependsOnItsParts(t *testing.T) {
	at := time.Date(2026, 2, 19, 3, 0, 0, 0, time.UTC)
	seen := map[ID]string{}
	for name, parts := range map[string][]string{"one": {"ab", "c"}, "cut elsewhere": {"a", "bc"}, "none": {}, "an empty one": {""}, "three": {"ab", "c", ""}} {
		id, err := DerivedID(at, parts...)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := DerivedID(at, parts...); err != nil || again != id {
			t.Errorf("%s: %s and then %s, %v", name, id, again, err)
		}
		if other, dup := seen[id]; dup {
			t.Errorf("%s and %s have the same id", name, other)
		}
		seen[id] = name
		b, err := id.Bytes()
		if err != nil || b[6]>>4 != 7 {
			t.Errorf("%s: %s is not a UUIDv7: %v", name, id, err)
		}
	}
	if _, err := DerivedID(time.UnixMilli(-1)); err == nil {
		t.Error("an instant before 1970 made an id")
	}
}
