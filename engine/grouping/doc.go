// Package grouping keeps the clusters of a tenant: which memories of an owner mean alike.
//
// # What is stored
//
// A deep sleep clusters the memories of each owner (a namespace and a user, or nobody) and stores
// the result as a [Settlement]: a note with the parts that list the members of each cluster. The
// notes hold ids and numbers, never text or vectors. Labels, terms, sizes and key entities are
// computed from the members that the reader may see, so an erasure leaves no trace of a memory.
// A settlement stays until the sleep that replaced it can't be rolled back any more. Removing a
// settlement puts the one before it in force.
//
// # By day
//
// A new memory joins the nearest cluster of its owner, in memory. Which one depends only on the
// settlement and on the vector of the memory, so that all servers agree and nothing is written.
//
// # Sight
//
// A [View] shows clusters as a caller sees them. A member that the index does not show to the
// sight of the caller does not exist for the view. A cluster with fewer than [MinVisible] visible
// members is not shown. A sight that limits consent or sensitivity sees no members that joined by
// day, because what they joined may depend on members that it does not see.
package grouping
