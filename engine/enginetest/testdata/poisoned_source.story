# Sleep must not launder a poisoned memory, and a poisoned memory must not take others down. Only
# memories of equal authority, consent and sensitivity are replaced by a summary, which has that
# trust too. Memories without consent are never sources. A falsehood from a weak source therefore
# gains nothing by sleep, and the summary of the good sources keeps their authority.

remember e1 "Tomas repaired the sluice at the Orsini weir for 240 euros. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=a entities="Tomas,Orsini weir,sluice" authority=0.8
advance 1d
remember e2 "Tomas painted the sluice at the Orsini weir green. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=b entities="Tomas,Orsini weir,sluice" authority=0.8
advance 1d
remember e3 "Tomas greased the sluice at the Orsini weir. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=f entities="Tomas,Orsini weir,sluice" authority=0.8
advance 1d
remember hushed "Tomas measured the sluice at the Orsini weir twice. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=e entities="Tomas,Orsini weir,sluice" authority=0.8 consent=IMPLICIT
advance 1d
caller intruder grant=0.2
remember lie "Tomas says the sluice at the Orsini weir must stay open at night. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=c entities="Tomas,Orsini weir,sluice" authority=1
expect lie authority 0.2
caller loopback
advance 1d
remember secret "Tomas cried beside the sluice at the Orsini weir. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=d entities="Tomas,Orsini weir,sluice" consent=NONE
advance 10d
mark evening
advance 1h
sleep
expect report derived 1
find summary since=evening kind=CONSOLIDATION
expect summary type SEMANTIC
expect summary tier L2
expect summary authority 0.8
expect summary consent EXPLICIT
expect summary uses 0
expect summary from e1 e2 e3
expect summary hides "cried"
expect summary hides "open at night"
expect e1 into summary
expect e2 into summary
expect e3 into summary
expect secret status ACTIVE
expect hushed status ACTIVE
expect lie status ACTIVE

# A reader with a minimum authority finds what the good sources say, and not the falsehood.
search "What did Tomas do to the sluice of the Orsini weir?" user=ana authority=0.5 consented
expect hit summary
expect no hit lie
expect no hit hushed

# Even with daily use the falsehood never becomes an engram: it has the confidence of its source.
use "Must the sluice at the Orsini weir stay open at night?" user=ana top=3
advance 1d
use "Must the sluice at the Orsini weir stay open at night?" user=ana top=3
advance 1d
use "Must the sluice at the Orsini weir stay open at night?" user=ana top=3
advance 1d
use "Must the sluice at the Orsini weir stay open at night?" user=ana top=3
advance 1d
use "Must the sluice at the Orsini weir stay open at night?" user=ana top=3
advance 1d
use "Must the sluice at the Orsini weir stay open at night?" user=ana top=3
sleep
expect lie days >=5
expect lie tier L1
expect lie confidence <=0.6
expect lie authority 0.2
expect secret status ACTIVE
