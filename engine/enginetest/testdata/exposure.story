# What a prompt shows is exposure and no use: it makes nothing permanent.
# How use does is in engraving.story.

remember valve "The main valve of the greenhouse is behind the fig tree." user=ana authority=1 confidence=0.9 salience=0.9
remember hose "The spare hose of the greenhouse is blue." user=ana authority=1 confidence=0.9 salience=0.9
context "ok thanks, go on" session=d1 user=ana
context "Hello" session=d1 user=ana
advance 15h
sleep
advance 9h
context "ok thanks, go on" session=d2 user=ana
context "" session=d2b user=ana
advance 15h
sleep
advance 9h
context "ok thanks, go on" session=d3 user=ana
context "" session=d3b user=ana
advance 15h
sleep
advance 9h
context "ok thanks, go on" session=d4 user=ana
context "" session=d4b user=ana
advance 15h
sleep
advance 9h
context "ok thanks, go on" session=d5 user=ana
context "" session=d5b user=ana
advance 15h
sleep
advance 9h
context "" session=d6 user=ana
advance 15h
sleep
expect hose uses 0
expect hose days 0
expect hose tier L2
expect valve tier L2
