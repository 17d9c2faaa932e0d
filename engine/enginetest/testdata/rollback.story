# A sleep or a consolidation can be rolled back for 7 days, newest first. Uses in between are
# kept. After seven days it can't.

remember e1 "Marta weighed 41 kilos of pears on the Quince terrace. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=a entities="Marta,Quince terrace"
advance 1d
remember e2 "Marta cut 17 branches on the Quince terrace. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=b entities="Marta,Quince terrace"
remember t1 "The gate of the yard is locked at night" user=ana duplicate=INSERT project=x confidence=0.8
advance 9d
mark evening
advance 1h
sleep as first
expect report consolidated 2
find summary since=evening kind=CONSOLIDATION
expect e1 status CONSOLIDATED
use "What was cut on the Quince terrace?" user=ana top=1
expect summary uses 1

advance 1d
remember t2 "The gate of the yard is locked at night" user=ana duplicate=INSERT project=y confidence=0.6
advance 1d
sleep as second
expect report deduplicated 1
expect t2 into t1
use "When is the gate of the yard locked?" user=ana top=1
expect t1 uses 1

rollback first
expect error VERSION_CONFLICT
expect e1 status CONSOLIDATED

rollback second
expect t2 status ACTIVE
expect t1 uses 1
rollback second
expect error VERSION_CONFLICT
rollback first
expect e1 status ACTIVE
expect e2 status ACTIVE
expect memories 0 kind=CONSOLIDATION status=ACTIVE
expect memories 4 status=ACTIVE

# After seven days it is final.
advance 1d
consolidate AGE days=2 as third
expect e1 status CONSOLIDATED
advance 7d
rollback third
advance 1s
consolidate AGE days=2 as fourth
expect e1 status CONSOLIDATED
advance 7d
advance 1s
rollback fourth
expect error VERSION_CONFLICT
expect e1 status CONSOLIDATED
