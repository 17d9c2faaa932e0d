//go:build !linux

package redistest

import "syscall"

// withParent has no such help here: a test that is killed leaves its servers behind.
func withParent() *syscall.SysProcAttr { return nil }
