package graph

// ClosedSetting is the setting of a tenant that was deleted.
const ClosedSetting = "closed"

// CloseTenant makes RefuseClosed refuse every later transaction of a tenant, also one that runs at the same time and commits later.
func CloseTenant(tx Tx) error { return tx.PutSetting(ClosedSetting, []byte("deleted")) }

// RefuseClosed returns FORBIDDEN for a tenant that was deleted. A transaction that writes for a caller calls it, so that nothing is
// written after the tenant was erased.
func RefuseClosed(r Reader) error {
	_, err := r.Setting(ClosedSetting)
	if closed, err := Found(err); !closed {
		return err
	}
	return Errorf(CodeForbidden, "the tenant was deleted")
}
