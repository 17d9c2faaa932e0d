# Three matters of two users. After a sleep each has clusters. A search names the tier of each hit,
# completes an answer of few hits from the clusters of these hits, and does not answer what means
# nothing. Nothing of another user's clusters appears. The statements are made up and alike: none replaces another one.
policy default revision=OFF
remember bread0 "The sourdough and the rye loaf were seen with a brioche dough at the oven (100)" user=ana type=SEMANTIC
remember bread1 "rye loaf, brioche dough or proving basket: ask at the bakery, number 101" user=ana type=SEMANTIC
remember bread2 "Bring brioche dough, proving basket and flour order to the proving room by 102" user=ana type=SEMANTIC
remember bread3 "The proving basket and the flour order were seen with a baguette at the flour mill (103)" user=ana type=SEMANTIC
remember bread4 "flour order, baguette or sourdough: ask at the oven, number 104" user=ana type=SEMANTIC
remember bread5 "Bring baguette, sourdough and rye loaf to the bakery by 105" user=ana type=SEMANTIC
remember bread6 "The sourdough and the brioche dough were seen with a flour order at the proving room (106)" user=ana type=SEMANTIC
remember bread7 "rye loaf, proving basket or baguette: ask at the flour mill, number 107" user=ana type=SEMANTIC
remember bread8 "Bring brioche dough, flour order and sourdough to the oven by 108" user=ana type=SEMANTIC
remember bread9 "The proving basket and the baguette were seen with a rye loaf at the bakery (109)" user=ana type=SEMANTIC
remember bread10 "flour order, sourdough or brioche dough: ask at the proving room, number 110" user=ana type=SEMANTIC
remember bread11 "Bring baguette, rye loaf and proving basket to the flour mill by 111" user=ana type=SEMANTIC
remember bread12 "The sourdough and the proving basket were seen with a sourdough at the oven (112)" user=ana type=SEMANTIC
remember bread13 "rye loaf, flour order or rye loaf: ask at the bakery, number 113" user=ana type=SEMANTIC
remember bread14 "Bring brioche dough, baguette and brioche dough to the proving room by 114" user=ana type=SEMANTIC
remember bread15 "The proving basket and the sourdough were seen with a proving basket at the flour mill (115)" user=ana type=SEMANTIC
remember bread16 "flour order, rye loaf or flour order: ask at the oven, number 116" user=ana type=SEMANTIC
remember bread17 "Bring baguette, brioche dough and baguette to the bakery by 117" user=ana type=SEMANTIC
remember bread18 "The sourdough and the flour order were seen with a brioche dough at the proving room (118)" user=ana type=SEMANTIC
remember bread19 "rye loaf, baguette or proving basket: ask at the flour mill, number 119" user=ana type=SEMANTIC
remember bread20 "Bring brioche dough, sourdough and flour order to the oven by 120" user=ana type=SEMANTIC
remember bread21 "The proving basket and the rye loaf were seen with a baguette at the bakery (121)" user=ana type=SEMANTIC
remember bread22 "flour order, brioche dough or sourdough: ask at the proving room, number 122" user=ana type=SEMANTIC
remember bread23 "Bring baguette, proving basket and rye loaf to the flour mill by 123" user=ana type=SEMANTIC
remember music0 "The violin and the cello bow were seen with a concerto at the concert hall (100)" user=ana type=SEMANTIC
remember music1 "cello bow, concerto or quartet rehearsal: ask at the conservatory, number 101" user=ana type=SEMANTIC
remember music2 "Bring concerto, quartet rehearsal and string quartet to the music school by 102" user=ana type=SEMANTIC
remember music3 "The quartet rehearsal and the string quartet were seen with a sonata at the orchestra pit (103)" user=ana type=SEMANTIC
remember music4 "string quartet, sonata or violin: ask at the concert hall, number 104" user=ana type=SEMANTIC
remember music5 "Bring sonata, violin and cello bow to the conservatory by 105" user=ana type=SEMANTIC
remember music6 "The violin and the concerto were seen with a string quartet at the music school (106)" user=ana type=SEMANTIC
remember music7 "cello bow, quartet rehearsal or sonata: ask at the orchestra pit, number 107" user=ana type=SEMANTIC
remember music8 "Bring concerto, string quartet and violin to the concert hall by 108" user=ana type=SEMANTIC
remember music9 "The quartet rehearsal and the sonata were seen with a cello bow at the conservatory (109)" user=ana type=SEMANTIC
remember music10 "string quartet, violin or concerto: ask at the music school, number 110" user=ana type=SEMANTIC
remember music11 "Bring sonata, cello bow and quartet rehearsal to the orchestra pit by 111" user=ana type=SEMANTIC
remember music12 "The violin and the quartet rehearsal were seen with a violin at the concert hall (112)" user=ana type=SEMANTIC
remember music13 "cello bow, string quartet or cello bow: ask at the conservatory, number 113" user=ana type=SEMANTIC
remember music14 "Bring concerto, sonata and concerto to the music school by 114" user=ana type=SEMANTIC
remember music15 "The quartet rehearsal and the violin were seen with a quartet rehearsal at the orchestra pit (115)" user=ana type=SEMANTIC
remember music16 "string quartet, cello bow or string quartet: ask at the concert hall, number 116" user=ana type=SEMANTIC
remember music17 "Bring sonata, concerto and sonata to the conservatory by 117" user=ana type=SEMANTIC
remember music18 "The violin and the string quartet were seen with a concerto at the music school (118)" user=ana type=SEMANTIC
remember music19 "cello bow, sonata or quartet rehearsal: ask at the orchestra pit, number 119" user=ana type=SEMANTIC
remember music20 "Bring concerto, violin and string quartet to the concert hall by 120" user=ana type=SEMANTIC
remember music21 "The quartet rehearsal and the cello bow were seen with a sonata at the conservatory (121)" user=ana type=SEMANTIC
remember music22 "string quartet, concerto or violin: ask at the music school, number 122" user=ana type=SEMANTIC
remember music23 "Bring sonata, quartet rehearsal and cello bow to the orchestra pit by 123" user=ana type=SEMANTIC
remember winch0 "The winch and the hawser were seen with a capstan at the slipway (100)" user=bo type=SEMANTIC
remember winch1 "hawser, capstan or bollard: ask at the quay, number 101" user=bo type=SEMANTIC
remember winch2 "Bring capstan, bollard and anchor chain to the foredeck by 102" user=bo type=SEMANTIC
remember winch3 "The bollard and the anchor chain were seen with a windlass at the dry dock (103)" user=bo type=SEMANTIC
remember winch4 "anchor chain, windlass or winch: ask at the slipway, number 104" user=bo type=SEMANTIC
remember winch5 "Bring windlass, winch and hawser to the quay by 105" user=bo type=SEMANTIC
remember winch6 "The winch and the capstan were seen with a anchor chain at the foredeck (106)" user=bo type=SEMANTIC
remember winch7 "hawser, bollard or windlass: ask at the dry dock, number 107" user=bo type=SEMANTIC
remember winch8 "Bring capstan, anchor chain and winch to the slipway by 108" user=bo type=SEMANTIC
remember winch9 "The bollard and the windlass were seen with a hawser at the quay (109)" user=bo type=SEMANTIC
remember winch10 "anchor chain, winch or capstan: ask at the foredeck, number 110" user=bo type=SEMANTIC
remember winch11 "Bring windlass, hawser and bollard to the dry dock by 111" user=bo type=SEMANTIC
remember winch12 "The winch and the bollard were seen with a winch at the slipway (112)" user=bo type=SEMANTIC
remember winch13 "hawser, anchor chain or hawser: ask at the quay, number 113" user=bo type=SEMANTIC
remember winch14 "Bring capstan, windlass and capstan to the foredeck by 114" user=bo type=SEMANTIC
remember winch15 "The bollard and the winch were seen with a bollard at the dry dock (115)" user=bo type=SEMANTIC
remember winch16 "anchor chain, hawser or anchor chain: ask at the slipway, number 116" user=bo type=SEMANTIC
remember winch17 "Bring windlass, capstan and windlass to the quay by 117" user=bo type=SEMANTIC
remember winch18 "The winch and the anchor chain were seen with a capstan at the foredeck (118)" user=bo type=SEMANTIC
remember winch19 "hawser, windlass or bollard: ask at the dry dock, number 119" user=bo type=SEMANTIC
remember winch20 "Bring capstan, winch and anchor chain to the slipway by 120" user=bo type=SEMANTIC
remember winch21 "The bollard and the hawser were seen with a windlass at the quay (121)" user=bo type=SEMANTIC
remember winch22 "anchor chain, capstan or winch: ask at the foredeck, number 122" user=bo type=SEMANTIC
remember winch23 "Bring windlass, bollard and hawser to the dry dock by 123" user=bo type=SEMANTIC

advance 1d
sleep deep

search "Was the sourdough with the rye loaf and the brioche dough seen at the oven, number 100?" user=ana ratio=0.95 tiers=MEMORIES_ONLY
expect hit bread0 within 1
expect tier bread0 MEMORY
expect hits 1..2
search "Was the sourdough with the rye loaf and the brioche dough seen at the oven, number 100?" user=ana ratio=0.95
expect hit bread0 within 1
expect hits 3..4
search "sourdough and rye loaf at the oven" user=ana tiers=CLUSTERS_ONLY
expect hits 3..10
expect tier bread0 CLUSTER
expect no hit music0
search "winch and hawser at the quay" user=ana tiers=CLUSTERS_ONLY
expect no hit winch0
expect no hit winch6
search "xq zzkr wvvb" user=ana
expect hits 0
search "xq zzkr wvvb" user=ana tiers=CLUSTERS_ONLY
expect hits 0

mark now
search "sourdough" user=ana tiers=CLUSTERS_ONLY asof=now
expect error INVALID_REQUEST field=tierPreference
