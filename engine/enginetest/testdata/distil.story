# Episodes on one topic that are a week old become one statement with all their figures. The
# sources are kept and linked. Younger episodes and other topics are left alone, and an as-of
# question still finds the state before.

remember e1 "Marta weighed 41 kilos of pears on the Quince terrace. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=a entities="Marta,Quince terrace"
advance 1d
remember e2 "Marta cut 17 branches on the Quince terrace. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=b entities="Marta,Quince terrace"
advance 1d
remember e3 "Marta watered the Quince terrace with 380 litres. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=c entities="Marta,Quince terrace"
remember other "The ferry to Gotland was cancelled" user=ana type=EPISODIC session=c
advance 6d
remember young "Marta planted 9 seedlings on the Quince terrace. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=d entities="Marta,Quince terrace"
mark evening
advance 3d
sleep
expect report derived 1
expect report consolidated 3
find summary since=evening kind=CONSOLIDATION
expect summary from e1 e2 e3
expect summary type SEMANTIC
expect summary decay SLOW
expect summary says "41"
expect summary says "17"
expect summary says "380"
expect summary hides "seedlings"
expect summary words <=200
expect summary importance 0.45
expect e1 status CONSOLIDATED
expect e1 into summary
expect e3 into summary
expect young status ACTIVE
expect other status ACTIVE

search "How many kilos did Marta weigh on the Quince terrace?" user=ana
expect hit summary
expect no hit e1
search "How many kilos did Marta weigh on the Quince terrace?" user=ana asof=evening
expect hit e1 within 3
expect no hit summary
search "How many kilos did Marta weigh on the Quince terrace?" user=ana status=CONSOLIDATED
expect hit e1 within 1
