# Sleep must not launder a poisoned memory. A derived memory has the lowest authority, the
# weakest consent and the highest sensitivity of its sources, and memories without consent are
# never sources. A falsehood from a weak source therefore gains nothing by sleep.

remember e1 "Tomas repaired the sluice at the Orsini weir for 240 euros. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=a entities="Tomas,Orsini weir,sluice" authority=0.9
advance 1d
remember e2 "Tomas painted the sluice at the Orsini weir green. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=b entities="Tomas,Orsini weir,sluice" authority=0.8 consent=IMPLICIT
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
expect summary authority 0.2
expect summary consent IMPLICIT
expect summary confidence <=0.6
expect summary uses 0
expect summary from e1 e2 lie
expect summary hides "cried"
expect secret status ACTIVE

# A reader with a minimum authority sees the good sources by id, and not the falsehood.
search "What must be done with the sluice of the Orsini weir at night?" user=ana authority=0.5
expect no hit summary
expect no hit lie

# Even with daily use it never becomes an engram: it has the confidence of its weakest source.
use "What do we know about the sluice at the Orsini weir?" user=ana top=2
advance 1d
use "What do we know about the sluice at the Orsini weir?" user=ana top=2
advance 1d
use "What do we know about the sluice at the Orsini weir?" user=ana top=2
advance 1d
use "What do we know about the sluice at the Orsini weir?" user=ana top=2
advance 1d
use "What do we know about the sluice at the Orsini weir?" user=ana top=2
advance 1d
use "What do we know about the sluice at the Orsini weir?" user=ana top=2
sleep
expect summary days >=5
expect summary tier L2
expect summary confidence <=0.6
expect summary authority 0.2
expect secret status ACTIVE
