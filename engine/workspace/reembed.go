package workspace

const (
	SinceSetting = "embedded.since" // time of the tenant's last change of model
)
