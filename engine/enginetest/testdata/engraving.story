# A memory becomes permanent when it was used on five distinct days in three sessions, has enough
# confidence and no conflict: all of these, and not a day sooner. From then on it never fades, whatever happens
# to similar memories.

remember valve "The main valve of the greenhouse is behind the fig tree" user=ana authority=1 confidence=0.8 salience=0.9 source=gardener
remember idle "The spare hose of the greenhouse is blue" user=ana authority=1 confidence=0.8 salience=0.9 source=gardener
expect valve tier L2
expect valve type SEMANTIC

use "Where is the main valve?" top=1
advance 24h
sleep
use "Where is the main valve?" top=1
use "Where is the main valve?" top=1
advance 24h
sleep
use "Where is the main valve?" top=1
advance 24h
sleep
use "Where is the main valve?" top=1
advance 24h
sleep as fourth
expect valve days 4
expect valve uses 4
expect valve tier L2
expect report engraved 0
mark before
use "Where is the main valve?" top=1
advance 12h
expect valve days 5
sleep
expect valve confidence >=0.85
expect report engraved 1
expect valve tier L3
expect idle tier L2
expect valve tier L2 asof=before

# Time does not fade an engram, and a deep sleep half a year later leaves it unchanged.
advance 180d
expect valve retention 1
sleep
expect valve status ACTIVE
expect valve tier L3
expect idle retention <0.4
