// Package nettest gives the servers of a test a network of their own, whose lines it cuts
// without a word: what is sent is lost, and nobody is told, as behind a switch that broke.
//
// Every node is a network namespace that a sleeping process holds, and all are plugged into
// one bridge, which is in such a namespace too. Nothing of it touches the machine's own
// network, nothing has a way out, and all of it is gone when the test is, however that ends.
// It needs Linux, root, and ip, nsenter and sleep.
package nettest
