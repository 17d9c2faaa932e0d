package monitor

import (
	"cmp"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/somnograph/somnograph/engine/alarm"
)

// keep writes the alarms of the server that the store has not taken to the file of Options.Kept, so that they go on
// after a restart on a full disk. Without any it removes the file. A directory has room for it when the store
// refuses writes: min-free-space is left.
func (svc *Service) keep(w *watched) {
	if svc.options.Kept == "" || !w.scope.IsServer() {
		return
	}
	svc.keeping.Lock()
	defer svc.keeping.Unlock()
	svc.mu.Lock()
	var all []alarm.Alarm
	for _, a := range w.unsaved {
		all = append(all, a)
	}
	svc.mu.Unlock()
	var err error
	if len(all) > 0 {
		err = writeKept(svc.options.Kept, all)
	} else {
		err = os.Remove(svc.options.Kept)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		svc.Log.Warn("[ALARM] the file of alarms that are not stored yet can't be changed", "error", err)
	}
}

// writeKept writes alarms to a file beside it and renames that.
func writeKept(file string, all []alarm.Alarm) error {
	slices.SortFunc(all, func(a, b alarm.Alarm) int { return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.ID, b.ID)) })
	data, err := json.Marshal(all)
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", data, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

// readKept returns the alarms in the file of Options.Kept. One that can't be read is left out, as a stored one is.
func (svc *Service) readKept() []alarm.Alarm {
	if svc.options.Kept == "" {
		return nil
	}
	data, err := os.ReadFile(svc.options.Kept)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var all []alarm.Alarm
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		svc.Log.Error("[ALARM] the file of alarms that were not stored can't be read and is left out", "error", err)
		return nil
	}
	return slices.DeleteFunc(all, func(a alarm.Alarm) bool {
		err := a.Check()
		if err != nil {
			svc.Log.Error("[ALARM] an alarm that was not stored can't be read and is left out", "id", a.ID, "error", err)
		}
		return err != nil
	})
}

// overlay replaces stored active alarms by newer ones that the store did not take.
func overlay(active, newer []alarm.Alarm) []alarm.Alarm {
	for _, a := range newer {
		active = slices.DeleteFunc(active, func(b alarm.Alarm) bool { return b.ID == a.ID })
		if a.Active() {
			active = append(active, a)
		}
	}
	return active
}
