# A mood fades within hours, a preference lasts for months. The decay class decides, and the
# type if no class is given.

remember mood "Tove feels gloomy this morning" user=tove type=WORKING ttl=30d decay=FAST
remember event "Tove had breakfast with the surveyor" user=tove type=EPISODIC
remember taste "Tove prefers window seats on trains" user=tove
expect taste decay SLOW
expect event decay MEDIUM
advance 1d
expect mood retention 0.73..0.74       # 2^(−1/(2·1.7/1.5))
expect taste retention >0.99
advance 13d
expect mood retention <0.02
expect event retention 0.53..0.55
expect taste retention 0.9..0.92
advance 76d
expect event retention <0.03
expect taste retention 0.54..0.55

# A faded, unused memory is not an answer; a lasting one is.
search "What does Tove prefer on trains?"
expect hit taste within 1
search "Did Tove have breakfast with the surveyor?"
expect no hit event

# A use restarts the curve and slows it.
use "Where does Tove like to sit on trains, at the window?"
expect taste uses 1
expect taste retention 1
advance 90d
expect taste retention 0.59..0.61
