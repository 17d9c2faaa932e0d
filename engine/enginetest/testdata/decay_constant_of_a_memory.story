# A memory can have its own decay constant, whatever its class and namespace: the mood fades
# within hours. The constant survives a correction and a change of the namespace's policy,
# until it is removed.

remember plain "Tove wears a green scarf" user=tove type=SEMANTIC
remember mood "Tove feels gloomy about the harbour" user=tove type=SEMANTIC k=4
expect mood decay SLOW
advance 6h
expect mood retention 0.36..0.37       # e^(−4·0.25)
expect plain retention >0.99

supersede mood better "Tove feels hopeful about the harbour"
policy default decay=SLOW:0.01
remember under "Tove keeps a rowing boat" user=tove type=SEMANTIC
remember beside "Tove keeps a kayak" user=tove type=SEMANTIC k=0.1
advance 6h
expect better retention 0.36..0.37
advance 10d
expect under retention 0.90..0.91      # e^(−0.01·10.25)
expect beside retention 0.35..0.37     # e^(−0.1·10.25)

update plain k=1
expect plain retention <0.01
update beside default_pace
expect beside retention 0.90..0.91
update beside k=2000
expect error INVALID_REQUEST field=decayK
remember none "Tove is called Tove" user=tove type=SEMANTIC k=0
expect error INVALID_REQUEST field=decayK
remember never "Tove was born in Bergen" user=tove type=SEMANTIC decay=NONE k=1
expect error INVALID_REQUEST field=decayK
