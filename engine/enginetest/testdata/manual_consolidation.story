# Manual consolidation. By age it merges related memories and archives single ones. By
# importance it keeps important memories. A dry run changes nothing.

remember e1 "Marta weighed 41 kilos of pears on the Quince terrace. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=a entities="Marta,Quince terrace" importance=0.2
advance 1d
remember e2 "Marta cut 17 branches on the Quince terrace. The lane floods in spring. The mill grinds rye and oats. The shed stores the sacks and ropes. The well runs dry in August. The gate squeaks. The bees live under the plum tree. The wall faces south. The ladder leans on the barn. The pears ripen late" user=ana type=EPISODIC session=b entities="Marta,Quince terrace" importance=0.2
remember alone "A heron stood on the roof of the boathouse" user=ana type=EPISODIC session=b importance=0.1
remember weighty "The boathouse was sold to the Selkie club" user=ana type=EPISODIC session=b importance=0.9
remember pinned "Ana signs with A. Korven" user=ana core importance=0.1
advance 3d
remember young "Ana lost her gloves at the Selkie club" user=ana type=EPISODIC session=c importance=0.2
state before

consolidate IMPORTANCE importance=0.5 user=ana dryrun
expect report derived 1
expect state before

consolidate AGE days=2 user=ana as age
expect report consolidated 2
expect e1 status CONSOLIDATED
expect alone status ARCHIVED
expect weighty status ARCHIVED
expect young status ACTIVE
expect pinned status ACTIVE
rollback age
expect present before

consolidate IMPORTANCE importance=0.5 user=ana
expect e1 status CONSOLIDATED
expect e2 status CONSOLIDATED
expect alone status ARCHIVED
expect young status ARCHIVED
expect weighty status ACTIVE
expect pinned status ACTIVE

consolidate TOKEN_BUDGET user=ana
expect error INVALID_REQUEST field=tokenBudget
