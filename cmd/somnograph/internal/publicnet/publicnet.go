// Package publicnet says which addresses and host names belong to the public internet. It is the policy for
// every URL that a caller, and not the operator, gives to the server.
//
// Address is decisive: a client calls it with the address that a name was resolved to, right before it
// connects. Host refuses a URL early, with a reason.
package publicnet

import (
	"errors"
	"net/netip"
	"slices"
	"strings"

	"golang.org/x/net/idna"
)

// reserved are networks that netip does not know as private, and that are not on the public
// internet (IANA special-purpose address registries). Of IPv6 only 2000::/3 is public at all.
var reserved = []netip.Prefix{
	netip.MustParsePrefix("0.0.0.0/8"), netip.MustParsePrefix("100.64.0.0/10"), netip.MustParsePrefix("192.0.0.0/24"), netip.MustParsePrefix("192.0.2.0/24"), netip.MustParsePrefix("192.88.99.0/24"),
	netip.MustParsePrefix("198.18.0.0/15"), netip.MustParsePrefix("198.51.100.0/24"), netip.MustParsePrefix("203.0.113.0/24"), netip.MustParsePrefix("240.0.0.0/4"),
	netip.MustParsePrefix("2001::/23"), netip.MustParsePrefix("2001:db8::/32"), netip.MustParsePrefix("2002::/16"), netip.MustParsePrefix("3fff::/20"),
}

var globalV6 = netip.MustParsePrefix("2000::/3")

// Address reports whether an address is on the public internet: not loopback, private, link-local,
// multicast, reserved, or an IPv6 form of an IPv4 address that could be one of them.
func Address(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Zone() != "" || a.Is6() && !globalV6.Contains(a) {
		return false
	}
	return !slices.ContainsFunc(reserved, func(p netip.Prefix) bool { return p.Contains(a) })
}

// localNames are the last labels of names that never belong to the public internet: RFC 6761, 6762 and 8375, and the
// domain that ICANN reserved for private use.
var localNames = []string{"localhost", "localdomain", "local", "internal", "home.arpa"}

// The reasons why a host is refused.
var (
	ErrAddress = errors.New("is an address that is not public")
	ErrName    = errors.New("is a name of this machine or of a private network")
	ErrForm    = errors.New("is a number that is no address in its usual form, such as 192.168.0.1")
)

// Host returns why the host of a URL can't be on the public internet, as url.URL.Hostname returns it, and nil if it
// can. allowed judges an address that is written out; nil: Address. A name is not resolved: where it leads is
// known only when a connection is made.
func Host(host string, allowed func(netip.Addr) bool) error {
	if allowed == nil {
		allowed = Address
	}
	if at, err := netip.ParseAddr(host); err == nil {
		if !allowed(at.Unmap()) {
			return ErrAddress
		}
		return nil
	}
	name, err := idna.Lookup.ToASCII(host) // full-width digits and dots are those that a client sees
	if err != nil {
		name = host // such as one with an underscore
	}
	name = strings.TrimSuffix(strings.ToLower(name), ".")
	labels := strings.Split(name, ".")
	switch last := labels[len(labels)-1]; {
	case numeric(last): // no top-level domain is a number; clients read 127.1, 0x7f.1 and 2130706433 as addresses
		if at, err := netip.ParseAddr(name); err != nil {
			return ErrForm
		} else if !allowed(at) {
			return ErrAddress
		}
	case len(labels) == 1, isLocal(name):
		return ErrName
	}
	return nil
}

// numeric reports whether a label is a number as the C library reads it: decimal, octal or hexadecimal.
func numeric(label string) bool {
	if hex, is := strings.CutPrefix(label, "0x"); is {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return label != "" && strings.Trim(label, "0123456789") == ""
}

func isLocal(name string) bool {
	return slices.ContainsFunc(localNames, func(end string) bool { return name == end || strings.HasSuffix(name, "."+end) })
}
