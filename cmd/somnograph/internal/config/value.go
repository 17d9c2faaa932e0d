package config

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// parse reads a value as its kind is written.
func parse(k kind, s string) (any, error) {
	switch k {
	case list:
		var items []string
		for item := range strings.SplitSeq(s, ",") {
			if item = strings.TrimSpace(item); item != "" {
				items = append(items, item)
			}
		}
		return items, nil
	case boolean:
		b, err := strconv.ParseBool(s)
		if err != nil {
			return nil, errors.New("must be true or false")
		}
		return b, nil
	case whole:
		n, err := strconv.Atoi(s)
		if err != nil {
			return nil, errors.New("must be a whole number")
		}
		return n, nil
	case duration:
		d, err := time.ParseDuration(s)
		if err != nil {
			return nil, errors.New("must be a duration with a unit, such as 10s or 2m")
		}
		return d, nil
	case size:
		return parseSize(s)
	}
	return s, nil
}

// units of a size, longest first so that B does not match inside KiB.
var units = []struct {
	name  string
	bytes float64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}}

func parseSize(s string) (int64, error) {
	bad := errors.New("must be a size with a unit, such as 64MiB")
	for _, u := range units {
		number, found := strings.CutSuffix(s, u.name)
		if !found {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || n < 0 || n*u.bytes > math.MaxInt64/2 || n != n {
			return 0, bad
		}
		return int64(n * u.bytes), nil
	}
	return 0, bad
}

// writeSize writes a size as parseSize reads it.
func writeSize(n int64) string {
	for i, u := range []string{"TiB", "GiB", "MiB", "KiB"} {
		if unit := int64(1) << (40 - 10*i); n >= unit && n%unit == 0 {
			return fmt.Sprintf("%d%s", n/unit, u)
		}
	}
	return fmt.Sprintf("%dB", n)
}

func notEmpty(s string) error {
	if s == "" {
		return errors.New("must not be empty")
	}
	return nil
}

func oneOf(s string, allowed ...string) error {
	if !slices.Contains(allowed, s) {
		return fmt.Errorf("must be one of %s", strings.Join(allowed, ", "))
	}
	return nil
}

func between(n, low, high int64) error {
	if n < low || n > high {
		return fmt.Errorf("must be %d to %d", low, high)
	}
	return nil
}

// atLeast allows the value that means "none given" beside what is large enough.
func atLeast(n, none, low int64) error {
	if n != none && n < low {
		return fmt.Errorf("must be %s or at least %s", writeSize(none), writeSize(low))
	}
	return nil
}

func checkHostPort(s string) error {
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		return errors.New("must be host:port, such as 127.0.0.1:8420")
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil {
		return fmt.Errorf("port %q must be 0 to 65535", port)
	} else if host == "" {
		return fmt.Errorf("needs a host before :%d, such as 127.0.0.1:%d", n, n)
	}
	return nil
}

func checkURL(s string) error {
	u, err := url.Parse(s)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return errors.New("must be an http or https URL")
	}
	return nil
}

func checkOrigins(origins []string) error {
	for _, o := range origins {
		u, err := url.Parse(o)
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.Path != "" || u.RawQuery != "" {
			return fmt.Errorf("%q must be an origin: scheme://host or scheme://host:port", o)
		}
	}
	return nil
}

// Loopback reports whether the host of a host:port or of a URL is this machine's
// own interface. The name localhost counts: it never leaves the machine.
func Loopback(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.Trim(hostport, "[]")
	}
	if host == "localhost" {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
