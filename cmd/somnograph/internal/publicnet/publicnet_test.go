package publicnet

import (
	"errors"
	"net/netip"
	"net/url"
	"testing"
)

func TestAddresses(t *testing.T) {
	for address, want := range map[string]bool{
		"93.184.216.34": true, "8.8.8.8": true, "2606:2800:220:1::1": true, "2606:4700::1": true,
		"127.0.0.1": false, "127.8.8.8": false, "10.1.2.3": false, "172.16.0.1": false, "192.168.1.1": false, "169.254.169.254": false, "0.0.0.0": false, "0.1.2.3": false,
		"100.64.0.1": false, "198.18.0.1": false, "198.19.0.1": false, "192.0.0.1": false, "192.0.2.1": false, "224.0.0.1": false, "240.0.0.1": false, "255.255.255.255": false,
		"::1": false, "::": false, "fe80::1": false, "fe80::1%eth0": false, "fc00::1": false, "fec0::1": false, "ff02::1": false, "::ffff:127.0.0.1": false, "::ffff:10.0.0.1": false,
		"::127.0.0.1": false, "64:ff9b::7f00:1": false, "64:ff9b:1::1": false, "2002:7f00:1::": false, "2001:db8::1": false, "2001:0:1::": false, "100::1": false,
	} {
		if got := Address(netip.MustParseAddr(address)); got != want {
			t.Errorf("Address(%s) = %t", address, got)
		}
	}
	if Address(netip.Addr{}) {
		t.Error("no address is public")
	}
}

func TestHosts(t *testing.T) {
	for address, want := range map[string]error{
		"https://app.example/memory": nil, "https://93.184.216.34": nil, "https://93.184.216.34.": nil, "https://[2606:2800:220:1::1]:8443": nil,
		"https://bücher.example": nil, "https://a_b.example": nil, "https://1.example": nil, "https://0x7f.example": nil, "https://localhost.example": nil,
		"https://127.0.0.1": ErrAddress, "https://127.0.0.1.": ErrAddress, "https://[::1]": ErrAddress, "https://[::ffff:127.0.0.1]": ErrAddress,
		"https://[::ffff:7f00:1]": ErrAddress, "https://[fe80::1%25eth0]": ErrAddress, "https://0.0.0.0": ErrAddress, "https://169.254.169.254": ErrAddress,
		"https://１２７.0.0.１": ErrAddress, "https://127。0。0。1": ErrAddress,
		"https://127.1": ErrForm, "https://0x7f000001": ErrForm, "https://2130706433": ErrForm, "https://0177.0.0.1": ErrForm, "https://127.0.0.0x1": ErrForm,
		"https://0X7F.1": ErrForm, "https://127.0.1": ErrForm, "https://0": ErrForm, "https://0x": ErrForm, "https://127.0.0.1.1": ErrForm, "https://08.0.0.1": ErrForm,
		"https://localhost": ErrName, "https://LOCALHOST:8443": ErrName, "https://localhost.": ErrName, "https://app.localhost": ErrName, "https://ⓛocalhost": ErrName,
		"https://localhost.localdomain": ErrName, "https://printer.local": ErrName, "https://metadata.google.internal": ErrName, "https://nas.home.arpa": ErrName,
		"https://redis": ErrName,
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := Host(u.Hostname(), nil); !errors.Is(got, want) || (got == nil) != (want == nil) {
			t.Errorf("%s: %v, want %v", address, got, want)
		}
	}
	own := func(a netip.Addr) bool { return a == netip.MustParseAddr("127.0.0.1") }
	if Host("127.0.0.1", own) != nil || Host("::ffff:127.0.0.1", own) != nil || Host("93.184.216.34", own) == nil {
		t.Error("the caller's rule for addresses is not used")
	}
}
