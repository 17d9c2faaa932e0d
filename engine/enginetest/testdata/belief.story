# Weak evidence makes a belief labile and leaves it as it was. Evidence does not accumulate
# across rejections. A quorum of distinct principals replaces the belief in one step and keeps
# its history.

remember rome "The archive of Tessaly Prints is in Rome" subject="archive of Tessaly Prints"
  source=ledger
expect rome version 1
advance 2d

adjudicate a "The archive of Tessaly Prints is in Turin" subject="archive of Tessaly Prints"
  evidence=courier:0.5:0.8
expect decision REJECTED quorum=0.4 required=0.8 conflict=>0.3
expect a is rome
expect rome status ACTIVE
expect rome says "Rome"

# The same principal counts once, however often it repeats the fact.
adjudicate a "The archive of Tessaly Prints is in Turin" subject="archive of Tessaly Prints"
  evidence=courier:0.5:0.8 evidence=courier:0.5:0.8 evidence=courier:0.4:0.9
expect decision REJECTED quorum=0.4
adjudicate a "The archive of Tessaly Prints is in Turin" subject="archive of Tessaly Prints"
  evidence=courier:0.5:0.8
expect decision REJECTED quorum=0.4
expect rome status ACTIVE

mark before
advance 1d

# Two principals together reach the quorum.
adjudicate turin "The archive of Tessaly Prints is in Turin" subject="archive of Tessaly Prints"
  evidence=courier:0.5:0.8 evidence=landlord:0.9:0.6
expect decision REPLACED quorum=0.94
expect turin status ACTIVE
expect turin version 2
expect rome status SUPERSEDED
expect rome version 1
expect rome current turin
expect lineage rome is rome turin

search "Where is the archive of Tessaly Prints?"
expect hit turin within 1
expect label turin CURRENT
expect no hit rome

search "Where is the archive of Tessaly Prints?" asof=before
expect hit rome within 1
expect no hit turin
expect label rome HISTORICAL

# A fact that repeats the belief is merged: the text stays, the belief is reinforced.
advance 1d
adjudicate again "The archive of Tessaly Prints is in Turin" subject="archive of Tessaly Prints"
  evidence=clerk:0.9:0.9
expect decision MERGED
expect again is turin
expect turin stored >=0.1
