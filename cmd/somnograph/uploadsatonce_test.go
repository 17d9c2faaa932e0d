package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
)

// The slow uploads of one principal leave room for those of others: it has two at once.
func TestUploadsOfOnePrincipalLeaveRoom(t *testing.T) {
	dir := t.TempDir()
	slow := newKey(t, dir, "--scopes", "memory:write,memory:share", "--owner", "slow").Key
	other := newKey(t, dir, "--scopes", "memory:write,memory:share", "--owner", "other").Key
	s := start(t, dir, "--auth", "keys")
	for range 2 {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		// The server asks for the body when it reads it.
		fmt.Fprintf(conn, "POST /documents?path=a.md&consent=EXPLICIT HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: text/markdown\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n", slow)
		if line, err := bufio.NewReader(conn).ReadString('\n'); err != nil || !strings.Contains(line, " 100 ") {
			t.Fatalf("%q, %v", line, err)
		}
	}
	for _, x := range []struct {
		key  string
		want int
	}{{slow, http.StatusTooManyRequests}, {other, http.StatusOK}} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"/documents?path=b.md&consent=EXPLICIT", strings.NewReader("# Winch\n\nThe winch sticks.\n"))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+x.key)
		r.Header.Set("Content-Type", "text/markdown")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != x.want {
			t.Errorf("status %d, want %d", resp.StatusCode, x.want)
		}
	}
}
