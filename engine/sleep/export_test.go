package sleep

// SetClusterRound changes clusterRound until the returned function is called.
func SetClusterRound(memories int) (restore func()) {
	before := clusterRound
	clusterRound = memories
	return func() { clusterRound = before }
}
