# A memory is archived after 30 days without use, not before. Memories that are used, core or
# safety-critical stay. Archived memories can still be read,
# and answer what no present memory surely answers.

remember chat1 "The kettle whistled twice this morning" user=ana salience=0.2 session=a
remember chat2 "A cloud looked like a boat" user=ana salience=0.2 session=b
remember chat3 "The lift was slow again" user=ana salience=0.2 session=c
remember chat4 "Someone hummed on the stairs" user=ana salience=0.2 session=d
remember vital "The blue cabinet must never be opened by hand" user=ana safety salience=0.1
remember pinned "Ana signs with A. Korven" user=ana core salience=0.1
remember used "The notary of Ana is Ms Tavish" user=ana salience=0.2
remember good1 "The cellar of the mill floods in March" user=ana salience=0.9
remember good2 "The mill was built by the Orsini family in 1743" user=ana salience=0.9
remember good3 "The wheel of the mill has 24 paddles of oak" user=ana salience=0.9

advance 20d
use "Who is the notary of Ana?" top=1
advance 10d
sleep
expect memories 0 status=ARCHIVED
mark day30
advance 1d
sleep
expect report pruned >=3
expect memories >=3 status=ARCHIVED
expect used status ACTIVE
expect vital status ACTIVE
expect pinned status ACTIVE
expect good1 status ACTIVE
expect chat1 status ARCHIVED
expect chat1 status ACTIVE asof=day30

search "Who is the notary of Ana?"
expect no hit chat1
search "What did the kettle do?"
expect hit chat1 within 1
expect label chat1 FADED
search "What did the kettle do?" status=ARCHIVED
expect hit chat1 within 1
expect label chat1 HISTORICAL
search "What did the kettle do?" asof=day30
expect hit chat1 within 1
