package histories

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// slackUser is an element of users.json of a Slack export.
type slackUser struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Bot     bool   `json:"is_bot"`
	Profile struct {
		Display string `json:"display_name"`
		Real    string `json:"real_name"`
		Email   string `json:"email"`
	} `json:"profile"`
}

// slackMessage is an element of a day of a channel.
type slackMessage struct {
	Type     string `json:"type"`
	Subtype  string `json:"subtype"`
	User     string `json:"user"`
	Username string `json:"username"` // of a bot
	Bot      string `json:"bot_id"`
	Text     string `json:"text"`
	TS       string `json:"ts"`
	Thread   string `json:"thread_ts"`
}

var slackDay = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}\.json$`)

func ownsSlack(s *Source) bool {
	return len(s.named(func(base string) bool { return base == "users.json" })) > 0 && len(s.named(slackDay.MatchString)) > 0
}

func readSlack(r *reading) error {
	x := &slackExport{reading: r, users: map[string]slackUser{}}
	for _, f := range r.source.named(func(base string) bool { return base == "users.json" }) {
		err := r.each(&f, "user", func(_ string, raw []byte, where string) error {
			var u slackUser
			if err := decode(raw, &u); err != nil || u.ID == "" {
				r.bad(where, errors.Join(err, errors.New("a user needs an id")))
				return nil
			}
			x.users[u.ID] = u
			return nil
		}, nil)
		if err != nil {
			return err
		}
	}
	for _, f := range r.source.named(slackDay.MatchString) {
		channel := path.Base(path.Dir(f.name))
		day := strings.TrimSuffix(f.base(), ".json")
		err := r.each(&f, "message", func(_ string, raw []byte, where string) error { return x.message(channel, day, raw, where) }, nil)
		if err != nil {
			return err
		}
	}
	return nil
}

// slackExport is a Slack export that is being read.
type slackExport struct {
	*reading
	users map[string]slackUser
}

// name is how a person is called.
func (u slackUser) name() string {
	return cmp.Or(u.Profile.Real, cmp.Or(u.Profile.Display, cmp.Or(u.Name, u.ID)))
}

// is reports whether the person is called so.
func (u slackUser) is(me string) bool {
	for _, name := range []string{u.ID, u.Name, u.Profile.Display, u.Profile.Real, u.Profile.Email} {
		if name != "" && strings.EqualFold(name, strings.TrimPrefix(me, "@")) {
			return true
		}
	}
	return false
}

// message reads one message. Messages about the channel, such as who joined it, are left out. A
// conversation is a thread, or a day of a channel.
func (x *slackExport) message(channel, day string, raw []byte, where string) error {
	var m slackMessage
	if err := decode(raw, &m); err != nil {
		x.bad(where, err)
		return nil
	}
	switch m.Subtype {
	case "", "thread_broadcast", "me_message", "file_share", "bot_message":
	default:
		return nil
	}
	seconds, err := strconv.ParseFloat(m.TS, 64)
	at := unix(seconds)
	if err != nil || at.IsZero() {
		x.bad(where, errors.New("ts is not a time"))
		return nil
	}
	u, known := x.users[m.User]
	t := Turn{Format: "slack", Conversation: "slack/" + channel + "/" + cmp.Or(m.Thread, day), ID: channel + "/" + m.TS, Role: "user", At: at, Text: x.plain(m.Text)}
	switch {
	case m.Subtype == "bot_message" || m.Bot != "" || u.Bot:
		t.Role, t.Agent = "tool", cmp.Or(m.Username, u.name())
	case known && x.o.Me != "" && u.is(x.o.Me):
	case known:
		t.Speaker = u.name()
	default:
		t.Speaker = cmp.Or(m.User, cmp.Or(m.Username, "somebody"))
	}
	return x.put(t, where)
}

var slackReference = regexp.MustCompile(`<([^<>\n]+)>`)

// plain is a text without the markup of Slack: references to people and channels by name, links by
// label.
func (x *slackExport) plain(text string) string {
	text = slackReference.ReplaceAllStringFunc(text, func(s string) string {
		ref, label, _ := strings.Cut(s[1:len(s)-1], "|")
		switch {
		case strings.HasPrefix(ref, "@"):
			if u, known := x.users[ref[1:]]; known {
				return "@" + u.name()
			}
			return "@" + cmp.Or(label, ref[1:])
		case strings.HasPrefix(ref, "#"):
			return "#" + cmp.Or(label, ref[1:])
		case strings.HasPrefix(ref, "!"):
			return "@" + cmp.Or(label, ref[1:])
		case label != "" && label != ref:
			return label + " (" + ref + ")"
		}
		return ref
	})
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(text)
}

// People lists how the people of a Slack export are called, for messages.
func People(s *Source) (names []string) {
	for _, u := range slackUsers(s) {
		if !u.Bot {
			names = append(names, fmt.Sprintf("%s (%s)", u.name(), u.ID))
		}
	}
	return names
}

// IsPerson reports whether a person of a Slack export is called so.
func IsPerson(s *Source, me string) bool {
	return slices.ContainsFunc(slackUsers(s), func(u slackUser) bool { return u.is(me) })
}

// slackUsers reads the people of an export.
func slackUsers(s *Source) (all []slackUser) {
	for _, f := range s.named(func(base string) bool { return base == "users.json" }) {
		in, err := f.open()
		if err != nil {
			continue
		}
		var users []slackUser
		if json.NewDecoder(io.LimitReader(in, MaxPiece)).Decode(&users) == nil {
			all = append(all, users...)
		}
		_ = in.Close() // it was only read
	}
	return all
}
