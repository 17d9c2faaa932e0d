package enginetest

import (
	"slices"
	"testing"

	"github.com/somnograph/somnograph/engine"
	"github.com/somnograph/somnograph/engine/access"
	"github.com/somnograph/somnograph/graph"
)

// A key with a user and an agent sees and writes what its agent keeps private, whatever its scopes, and nothing of what others keep private.
func TestAnAdministratorWithAnAgentKeepsItsPrivateMemories(t *testing.T) {
	w := New(t)
	key := func(name, user, agent string, scopes ...access.Scope) engine.Caller {
		c := bound(user, .8, scopes...)
		c.Agent, c.Credential, c.Admin = agent, name, slices.Contains(scopes, access.MemoryAdmin)
		return c
	}
	plain := key("plain", "ana", "one", access.MemoryRead, access.MemoryWrite)
	admin := key("admin", "ana", "one", access.MemoryRead, access.MemoryWrite, access.MemoryShare, access.MemoryAdmin)
	other := key("other", "ana", "two", access.MemoryRead, access.MemoryWrite, access.MemoryShare, access.MemoryAdmin)
	bob := key("bob", "bob", "one", access.MemoryRead, access.MemoryWrite, access.MemoryShare, access.MemoryAdmin)
	user := key("user", "ana", "", access.MemoryRead, access.MemoryWrite, access.MemoryShare, access.MemoryAdmin)
	callers := map[string]engine.Caller{"plain": plain, "admin": admin, "other": other, "bob": bob, "user": user}
	written := map[string]graph.ID{}
	for by, content := range map[string]string{"plain": "The hut is wet.", "admin": "The cup is new.", "other": "The tin is old."} {
		m, err := w.Engine.Remember(t.Context(), callers[by], engine.RememberInput{Content: content, Consent: graph.ConsentExplicit, Private: true})
		if err != nil {
			t.Fatalf("%s: %v", by, err)
		}
		written[by] = m.Memory.ID
	}
	for by, want := range map[string][]string{"plain": {"plain", "admin"}, "admin": {"plain", "admin"}, "other": {"other"}, "bob": nil, "user": nil} {
		list, err := w.Engine.Memories(t.Context(), callers[by], engine.ListInput{First: 100})
		if err != nil {
			t.Fatal(err)
		}
		for name, id := range written {
			if sees := slices.ContainsFunc(list.Memories, func(m *engine.View) bool { return m.ID == id }); sees != slices.Contains(want, name) {
				t.Errorf("%s sees what %s wrote: %v", by, name, sees)
			}
		}
	}
	// An erasure of a part takes only what its caller sees.
	for _, by := range []string{"user", "other"} {
		if _, err := w.Engine.Forget(t.Context(), callers[by], engine.ForgetInput{Namespace: "default"}); err != nil {
			t.Fatal(err)
		}
	}
	for name, gone := range map[string]bool{"plain": false, "admin": false, "other": true} {
		if v, err := w.Engine.Memory(t.Context(), w.Caller, written[name], engine.Access{IncludeImplicit: true}); err != nil || v.State.Status == graph.Forgotten != gone {
			t.Errorf("what %s wrote, after erasures by others: %+v, %v", name, v, err)
		}
	}
}
