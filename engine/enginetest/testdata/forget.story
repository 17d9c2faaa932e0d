# Erasure leaves a stub with times. The words are gone from every memory, list and search.
# Other memories stay. A chain closes the gap.

remember keep "Marlo repairs accordions in the old tannery" user=ana
remember secret "Marlo owes the pharmacist Quillon four hundred crowns" user=ana entities=Quillon
supersede secret secret2 "Marlo owes the pharmacist Quillon two hundred crowns" reason="paid half"
advance 1d
forget secret2
expect secret2 status FORGOTTEN
expect nowhere "two hundred crowns"
expect secret status SUPERSEDED
forget secret
expect nowhere "four hundred crowns"
expect nowhere "pharmacist"
search "What does Marlo owe the pharmacist Quillon?"
expect no hit secret
expect no hit secret2
expect hit keep
expect keep status ACTIVE

forget user=ana dryrun
expect keep status ACTIVE
forget user=ana
expect keep status FORGOTTEN
search "accordions tannery"
expect hits 0
expect memories 0
restart
search "accordions tannery"
expect hits 0
