# A task detected in a conversation stays a candidate until it is confirmed, done or dismissed.
# Undecided candidates expire 48 hours after the end of the session, or become episodes if they
# were mentioned again.

observe t1 user "Don't forget to return the ladder to Brannock." session=talk user=ana
observe t2 user "Don't forget to oil the hinges of the shed." session=talk user=ana
task ladder "return the ladder"
task hinges "oil the hinges"
expect ladder status ACTIVE
expect ladder type WORKING
expect ladder status ACTIVE
confirm ladder
dismiss hinges
expect hinges status EXPIRED
observe t3 user "TODO: sharpen the saw" session=talk user=ana
observe t4 user "TODO: sharpen the saw" session=talk user=ana
observe t5 user "TODO: call the mason by Friday" session=talk user=ana
observe t6 user "TODO: sweep the chimney" session=talk user=ana
task saw "sharpen the saw"
task mason "call the mason"
task chimney "sweep the chimney"
done chimney
expect chimney status EXPIRED
advance 10m
close talk
expect ladder status ACTIVE
advance 47h
sleep deep
expect mason status ACTIVE
expect mason type WORKING
expect saw type WORKING
advance 1h
expect mason status EXPIRED
expect ladder type WORKING
advance 5d
expect ladder status ACTIVE
