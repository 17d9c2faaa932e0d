# A safety-critical memory survives an erasure in anonymous form: what may be a name, a date or an
# address is hidden. A memory that can't be made anonymous is erased like any other.

remember allergy "Ana must never be given penicillin" user=ana agent=nurse session=ward safety entities=Ana
remember place "Ana keeps her spare inhaler in the Orsini pharmacy" user=ana safety entities=Ana
remember incident "Alice Jones leaked the production key on 3 March and told ana@example.org about it" user=ana safety entities="Alice Jones"
remember low "ana must not climb the mast without a rope" user=ana safety
remember letter "Ana wrote to the pharmacist" user=ana entities=Ana
remember secret "Ana must not climb" user=ana safety consent=NONE
advance 1d
forget user=ana dryrun
expect allergy status ACTIVE
forget user=ana
expect allergy status FORGOTTEN
expect place status FORGOTTEN
expect incident status FORGOTTEN
expect low status FORGOTTEN
expect secret status FORGOTTEN
expect nowhere "Ana"
expect nowhere "Orsini"
expect nowhere "nurse"
expect nowhere "Alice"
expect nowhere "Jones"
expect nowhere "example.org"
expect memories 3 status=ACTIVE
find inhaler status=ACTIVE says="spare inhaler"
expect inhaler says "in the [name] pharmacy"
find leak status=ACTIVE says="production key"
expect leak says "omeone leaked the production key on [date] and told [address] about it"
expect leak kind USER
find kept status=ACTIVE says="penicillin"
expect kept says "must never be given penicillin"
expect kept kind USER
expect kept user ""
expect kept consent EXPLICIT
search "penicillin"
expect hit kept within 1

# It is kept once. Forgetting the anonymous memory erases it.
forget kept inhaler leak
expect memories 0 status=ACTIVE
