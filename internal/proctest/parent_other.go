//go:build !linux

package proctest

import "syscall"

// withParent does nothing here: a test that is killed leaves its servers running.
func withParent() *syscall.SysProcAttr { return nil }
