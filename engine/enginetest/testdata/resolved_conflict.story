# Two beliefs contradict each other until a person resolves the conflict.

policy default revision=OFF
remember eight "The clinic opens at 8" subject=clinic source=leaflet
advance 1d
remember nine "The clinic opens at 9" subject=clinic source=nurse
expect remembered against eight
expect eight conflict >0.3
expect nine conflict >0.3

# A caller with less authority can't make the other memory give way.
caller visitor grant=0.3
resolve eight nine keep=nine
expect error FORBIDDEN field=a
caller loopback
expect eight status ACTIVE

resolve eight nine keep=nine reason="asked at the desk"
expect eight status SUPERSEDED
expect eight reason "asked at the desk"
expect nine status ACTIVE
expect nine conflict 0
resolve eight nine keep=nine
expect error VERSION_CONFLICT field=a

# Erasing the superseded memory leaves the chain of the other as it is.
forget eight
expect nine current nine
expect nine status ACTIVE
supersede nine ten "The clinic opens at 10"
expect ten version 2

# Both may stay.
remember blue "The gate of the mill is blue" subject=gate
remember red "The gate of the mill is red" subject=gate
expect remembered against blue
resolve blue red
expect blue conflict 0
expect red conflict 0
expect blue status ACTIVE
expect red status ACTIVE
resolve blue red
expect error INVALID_REQUEST field=b
