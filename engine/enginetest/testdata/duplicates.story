# Sleep merges duplicates, found by either method, and keeps other memories apart: other
# numbers, other users, other namespaces, episodes of different days, and anything without
# consent.

policy default revision=OFF
remember a1 "The gate of the yard is locked at night" user=ana duplicate=INSERT project=x confidence=0.6
remember a2 "The gate of the yard is locked at night." user=ana duplicate=INSERT project=y confidence=0.7
remember n1 "The bakery sells rolls for 70 cents" user=ana duplicate=INSERT
remember n2 "The bakery sells rolls for 90 cents" user=ana duplicate=INSERT
remember b "The gate of the yard is locked at night" user=bea
remember w "The gate of the yard is locked at night" user=ana namespace=work
remember none1 "Ana wakes up at night" user=ana consent=NONE duplicate=INSERT
remember none2 "Ana wakes up at night" user=ana consent=NONE duplicate=INSERT
remember day1 "Ana ran along the quarry lake" user=ana type=EPISODIC session=mon
advance 1d
remember day2 "Ana ran along the quarry lake" user=ana type=EPISODIC session=tue
mark before
advance 10h
sleep
expect report deduplicated 1
expect a2 status ACTIVE
expect a1 status CONSOLIDATED
expect a1 into a2
expect a1 status ACTIVE asof=before
expect n1 status ACTIVE
expect n2 status ACTIVE
expect b status ACTIVE
expect w status ACTIVE
expect none1 status ACTIVE
expect none2 status ACTIVE
expect day1 status ACTIVE
expect day2 status ACTIVE

search "gate of the yard at night" user=ana namespace=default
expect hit a2 within 1
expect no hit a1
search "gate of the yard at night" user=ana namespace=default asof=before
expect hit a1
