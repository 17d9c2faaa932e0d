package auth

import (
	"net/http"
	"testing"
)

// Some proxies write the port of the client into X-Forwarded-For, which is another one on each connection. It is no part of the address
// whose failed tries and sockets are counted.
func TestThePortOfAForwardedAddressIsNotCounted(t *testing.T) {
	a := &Authenticator{options: Options{BehindProxy: true}}
	for forwarded, want := range map[string]string{
		"198.51.100.7": "198.51.100.7", "203.0.113.1, 198.51.100.7:50123": "198.51.100.7", "2001:db8::7": "2001:db8::", "[2001:db8::7]:50123": "2001:db8::",
		"[2001:db8::7]": "2001:db8::", "unknown": "unknown",
	} {
		r := &http.Request{RemoteAddr: "10.0.0.1:5", Header: http.Header{"X-Forwarded-For": {forwarded}}}
		if got := a.Address(r); got != want {
			t.Errorf("%s: %s, want %s", forwarded, got, want)
		}
	}
}
