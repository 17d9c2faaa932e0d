package workspace

// ForgetWords removes from memory the texts of a tenant and all data derived from them.
func (ws *Space) ForgetWords(t *Tenant) {
	ws.Readings.forget()
	ws.Said.forget()
	t.RecentTopics.Clear()
	t.Served.forget()
	t.fanout.forget()
	for _, forget := range ws.forgetters {
		forget(t)
	}
	for _, model := range []any{ws.Embedder, ws.Chat} {
		if p, ok := model.(purger); ok {
			p.Purge()
		}
	}
}
