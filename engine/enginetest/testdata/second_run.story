# A second sleep changes nothing, however much the first one did.

remember f1 "The sluice of the pond opens with a brass key" user=ana salience=0.9
remember t1 "The gate of the yard is locked at night" user=ana duplicate=INSERT project=x
remember t2 "The gate of the yard is locked at night" user=ana duplicate=INSERT project=y
remember c1 "The kettle whistled" user=ana salience=0.1 session=a
remember c2 "A cloud looked like a boat" user=ana salience=0.1 session=b
remember c3 "The lift was slow" user=ana salience=0.1 session=c
use "What opens the sluice of the pond?" top=1
advance 32d
sleep
expect report complete 1
expect report resumed 0
expect report deduplicated 1
expect report pruned >=1
state after
sleep
expect state after
expect report deduplicated 0
expect report pruned 0
expect report reinforced 0
expect report consolidated 0
advance 1h
sleep
expect state after
restart
sleep light
expect state after
