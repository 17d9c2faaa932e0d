# A later statement revises the earlier one. Another speaker with less authority does not, and
# neither does an assistant.

remember nine "The standup of the crew is at 9:30" user=ana session=mon
mark monday
advance 2d
remember ten "The standup of the crew is at 10:15" user=ana session=wed
expect remembered new
expect nine status SUPERSEDED
expect ten status ACTIVE
expect ten version 2
expect ten reason "REVISED"
expect ten conflict 0
search "When is the standup of the crew?" user=ana
expect hit ten within 1
expect no hit nine
search "When is the standup of the crew?" user=ana asof=monday
expect hit nine within 1
expect no hit ten

advance 1d
caller visitor grant=0.3
remember rumour "The standup of the crew is at 11:45" user=ana
caller loopback
expect ten status ACTIVE
expect rumour status ACTIVE
advance 10h
sleep
expect nine status SUPERSEDED
expect ten status ACTIVE
search "When is the standup of the crew?" user=ana
expect hit ten within 1
