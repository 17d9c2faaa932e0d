# Erasure reaches what was derived: after a consolidation nothing of the erased words is
# left anywhere, and a rollback does not bring them back.

remember e1 "Marta weighed 41 kilos of pears on the Quince terrace" user=ana type=EPISODIC session=a entities="Marta,Quince terrace"
advance 1d
remember e2 "Marta cut 17 branches on the Quince terrace" user=ana type=EPISODIC session=b entities="Marta,Quince terrace"
advance 1d
remember e3 "Marta buried a tin of 600 crowns on the Quince terrace" user=ana type=EPISODIC session=c entities="Marta,Quince terrace"
advance 9d
mark evening
advance 1h
sleep as night
find summary since=evening kind=CONSOLIDATION
expect summary says "600 crowns"
forget e3
expect e3 status FORGOTTEN
expect nowhere "600 crowns"
expect nowhere "tin of"
search "What did Marta bury on the Quince terrace?" user=ana
expect no hit e3
rollback night
expect e3 status FORGOTTEN
expect e1 status ACTIVE
expect e2 status ACTIVE
expect nowhere "600 crowns"
