package workspace

// ForgetWords drops what is held in memory of words, or of what betrays them.
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
