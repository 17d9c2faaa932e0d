# What was said once and never asked for answers half a year later, if nothing else does: it is labelled
# FADED. A use brings it back.

remember will "The will is kept in the blue tin under the stairs." user=ana
remember tree "The apple tree was planted by my grandfather." user=ana
advance 60d
sleep
advance 60d
sleep
advance 60d
sleep
remember bakery "The bakery opens at seven." user=ana
search "Where is the will kept?" user=ana
expect hits 1
expect hit will within 1
expect label will FADED
use "Where is the will kept?" user=ana
advance 1h
search "Where is the will kept?" user=ana
expect hit will within 1
expect will status ACTIVE
expect label will CURRENT
search "Does the quorble frindle?" user=ana
expect hits 0
