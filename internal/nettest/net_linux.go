package nettest

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// nowhere is a hardware address that no node has.
const nowhere = "02:00:00:00:00:00"

// Net is a network of nodes.
type Net struct {
	t     testing.TB
	home  *os.File // namespace of the machine
	hub   *holder  // namespace of the bridge
	nodes []*Node
}

// Node is a namespace in the network, with an address, where processes run.
type Node struct {
	Name string
	IP   string // in the network; the node has its own loopback too

	net *Net
	*holder
}

// holder is a process that holds a network namespace open.
type holder struct {
	pid int
	ns  *os.File
}

// New makes a network without nodes that ends with the test. If the machine does not permit
// it, the test is skipped with the reason.
func New(t testing.TB) *Net {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("cutting links between network namespaces needs root")
	}
	for _, program := range []string{"ip", "nsenter", "sleep"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("cutting links between network namespaces needs the program %s", program)
		}
	}
	home, err := os.Open("/proc/self/ns/net")
	if err != nil {
		t.Skipf("this machine has no network namespaces: %v", err)
	}
	t.Cleanup(func() { _ = home.Close() }) // only read
	n := &Net{t: t, home: home}
	hub, err := hold(t)
	if err != nil {
		t.Skipf("this machine permits no network namespaces: %v", err)
	}
	n.hub = hub
	if out, err := hub.command("ip", "link", "add", "hub", "type", "bridge").CombinedOutput(); err != nil {
		t.Skipf("this machine permits no bridge in a network namespace: %v: %s", err, out)
	}
	n.in(hub, "link", "set", "hub", "up")
	return n
}

// hold starts a process in a new network namespace.
func hold(t testing.TB) (*holder, error) {
	cmd := exec.Command("sleep", "infinity")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNET, Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it does nothing else
		_ = cmd.Wait()         // and ends by that
	})
	ns, err := os.Open(path(cmd.Process.Pid))
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { _ = ns.Close() }) // only read
	return &holder{cmd.Process.Pid, ns}, nil
}

func path(pid int) string { return "/proc/" + strconv.Itoa(pid) + "/ns/net" }

// command is a command that runs in the namespace.
func (h *holder) command(name string, args ...string) *exec.Cmd {
	return exec.Command("nsenter", append([]string{"--net=" + path(h.pid), "--", name}, args...)...)
}

// in runs ip in a namespace.
func (n *Net) in(h *holder, args ...string) {
	n.t.Helper()
	if out, err := h.command("ip", args...).CombinedOutput(); err != nil {
		n.t.Fatalf("nettest: ip %q: %v: %s", args, err, out)
	}
}

// Node adds a node to the network.
func (n *Net) Node(name string) *Node {
	n.t.Helper()
	h, err := hold(n.t)
	if err != nil {
		n.t.Fatalf("nettest: %v", err)
	}
	d := &Node{Name: name, IP: fmt.Sprintf("10.83.0.%d", len(n.nodes)+1), net: n, holder: h}
	port := fmt.Sprint("port", len(n.nodes)+1)
	n.in(n.hub, "link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", strconv.Itoa(h.pid))
	n.in(n.hub, "link", "set", port, "master", "hub", "up")
	n.in(h, "link", "set", "lo", "up")
	n.in(h, "addr", "add", d.IP+"/24", "dev", "eth0")
	n.in(h, "link", "set", "eth0", "up")
	n.nodes = append(n.nodes, d)
	return d
}

// Command is a command that runs on the node.
func (d *Node) Command(name string, args ...string) *exec.Cmd { return d.command(name, args...) }

// Address is the address of a port of the node for others.
func (d *Node) Address(port int) string { return net.JoinHostPort(d.IP, strconv.Itoa(port)) }

// DialContext connects from the node to an address.
func (d *Node) DialContext(ctx context.Context, network, address string) (conn net.Conn, err error) {
	d.enter(func() { conn, err = (&net.Dialer{}).DialContext(ctx, network, address) }, &err)
	return conn, err
}

// Listen listens on the node.
func (d *Node) Listen(ctx context.Context, address string) (l net.Listener, err error) {
	d.enter(func() { l, err = (&net.ListenConfig{}).Listen(ctx, "tcp", address) }, &err)
	return l, err
}

// enter runs a function in the namespace of the node: sockets belong to the namespace in which
// they are created. The thread then returns to the machine's namespace. If it ended instead,
// the processes that it started would be killed.
func (d *Node) enter(do func(), err *error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if *err = unix.Setns(int(d.ns.Fd()), unix.CLONE_NEWNET); *err != nil {
		return
	}
	defer func() {
		if e := unix.Setns(int(d.net.home.Fd()), unix.CLONE_NEWNET); e != nil {
			panic("nettest: can't return to the namespace of the machine: " + e.Error())
		}
	}()
	do()
}

// Cut cuts the connection between two nodes in both directions: each sends the packets for the
// other to an address that no node has. Mend restores it.
func (n *Net) Cut(a, b *Node) {
	n.t.Helper()
	for _, x := range [][2]*Node{{a, b}, {b, a}} {
		n.in(x[0].holder, "neigh", "replace", x[1].IP, "lladdr", nowhere, "dev", "eth0", "nud", "permanent")
	}
}

// Mend restores the connection between two nodes.
func (n *Net) Mend(a, b *Node) {
	n.t.Helper()
	for _, x := range [][2]*Node{{a, b}, {b, a}} {
		n.in(x[0].holder, "neigh", "del", x[1].IP, "dev", "eth0")
	}
}

// Others returns all nodes except some.
func (n *Net) Others(but ...*Node) []*Node {
	return slices.DeleteFunc(slices.Clone(n.nodes), func(d *Node) bool { return slices.Contains(but, d) })
}
