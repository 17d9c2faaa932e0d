package main

import (
	"context"
	"errors"
	"time"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/backup"
	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/alarm"
	"github.com/somnograph/somnograph/graph"
)

// startBackup backs the store up if the configuration says so. Of a store that several servers share all of
// them know every backup.
func (p *process) startBackup(ctx context.Context) error {
	if p.config.Store == "dgraph" {
		if err := p.watch.backups.Share(ctx, p.instance.Store); err != nil {
			p.log.Warn("[BACKUP] backups of other servers are not watched", "error", err)
		}
	}
	if p.config.Backup.To == "" {
		return nil
	}
	runner, mender, stop, err := startBackup(ctx, p.config, p.instance, backup.Options{Logger: p.log, Watch: p.watch.backups, Began: p.began})
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

// watchBackups begins to watch the backups that commands go on with.
func (p *process) watchBackups() {
	var err error
	if p.watch.backups, err = backup.NewWatch(p.config.Data, time.Now); err != nil {
		p.log.Warn("[BACKUP] backups of commands are watched from their next round on", "error", err)
	}
}

// backupAge reads by how much each backup is overdue: that of the server, and those that commands go on
// with over the API. While one is up to date, another one that has stopped halts no writes.
func (p *process) backupAge(ctx context.Context, _ time.Time) (readings []engine.AlarmReading) {
	i, _ := alarm.Find(engine.IndicatorBackupAge)
	for _, d := range backup.Spare(p.watch.backups.Due(ctx, p.backup.Load(), p.began), seconds(i.Warning), seconds(i.Critical)) {
		readings = append(readings, engine.AlarmReading{Indicator: i.Name, Subject: d.Name(), Value: d.By.Seconds(), Detail: d.Detail()})
	}
	return readings
}

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

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
