# Policies of a namespace: a medical one requires more evidence, the gates to the recess can
# only be tightened, weak consent can be refused, and restricted memories can have a lifetime.

policy clinic preset=MEDICAL
remember dose "The dose of Ana is 5 mg" namespace=clinic subject="dose of Ana" predicate=dose object="5 mg"
remember same "The dose of Ana is 5 mg" namespace=home subject="dose of Ana" predicate=dose object="5 mg"
adjudicate a "The dose of Ana is 10 mg" namespace=clinic subject="dose of Ana" evidence=nurse:0.5:0.9 evidence=chart:0.5:0.8
expect decision REJECTED quorum=0.85 required=0.9
adjudicate b "The dose of Ana is 10 mg" namespace=home subject="dose of Ana" evidence=nurse:0.5:0.9 evidence=chart:0.5:0.8
expect decision REPLACED quorum=0.85 required=0.8

policy clinic days=4
expect error INVALID_REQUEST
policy clinic confidence=0.5
expect error INVALID_REQUEST
policy clinic quorum=1.5
expect error INVALID_REQUEST field=quorum
policy clinic lambda=9
expect error INVALID_REQUEST field=lambda
adjudicate c "The dose of Ana is 20 mg" namespace=clinic subject="dose of Ana" evidence=nurse:0.5:0.9 evidence=chart:0.5:0.8
expect decision REJECTED required=0.9

policy clinic consent=EXPLICIT ttl=RESTRICTED:30d
remember none "Ana dislikes needles" namespace=clinic consent=IMPLICIT
expect error CONSENT_REQUIRED field=consent
remember secret "Ana carries the rare gene HX4" namespace=clinic sensitivity=RESTRICTED
remember plain "Ana wears glasses" namespace=clinic
advance 29d
expect secret status ACTIVE
advance 25h
expect secret status EXPIRED
expect plain status ACTIVE

# Only an administrator can set a policy.
caller nurse
policy clinic quorum=0.1
expect error FORBIDDEN
