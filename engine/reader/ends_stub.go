package reader

type ending struct{}

func (c *clause) ending() *ending { return nil }
