# A repeated text is one memory, unless a number, a date, a name, a negation or a word such as "out" or
# "again" differs, the owner or the consent is another, or it is an episode of another day.

remember tea "Ana prefers green tea without sugar" user=ana
expect remembered new
advance 1h
remember again "Ana prefers green tea without sugar." user=ana
expect remembered repeats tea
expect again is tea
expect tea uses 1

remember refused "Ana prefers green tea without sugar" user=ana duplicate=REJECT
expect error DUPLICATE_MEMORY field=content
remember beside "Ana prefers green tea without sugar" user=ana duplicate=INSERT
expect remembered new

# Another owner or another consent: not the same memory.
remember bea "Ana prefers green tea without sugar" user=bea
expect remembered new
remember implicit "Ana prefers green tea without sugar" user=ana consent=IMPLICIT
expect remembered new

# A different number.
remember seats3 "The van of the choir has 3 free seats" user=ana
remember seats4 "The van of the choir has 4 free seats" user=ana
expect remembered new
expect seats3 status SUPERSEDED

# A word without content that changes the sense, and a return to what held before.
remember parked "The van of the choir is in the barn" user=cleo
remember away "The van of the choir is out of the barn" user=cleo
expect remembered new
remember rides "I ride the folding bike to rehearsals" user=dov
advance 1d
remember walks "I walk to rehearsals" user=dov
advance 1d
remember rides2 "I ride the folding bike to rehearsals again" user=dov
expect remembered new
remember mine "My cello is at the repair shop" user=eve
remember yours "Your cello is at the repair shop" user=eve
expect remembered new

# Episodes of different days are corroboration.
remember swim1 "Ana went swimming in the quarry lake with Marlo" user=ana type=EPISODIC session=mon
remember swim2 "Ana went swimming in the quarry lake with Marlo" user=ana type=EPISODIC session=mon
expect remembered repeats swim1
advance 1d
remember swim3 "Ana went swimming in the quarry lake with Marlo" user=ana type=EPISODIC session=tue
expect remembered new

# A repeated key is one memory; the same key with other content is refused.
remember k1 "The spare key hangs behind the pantry door" key=k
remember k2 "The spare key hangs behind the pantry door" key=k
expect k2 is k1
remember k3 "The spare key lies under the blue pot" key=k
expect error INVALID_REQUEST field=idempotencyKey
