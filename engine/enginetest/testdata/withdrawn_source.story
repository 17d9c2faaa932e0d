# A source turns out to be bad. Its memories are withdrawn, with what sleep made of them. The
# memories of other sources stay and are distilled again without it. Nothing is erased.

remember e1 "Marta weighed 41 kilos of pears on the Quince terrace. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=a entities="Marta,Quince terrace" source=marta
advance 1d
remember e2 "Marta cut 17 branches on the Quince terrace. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=b entities="Marta,Quince terrace" source=marta
remember e3 "Marta watered the Quince terrace with 380 litres. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=c entities="Marta,Quince terrace" source=marta
remember lie "Marta sold the Quince terrace for 900 crowns. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=d entities="Marta,Quince terrace" source=gossip
remember other "The ferry to Gotland was cancelled" user=ana type=EPISODIC session=c source=harbour
advance 10d
sleep
expect report Derived 1
find sum user=ana kind=CONSOLIDATION status=ACTIVE
expect sum says "900 crowns"
expect e1 into sum
expect lie into sum

# A dry run changes nothing.
state before
withdraw gossip dryrun
expect state before

mark then
advance 1h
withdraw gossip reason="made it up"
expect lie status ARCHIVED
expect sum status ARCHIVED
expect sum reason "source withdrawn: made it up"
expect sum status ACTIVE asof=then
find again user=ana kind=CONSOLIDATION status=ACTIVE
expect again says "41 kilos"
expect again says "17 branches"
expect again hides "900 crowns"
expect e1 into again
expect e2 into again
expect other status ACTIVE
search "How much did the Quince terrace sell for?"
expect no hit lie
expect no hit sum

# A second withdrawal finds nothing, and sleep changes nothing.
state after
withdraw gossip
expect state after
advance 1d
sleep
expect lie status ARCHIVED
expect memories 1 kind=CONSOLIDATION status=ACTIVE

# With fewer than two sources left nothing is derived again; the merged memories are ACTIVE
# again.
advance 1h
withdraw marta
expect again status ARCHIVED
expect e1 status ARCHIVED
expect memories 0 kind=CONSOLIDATION status=ACTIVE
