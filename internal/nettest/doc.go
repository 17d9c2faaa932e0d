// Package nettest gives the servers of a test a network whose connections it can cut silently:
// packets are lost without an error, as with a broken switch.
//
// Every node is a network namespace held open by a process. All are connected to one bridge,
// which is in a namespace too. The network is separate from that of the machine, and it is
// removed when the test process ends, even if it is killed. It needs Linux, root, and the
// programs ip, nsenter and sleep.
package nettest
