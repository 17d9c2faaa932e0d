# Sleep merges two notes that say the same. Erasing the merged one erases only that one: the
# other was written independently and stays.

remember weak "The gate of the orchard is locked at night" user=ana duplicate=INSERT source=diary confidence=0.6
remember strong "The gate of the orchard is locked at night." user=ana duplicate=INSERT source=letter confidence=0.8
advance 10h
sleep as night
expect weak into strong

forget weak
expect weak status FORGOTTEN
expect strong status ACTIVE
expect strong says "gate of the orchard"
search "Is the gate of the orchard locked?" user=ana
expect hit strong within 1
expect no hit weak

# A rollback does not restore it, and the next sleep does nothing with it.
rollback night
expect weak status FORGOTTEN
expect strong status ACTIVE
advance 1d
sleep
expect report deduplicated 0
expect strong status ACTIVE

# The reverse: erasing the surviving note makes the merged one ACTIVE again.
advance 1h
remember third "The yard of the orchard is open on Sundays" user=ana duplicate=INSERT source=diary confidence=0.6
remember fourth "The yard of the orchard is open on Sundays." user=ana duplicate=INSERT source=letter confidence=0.8
advance 1d
sleep
expect third into fourth
forget fourth
expect fourth status FORGOTTEN
expect third status ACTIVE
