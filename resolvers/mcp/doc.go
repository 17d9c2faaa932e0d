// Package mcp serves memory over the Model Context Protocol, so that any agent can use it. A
// tool decodes its arguments, calls one verb of the engine and prints the result as text.
//
// The namespace is part of the URL (/mcp/kites). These parameters of the URL describe the
// caller further; the credentials may restrict them:
//
//	user     whose memories are read and written
//	project  to which project new memories belong
//	agent    name of the agent; default: the name that the client states
//	session  the conversation that session, context and recall belong to
//	profile  full or minimal: how many tools are offered
//
// The same package answers the HTTP hooks of Claude Code, which need no tools: they add what is
// remembered to a conversation, and record its turns.
package mcp
