# A namespace sets the decay constants of its memories: in the diary a mood fades within
# hours, while a preference lasts for months. Memories written before keep the constant that
# was fixed at write, and other namespaces keep theirs.

remember before "Tove feels hopeful about the exam" user=tove namespace=diary type=WORKING ttl=30d
policy diary decay=FAST:4
remember mood "Tove feels gloomy this morning" user=tove namespace=diary type=WORKING ttl=30d
remember taste "Tove prefers window seats on trains" user=tove namespace=diary
remember elsewhere "Tove feels gloomy this morning" user=tove type=WORKING ttl=30d
expect mood decay FAST
expect taste decay SLOW
advance 6h
expect mood retention 0.36..0.37       # e^(−4·0.25)
expect elsewhere retention >0.9
expect before retention >0.9
advance 18h
expect mood retention <0.02
expect taste retention >0.99
search "How does Tove feel?" namespace=diary
expect no hit mood
expect hit before
advance 60d
expect taste retention 0.65..0.67
