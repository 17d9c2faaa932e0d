// Package monitor watches the health of a server. Refresh reads the indicators of package alarm,
// for the server and for each tenant, raises and ends alarms, and carries out their actions. Alarms
// are notes in the store: those of a tenant in its scope, those of the server in
// graph.ServerScope. They survive a restart, and with them their actions. Readings are kept in
// memory for some hours; those of the daily canary are kept in the store for a month.
package monitor
