package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/somnograph/somnograph/cmd/somnograph/internal/config"
	"github.com/somnograph/somnograph/cmd/somnograph/internal/instance"
	"github.com/somnograph/somnograph/engine/audit"
	"github.com/somnograph/somnograph/graph"
	"github.com/somnograph/somnograph/graph/recess"
	"github.com/somnograph/somnograph/graph/recess/bucket"
)

func newKeysRotate(env environment) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rotate",
		Short: "Replace the keys that seal the data of a stopped server",
		Long: "Replace the keys that seal the data of a stopped server: the master key, the keys of the tenants, and the data keys, under which\n" +
			"all content is then sealed again. The former keys are destroyed, so that earlier copies of the data directory can't be read any\n" +
			"more: make a backup before. What is interrupted is finished by the next rotation, or by the server in the background. API keys\n" +
			"are no part of this: see keys create and keys revoke.",
		Args: none,
	}
	data := cmd.Flags().String("data", "", "data directory of a stopped server; the settings of its store are read as by serve")
	keys := cmd.Flags().String("keys", "", "directory of keys, as in serve")
	later := cmd.Flags().Bool("later", false, "leave the data keys to the next start of the server, which replaces them while it serves")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *data == "" {
			return usageError{errors.New("needs --data, the data directory of a stopped server")}
		}
		c, err := storedConfig(env, map[string]string{"data": *data, "keys": *keys})
		if err != nil {
			return err
		}
		return rotateKeys(cmd.Context(), env, c, *later)
	}
	return cmd
}

// rotateKeys replaces the keys of a stopped server.
func rotateKeys(ctx context.Context, env environment, c *config.Config, later bool) (err error) {
	o, err := storeOptions(c, c.Logger(env.err))
	if err != nil {
		return err
	}
	if len(o.Dgraph) > 0 {
		return errors.New("the store is on a Dgraph cluster, which seals nothing")
	}
	o.Seal = false // an unsealed store stays so
	if o.Blob, err = recessBlob(ctx, c.Recess); err != nil {
		return err
	}
	in, err := instance.OpenParts(ctx, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, in.Close(context.WithoutCancel(ctx))) }()
	var bar *progress
	of := graph.Tenant("")
	failed := in.RotateKeys(ctx, later, func(t graph.Tenant, done, total int) {
		if bar == nil || of != t {
			bar, of = newProgress(env.err, "sealing the content again", int64(total), time.Now), t
		}
		bar.at(int64(done), fmt.Sprintf("%d of %d rows of %s", done, total, name(t)))
	})
	if bar != nil {
		bar.end()
	}
	if err := errors.Join(failed, recordRotation(context.WithoutCancel(ctx), in, failed)); err != nil {
		return err
	}
	text := "the keys are replaced; earlier copies of the data can't be read any more"
	if later {
		text = "the master key and the keys of the tenants are replaced; the server replaces the data keys when it starts"
	}
	_, err = fmt.Fprintf(env.out, "%s. Back up %s now, in place of earlier copies.\n", text, in.Ledger.Dir())
	return err
}

// name is the name of a tenant for people.
func name(t graph.Tenant) string {
	if (graph.Scope{Tenant: t}).IsServer() {
		return "the server"
	}
	return "tenant " + string(t)
}

// recordRotation leaves a row in the audit of every tenant.
func recordRotation(ctx context.Context, in *instance.Instance, failed error) error {
	tenants, err := in.Store.Tenants(ctx)
	if err != nil {
		return err
	}
	ids := graph.NewIDSource(rand.Reader)
	rows := audit.New(audit.Options{Store: in.Store, Keys: in.Ledger.Secrets(), Now: func() time.Time { return graph.Millis(time.Now()) }, NewID: ids.New})
	for _, t := range tenants {
		scope := graph.Scope{Tenant: t}
		rows.End(scope, audit.NewCall(operator, "rotateKeys"), failed)
		if _, err := rows.Seal(ctx, scope); err != nil {
			return fmt.Errorf("the rotation is not in the audit: %w", err)
		}
	}
	return nil
}

// recessBlob opens the bucket of the recess; nil: its files are in the data directory.
func recessBlob(ctx context.Context, r config.Recess) (recess.Blob, error) {
	if r.Endpoint == "" {
		return nil, nil
	}
	b, err := bucket.Open(ctx, bucket.Options{
		Endpoint: r.Endpoint, Bucket: r.Bucket, Prefix: r.Prefix, Region: r.Region, AccessKey: r.AccessKey, SecretKey: r.SecretKey, Plain: r.Insecure,
	})
	if err != nil {
		return nil, fmt.Errorf("recess.endpoint: %w", err)
	}
	return b, nil
}
