# A task detected in a conversation stays a candidate until it is confirmed or dismissed; at
# the end of the session undecided candidates expire.

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
advance 10m
close talk
expect ladder status ACTIVE
expect ladder type WORKING
advance 5d
expect ladder status ACTIVE
