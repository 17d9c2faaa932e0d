package counted

import "testing"

func TestOf(t *testing.T) {
	for _, c := range []struct {
		n    int
		noun string
		want string
	}{
		{0, "tenant", "0 tenants"}, {1, "tenant", "1 tenant"}, {2, "tenant", "2 tenants"},
		{1, "memory", "1 memory"}, {3, "memory", "3 memories"}, {2, "key", "2 keys"}, {0, "entity", "0 entities"},
		{2, "audit row", "2 audit rows"}, {2, "index", "2 indexes"}, {2, "search", "2 searches"}, {-1, "row", "-1 rows"},
	} {
		if got := Of(c.n, c.noun); got != c.want {
			t.Errorf("%d %s: %q, want %q", c.n, c.noun, got, c.want)
		}
	}
	if got := Of(uint64(1), "change"); got != "1 change" {
		t.Error(got)
	}
}
