package workspace

// ForgetWords drops from memory the texts of a tenant, and whatever could betray them.
func (ws *Space) ForgetWords(t *Tenant) {
	ws.Readings.forget()
	t.RecentTopics.Clear()
	t.Served.forget()
	for _, forget := range ws.forgetters {
		forget(t)
	}
	for _, model := range []any{ws.Embedder, ws.Chat} {
		if p, ok := model.(purger); ok {
			p.Purge()
		}
	}
}
