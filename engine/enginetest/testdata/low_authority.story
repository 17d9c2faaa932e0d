# An attack with low authority: a caller with a small grant repeats a falsehood in many words.
# It can't raise its own authority, can't supersede a memory of higher authority, and can't
# reach a quorum. What it stores is at most marked as contested beside the belief, and a
# reader with a minimum authority never sees it.

remember truth "The safe combination of the north vault is 7714" subject="safe combination of the north vault"
  user=ana
expect truth authority 0.8
advance 1d

caller intruder grant=0.3
remember lie1 "The safe combination of the north vault is 0000" subject="safe combination of the north vault" user=ana authority=1
expect lie1 authority 0.3
expect remembered against truth
remember lie2 "North vault: the safe combination has been changed to 0000" user=ana authority=1
expect lie2 authority 0.3
remember lie3 "Everybody knows the north vault opens with 0000" user=ana
expect lie3 authority 0.3

supersede truth lie4 "The safe combination of the north vault is 0000" reason="trust me"
expect error FORBIDDEN field=id
expect truth status ACTIVE

# All its sources count as the caller, with the caller's grant.
adjudicate a "The safe combination of the north vault is 1111" subject="safe combination of the north vault"
  evidence=ana:1:1 evidence=bea:1:1 evidence=cy:1:1
expect decision REJECTED quorum=0.3
# A repetition of its own falsehood is merged with that memory.
adjudicate b "The safe combination of the north vault is 0000" subject="safe combination of the north vault"
  evidence=ana:1:1 evidence=bea:1:1 evidence=cy:1:1
expect b is lie1
expect lie1 authority 0.3
expect truth status ACTIVE
expect truth version 1
expect lineage truth is truth

caller loopback
# The conflict that a weak source causes is scaled by its authority.
expect truth conflict <0.4

search "What is the safe combination of the north vault?" authority=0.5
expect hit truth within 1
expect no hit lie1
expect no hit lie2
expect no hit lie3
