# Confidence grows at most once a day of use. With a single source it is at most (1+A)/2, so a
# weak source never reaches the gate to the recess.

remember strong "The main valve of the greenhouse is behind the fig tree" user=ana authority=1 confidence=0.7 salience=0.8
remember weak "The fuse box of the greenhouse hangs above the door" user=ana authority=0.6 confidence=0.7 salience=0.8
use "Where is the main valve?" top=1
use "Where is the main valve?" top=1
use "Where is the main valve?" top=1
use "Where does the fuse box hang?" top=1
advance 20h
expect strong uses 1
expect strong days 1
sleep
expect strong confidence 0.81..0.85
advance 1h
sleep
expect strong confidence 0.81..0.85
expect weak confidence <=0.8
use "Where does the fuse box hang?" top=1
advance 24h
sleep
use "Where does the fuse box hang?" top=1
advance 24h
sleep
use "Where does the fuse box hang?" top=1
advance 24h
sleep
use "Where does the fuse box hang?" top=1
advance 24h
use "Where does the fuse box hang?" top=1
sleep
expect weak days >=5
expect weak confidence 0.8
expect weak tier L2
