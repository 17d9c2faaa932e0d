# A sleep that crashes in REM is resumed by the next one, with the same result as without a
# crash.

remember f1 "The sluice of the pond opens with a brass key" user=ana salience=0.9
remember f2 "The pond of Ana is three metres deep" user=ana salience=0.9
remember f3 "The carp in the pond are called Bolt and Nut" user=ana salience=0.9
remember t1 "The gate of the yard is locked at night" user=ana duplicate=INSERT project=x
remember t2 "The gate of the yard is locked at night" user=ana duplicate=INSERT project=y
remember c1 "The kettle whistled" user=ana salience=0.1 session=a
remember c2 "A cloud looked like a boat" user=ana salience=0.1 session=b
remember c3 "The lift was slow" user=ana salience=0.1 session=c
remember c4 "It smelled of toast" user=ana salience=0.1 session=d
advance 30d
use "What opens the sluice of the pond?" top=2
advance 2d
state before
crash in REM
sleep
expect report resumed 1
expect report complete 1
expect state uninterrupted
state after
sleep
expect state after
