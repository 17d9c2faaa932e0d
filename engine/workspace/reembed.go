package workspace

const (
	SinceSetting = "embedded.since" // when the tenant was switched last
)
