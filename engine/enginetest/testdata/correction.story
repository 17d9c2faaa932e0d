# A correction is a new version. The old one keeps its number and its place in time, is never
# returned as current, and can't be corrected again.

remember v1 "The rehearsal of the brass quintet is on Tuesday at 18:00" user=bea session=a
expect v1 version 1
advance 3d
mark tuesday
advance 1d
supersede v1 v2 "The rehearsal of the brass quintet is on Thursday at 19:30" reason="moved"
expect v1 status SUPERSEDED
expect v2 version 2
expect v2 status ACTIVE
expect v2 uses 0
expect lineage v2 is v1 v2
expect v1 current v2
expect v2 reason "moved"

supersede v1 v3 "The rehearsal of the brass quintet is on Friday at 17:00"
expect error VERSION_CONFLICT field=id

advance 10d
search "When does the brass quintet rehearse?"
expect hit v2 within 1
expect label v2 CURRENT
expect no hit v1

search "When does the brass quintet rehearse?" asof=tuesday
expect hit v1 within 1
expect no hit v2
expect v1 status ACTIVE asof=tuesday
expect v2 absent asof=tuesday

search "brass quintet rehearsal" status=SUPERSEDED
expect hit v1
expect label v1 HISTORICAL
