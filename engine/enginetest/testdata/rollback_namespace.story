# A rollback to an instant undoes every sleep that ended after it, and one that is limited to a
# namespace leaves the others as they are.

remember n1 "The gate of the yard is locked at night" namespace=north duplicate=INSERT project=x confidence=0.8
remember n2 "The gate of the yard is locked at night" namespace=north duplicate=INSERT project=y confidence=0.6
remember s1 "The harbour lamp is lit at dusk" namespace=south duplicate=INSERT project=x confidence=0.8
remember s2 "The harbour lamp is lit at dusk" namespace=south duplicate=INSERT project=y confidence=0.6
advance 1d
mark evening
advance 1m
sleep as first
expect n2 into n1
expect s2 into s1

advance 1d
remember n3 "The well in the yard is covered in winter" namespace=north duplicate=INSERT project=x confidence=0.8
remember n4 "The well in the yard is covered in winter" namespace=north duplicate=INSERT project=y confidence=0.6
advance 1d
sleep as second
expect n4 into n3
state asleep

# A dry run changes nothing.
rollback to=evening namespace=north dryrun
expect state asleep

rollback to=evening namespace=north
expect n2 status ACTIVE
expect n4 status ACTIVE
expect s2 into s1

# It is done once; the south follows later, with the same sleep.
rollback first namespace=north
expect error VERSION_CONFLICT field=id
rollback first
expect error VERSION_CONFLICT field=id
rollback second
rollback first
expect s2 status ACTIVE
expect n2 status ACTIVE
rollback to=evening
expect memories 6 status=ACTIVE
