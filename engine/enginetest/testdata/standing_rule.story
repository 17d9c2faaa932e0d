# A rule that was said once stands in every prompt, whatever it is about, for 600 days and many nights.
# Nothing used it.

remember rule "Always answer in Dutch." user=ana session=s1
remember other "The ferry leaves at nine." user=ana session=s1
context "Which ferry should I take?" user=ana session=s2
expect context has rule
advance 100d
sleep
advance 100d
sleep
advance 100d
sleep
advance 100d
sleep
advance 100d
sleep
advance 100d
sleep
context "Which ferry should I take?" user=ana session=s3
expect context has rule
expect context says "Always answer in Dutch."
context "Hello" user=ana session=s4
expect context has rule
context "Hello" user=bo session=s5
expect context lacks rule
