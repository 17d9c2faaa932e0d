package limits

// Descriptors says how many connections a server may have, so that they never use up the
// descriptors that the store needs for its tables and logs.
type Descriptors struct {
	Connections int   // at once; 0: no limit
	Streams     int64 // of GraphQL, and as many of MCP; 0: the default of each
}

// Descriptors that are kept for the store, the index and outgoing connections.
const (
	LeastKept = 128
	mostKept  = 8192
	// mostStreams is the default number of streams where descriptors are not short.
	mostStreams = 1024
)

// ShareDescriptors divides the limit of open files; 0: it is not known. A quarter is kept for the
// server itself. Streams may hold three quarters of the connections, so that ordinary requests
// and health checks still get in when all streams are open.
func ShareDescriptors(limit uint64) Descriptors {
	if limit == 0 {
		return Descriptors{}
	}
	kept := min(max(limit/4, LeastKept), mostKept)
	connections := int64(min(max(limit, kept+1)-kept, 1<<20))
	return Descriptors{int(connections), max(1, min(mostStreams, connections*3/8))}
}
