package recess

// NewLocal is newLocal for the external test of the Blob contract.
func NewLocal(dir string) (Blob, error) { return newLocal(osDisk{}, dir) }
