package main

import (
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/graph"
)

// startBackup backs the store up if the configuration says so.
func (p *process) startBackup(ctx context.Context) error {
	if p.config.Backup.To == "" {
		return nil
	}
	runner, mender, stop, err := startBackup(ctx, p.config, p.instance, backup.Options{Logger: p.log})
	if err != nil {
		return err
	}
	p.mender.Store(mender)
	p.backup.Store(runner)
	p.instance.Closing = func() error {
		if err := stop(); err != nil { // the store is closed all the same
			p.log.Error("[BACKUP] the last segment was not written", "error", err)
		}
		return nil
	}
	return nil
}

// Restore restores damaged memories from the backup, if the server makes one.
func (p *process) Restore(ctx context.Context, scope graph.Scope, ids []graph.ID) (int, error) {
	mender := p.mender.Load()
	if mender == nil {
		return 0, errors.New("this server makes no backup: restore the data directory from another one")
	}
	return mender.Restore(ctx, scope, ids)
}

// BackupStatus returns how the backup goes; ok is false if the server does not back up its store.
func (p *process) BackupStatus() (s backup.Status, ok bool) {
	r := p.backup.Load()
	if r == nil {
		return s, false
	}
	return r.Status(), true
}

// backupAge reads how old the backup is, or the server if it has made none yet.
func (p *process) backupAge(context.Context, time.Time) []engine.AlarmReading {
	s, ok := p.BackupStatus()
	if !ok {
		return nil
	}
	return []engine.AlarmReading{{Indicator: engine.IndicatorBackupAge, Value: s.Age(time.Now(), p.began).Seconds()}}
}

// healthDetails are the details of the server in health.
func (p *process) healthDetails() map[string]any {
	s, ok := p.BackupStatus()
	if !ok {
		return nil
	}
	b := map[string]any{"target": s.Target}
	if !s.Last.IsZero() {
		b["last"] = s.Last.UTC().Format(time.RFC3339)
	}
	if s.Err != "" {
		b["error"] = s.Err
	}
	return map[string]any{"backup": b}
}
