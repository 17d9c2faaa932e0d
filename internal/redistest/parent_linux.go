package redistest

import "syscall"

// withParent lets a server end with the test that started it, however that ends.
func withParent() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
