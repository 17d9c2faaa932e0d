# A safety-critical memory survives an erasure in anonymous form. A memory that can't be made
# anonymous is erased like any other.

remember allergy "Ana must never be given penicillin" user=ana agent=nurse session=ward safety entities=Ana
remember place "Ana keeps her spare inhaler in the Orsini pharmacy" user=ana safety entities=Ana
remember letter "Ana wrote to the pharmacist" user=ana entities=Ana
remember secret "Ana must not climb" user=ana safety consent=NONE
advance 1d
forget user=ana dryrun
expect allergy status ACTIVE
forget user=ana
expect allergy status FORGOTTEN
expect place status FORGOTTEN
expect secret status FORGOTTEN
expect nowhere "Ana"
expect nowhere "Orsini"
expect nowhere "nurse"
expect memories 1 status=ACTIVE
find kept status=ACTIVE
expect kept says "must never be given penicillin"
expect kept kind SYSTEM
expect kept user ""
expect kept consent EXPLICIT
search "penicillin"
expect hit kept within 1

# It is kept once. Forgetting the anonymous memory erases it.
forget kept
expect memories 0 status=ACTIVE
