# Erasure includes derived memories. After a consolidation none of the erased words remain
# anywhere, the other facts of the summary are kept, and no rollback restores the erased
# words.

remember e1 "Marta weighed 41 kilos of pears on the Quince terrace. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=a entities="Marta,Quince terrace"
advance 1d
remember e2 "Marta cut 17 branches on the Quince terrace. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=b entities="Marta,Quince terrace"
advance 1d
remember e3 "Marta buried a tin of 600 crowns on the Quince terrace. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=c entities="Marta,Quince terrace"
advance 9d
mark evening
advance 1h
sleep as night
find summary since=evening kind=CONSOLIDATION
expect summary says "600 crowns"
forget e3
expect nowhere "600 crowns"
expect nowhere "tin of"
expect e3 status FORGOTTEN
search "What did Marta bury on the Quince terrace?" user=ana
expect no hit e3

# The other sources of the summary are ACTIVE again, and the next sleep makes a summary
# without the erased source.
expect e1 status ACTIVE
expect e2 status ACTIVE
expect summary status FORGOTTEN
advance 1d
mark second_evening
advance 1h
sleep
find again since=second_evening kind=CONSOLIDATION
expect again from e1 e2
expect again says "41 kilos"
expect again says "17 branches"
expect e1 status CONSOLIDATED

# FORGOTTEN is final; a rollback does not restore it.
rollback night
expect error VERSION_CONFLICT
expect e3 status FORGOTTEN
expect nowhere "600 crowns"
expect nowhere "tin of"
