package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"
)

// Alarm is an alarm of a server, as GraphQL returns it.
type Alarm struct {
	ID        string     `json:"id"`
	Indicator string     `json:"indicator"`
	Subject   *string    `json:"subject"`
	Severity  string     `json:"severity"`
	Message   string     `json:"message"`
	Action    *string    `json:"action"`
	Advice    string     `json:"advice"`
	ByHand    bool       `json:"byHand"`
	Since     time.Time  `json:"since"`
	Until     *time.Time `json:"until"`
	EndedBy   *string    `json:"endedBy"`
}

const alarmFields = "id indicator subject severity message action advice byHand since until endedBy"

// Alarms returns the active alarms, or the newest first of all of them.
func (c *Client) Alarms(ctx context.Context, active bool, first int) ([]Alarm, error) {
	var out struct{ Alarms *[]Alarm }
	err := c.Do(ctx, `query($active: Boolean, $first: Int) { alarms(active: $active, first: $first) { `+alarmFields+` } }`,
		map[string]any{"active": active, "first": first}, &out)
	alarms, err := present(out.Alarms, err)
	if err != nil {
		return nil, err
	}
	return *alarms, nil
}

// ResetAlarm ends an alarm and its action.
func (c *Client) ResetAlarm(ctx context.Context, id string) (*Alarm, error) {
	var out struct{ ResetAlarm *Alarm }
	err := c.Do(ctx, `mutation($id: ID!) { resetAlarm(id: $id) { `+alarmFields+` } }`, map[string]any{"id": id}, &out)
	return present(out.ResetAlarm, err)
}

// WritesHalted reports whether an alarm has halted the writes of a ready server. It needs no key.
func (c *Client) WritesHalted(ctx context.Context) (bool, error) {
	resp, err := c.Send(ctx, http.MethodGet, "/healthz", nil, nil)
	if err != nil {
		return false, err
	}
	var out struct{ Writes string }
	err = json.NewDecoder(io.LimitReader(resp.Body, 4096)).Decode(&out)
	return out.Writes == "halted", errors.Join(err, resp.Body.Close())
}
