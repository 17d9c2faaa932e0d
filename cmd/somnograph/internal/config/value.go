package config

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The functions from text to zone return a setter: it parses a value as the kind of the setting
// is written, checks it and stores it.

func text(at *string, checks ...func(string) error) func(string) error {
	return func(s string) error {
		*at = s
		return all(s, checks)
	}
}

// list is comma-separated.
func list(at *[]string, needed bool, check func(string) error) func(string) error {
	return func(s string) error {
		*at = nil
		for item := range strings.SplitSeq(s, ",") {
			if item = strings.TrimSpace(item); item == "" {
				continue
			}
			if err := check(item); err != nil {
				return err
			}
			*at = append(*at, item)
		}
		if needed && len(*at) == 0 {
			return errors.New("must not be empty")
		}
		return nil
	}
}

func boolean(at *bool) func(string) error {
	return parsed(at, strconv.ParseBool, "must be true or false")
}

// sealing reads which data directories are sealed. True and false stand for on and off.
func sealing(c *Config) func(string) error {
	return func(s string) error {
		switch s {
		case "new":
			c.Seal, c.SealNew = false, true
		case "on", "true":
			c.Seal, c.SealNew = true, true
		case "off", "false":
			c.Seal, c.SealNew = false, false
		default:
			return errors.New("must be new, on or off")
		}
		return nil
	}
}

func whole(at *int, low, high int) func(string) error {
	return parsed(at, strconv.Atoi, "must be a whole number", func(n int) error { return between(int64(low), int64(high))(int64(n)) })
}

// wholeOrAuto is a whole number from 0, or auto.
func wholeOrAuto(at *int, high int) func(string) error {
	number := whole(at, 0, high)
	return func(s string) error {
		if s == "auto" {
			*at = Auto
			return nil
		}
		if err := number(s); err != nil {
			return fmt.Errorf("%w, or auto", err)
		}
		return nil
	}
}

func duration(at *time.Duration, low, high time.Duration, otherwise string) func(string) error {
	return parsed(at, time.ParseDuration, "must be a duration with a unit, such as 10s or 2m", func(d time.Duration) error {
		if d < low || d > high {
			return errors.New(otherwise)
		}
		return nil
	})
}

// size is a number of bytes with a unit, as 64MiB.
func size(at *int64, check func(int64) error) func(string) error {
	return parsed(at, parseSize, "must be a size with a unit, such as 64MiB", check)
}

func timeOfDay(hour, minute *int) func(string) error {
	return func(s string) error {
		at, err := time.Parse("15:04", s)
		if err != nil {
			return errors.New("must be a time of day such as 02:00")
		}
		*hour, *minute = at.Hour(), at.Minute()
		return nil
	}
}

func zone(at **time.Location) func(string) error {
	return parsed(at, time.LoadLocation, "must be a time zone such as UTC or Europe/Vienna")
}

// parsed stores what parse returns and checks it. otherwise is the error if it can't be parsed; empty:
// that of parse.
func parsed[T any](at *T, parse func(string) (T, error), otherwise string, checks ...func(T) error) func(string) error {
	return func(s string) error {
		v, err := parse(s)
		switch {
		case err != nil && otherwise == "":
			return err
		case err != nil:
			return errors.New(otherwise)
		}
		*at = v
		return all(v, checks)
	}
}

// all returns the first error of the checks.
func all[T any](v T, checks []func(T) error) error {
	for _, check := range checks {
		if err := check(v); err != nil {
			return err
		}
	}
	return nil
}

// units of a size, longest first so that B does not match inside KiB.
var units = []struct {
	name  string
	bytes float64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12}, {"B", 1}}

func parseSize(s string) (int64, error) {
	for _, u := range units {
		number, found := strings.CutSuffix(s, u.name)
		if !found {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || n < 0 || n*u.bytes > math.MaxInt64/2 || n != n {
			return 0, strconv.ErrSyntax
		}
		return int64(n * u.bytes), nil
	}
	return 0, strconv.ErrSyntax
}

func notEmpty(s string) error {
	if s == "" {
		return errors.New("must not be empty")
	}
	return nil
}

// optional allows an empty value.
func optional(check func(string) error) func(string) error {
	return func(s string) error {
		if s == "" {
			return nil
		}
		return check(s)
	}
}

func oneOf(allowed ...string) func(string) error {
	return func(s string) error {
		if !slices.Contains(allowed, s) {
			return fmt.Errorf("must be one of %s", strings.Join(allowed, ", "))
		}
		return nil
	}
}

func between(low, high int64) func(int64) error {
	return func(n int64) error {
		if n < low || n > high {
			return fmt.Errorf("must be %d to %d", low, high)
		}
		return nil
	}
}

// zeroOr allows 0, which means that none is given, and sizes of at least low.
func zeroOr(low int64) func(int64) error {
	return func(n int64) error {
		if n != 0 && n < low {
			return fmt.Errorf("must be 0B or at least %dMiB", low>>20)
		}
		return nil
	}
}

func hostPort(s string) error {
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

func httpURL(s string) error {
	if u, err := url.Parse(s); err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return errors.New("must be an http or https URL")
	}
	return nil
}

// modelAllowed checks an entry of models.allow: an endpoint whose connection is encrypted or does not
// leave the machine, an absolute directory, or a model of the hub.
func modelAllowed(s string) error {
	if strings.HasPrefix(s, "hub:") || filepath.IsAbs(s) {
		return nil
	}
	u, err := url.Parse(s)
	if err != nil || httpURL(s) != nil || u.Scheme == "http" && !Loopback(u.Host) || u.User != nil {
		return fmt.Errorf("%q must be an https URL, an http URL of this machine, an absolute directory or hub:owner/model", s)
	}
	return nil
}

func webOrigin(s string) error {
	if u, err := url.Parse(strings.TrimSuffix(s, ":*")); err != nil || httpURL(strings.TrimSuffix(s, ":*")) != nil || u.Path != "" || u.RawQuery != "" {
		return fmt.Errorf("%q must be an origin: scheme://host, scheme://host:port, or scheme://host:* for every port", s)
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

// collector accepts otlp or a URL.
func collector(s string) error {
	if s == "otlp" {
		return nil
	}
	if err := httpURL(s); err != nil {
		return errors.New("must be otlp, or an http or https URL such as http://127.0.0.1:4318")
	}
	return nil
}

// share accepts a number from 0 to 1.
func share(s string) error {
	if n, err := strconv.ParseFloat(s, 64); err != nil || !(n >= 0 && n <= 1) {
		return errors.New("must be a number from 0 to 1, such as 0.1")
	}
	return nil
}
