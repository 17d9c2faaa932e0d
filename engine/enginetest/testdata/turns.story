# Turns of a conversation start in L0, can be found at once, survive a restart, and move to L1
# when their session is closed.

observe t1 user "Could you book the glass pavilion for the assembly?" session=talk user=ana
observe t2 assistant "The glass pavilion is free on Thursday at nine." session=talk user=ana
expect t1 tier L0
search "Is the glass pavilion free?" user=ana
expect hit t2
restart
expect t1 tier L0
advance 5m
close talk
expect t1 tier L1
expect t2 tier L1
expect t1 type EPISODIC
expect t2 authority 0.4
expect t1 authority 0.8
search "Is the glass pavilion free?" user=ana
expect hit t2
