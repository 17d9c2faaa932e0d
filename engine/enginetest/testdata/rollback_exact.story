# A rollback restores the state before the sleep byte for byte, except for the history, which
# records the sleep.

remember c1 "The kettle whistled" user=ana salience=0.1 session=a
remember c2 "A cloud looked like a boat" user=ana salience=0.1 session=b
remember c3 "The lift was slow" user=ana salience=0.1 session=c
advance 25d
remember e1 "Marta weighed 41 kilos of pears on the Quince terrace. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=a entities="Marta,Quince terrace"
advance 1d
remember e2 "Marta cut 17 branches on the Quince terrace. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=b entities="Marta,Quince terrace"
remember t1 "The gate of the yard is locked at night" user=ana duplicate=INSERT project=x
remember t2 "The gate of the yard is locked at night" user=ana duplicate=INSERT project=y
remember f "The sluice of the pond opens with a brass key" user=ana salience=0.9 authority=1
advance 8d
use "What opens the sluice of the pond?" top=1
state before
sleep as night
expect report reinforced >=1
expect report pruned >=1
expect report deduplicated 1
expect report consolidated 2
expect e1 status CONSOLIDATED
rollback night
expect present before
mark morning

# The state after the sleep can still be read as of that time.
restart
expect present before
expect e1 status ACTIVE
