package graph

// Exclusive is what a store can do that knows whether this process alone has it open:
// then whoever else held a lease in it is gone.
type Exclusive interface{ Exclusive() bool }
