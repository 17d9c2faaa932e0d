# Consent is required at write. A reader that requires consent never sees memories without it,
# directly or indirectly.

remember untagged "Ines sleeps badly before concerts" consent=""
expect error CONSENT_REQUIRED field=consent

remember none "Ines sleeps badly before concerts" user=ines consent=NONE
remember implied "Ines tunes her viola before concerts" user=ines consent=IMPLICIT
remember given "Ines warms up for an hour before concerts" user=ines consent=EXPLICIT

search "What does Ines do before concerts?" user=ines
expect hit none
expect hit implied
expect hit given
search "What does Ines do before concerts?" user=ines consented
expect hits 1
expect hit given
search "What does Ines do before concerts?" user=ines consented implicit
expect hits 2
expect no hit none
context "concerts of Ines" user=ines consented
expect context has given
expect context lacks none
expect context lacks implied
