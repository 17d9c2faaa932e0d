# A working memory lives exactly as long as its lifetime, whenever the sweep records it.
# Without a lifetime it has 48 hours.

remember parked "The bicycle is parked at the east gate" user=ana ttl=2h
expect parked type WORKING
expect parked decay FAST
expect parked priority MEDIUM
remember scratch "Compare the two quotes for the roof" user=ana type=WORKING
advance 1h
search "Where is the bicycle parked?"
expect hit parked within 1
advance 61m
search "Where is the bicycle parked?"
expect no hit parked
expect parked status EXPIRED
expect scratch status ACTIVE
advance 46h
expect scratch status EXPIRED
restart
expect parked status EXPIRED
