# A year of Cleo and two projects: a launch that slips twice, a setting, an owner, a project that is renamed,
# and two agents that disagree until a person decides.

remember port "The server listens on port 8080." user=cleo session=c1 project=harbour
remember owner "The harbour project is owned by Marta." user=cleo session=c1 project=harbour
remember title "The project is called Harbour." user=cleo session=c1 project=harbour
remember launch "The launch is on 10 June." user=cleo session=c1 project=harbour
remember elsewhere "The server listens on port 7000." user=cleo session=c1 project=quay
advance 1h
mark start
advance 1h
facts "The server" user=cleo
expect facts 2

# A plan slips, twice.
advance 30d
remember launch2 "The launch is on 24 June now." user=cleo session=c2 project=harbour
expect launch status SUPERSEDED
advance 1h
mark slipped
advance 20d
remember launch3 "The launch was moved from 24 June to 8 July." user=cleo session=c3 project=harbour
expect launch2 status SUPERSEDED
expect lineage launch3 is launch launch2 launch3
search "When is the launch?" user=cleo project=harbour
expect hit launch3 within 1
expect no hit launch
expect no hit launch2
context "When is the launch?" user=cleo project=harbour session=c3b
expect context has launch3
expect context hides "10 June"
advance 1h
mark slipped_again
advance 1h

# A setting and an owner change in one project, not in another.
remember port2 "The server listens on port 9090." user=cleo session=c3 project=harbour
expect port status SUPERSEDED
expect elsewhere status ACTIVE
remember owner2 "The harbour project is now owned by Jonas." user=cleo session=c3 project=harbour
expect owner status SUPERSEDED
advance 1h
mark settings
advance 1h

# The project is renamed.
remember title2 "The project is now called Lighthouse." user=cleo session=c4 project=harbour
expect title status SUPERSEDED
search "What is the project called?" user=cleo project=harbour
expect hit title2 within 1
expect no hit title
advance 1h
mark renamed

# Two agents disagree. The one with less authority revises nothing.
advance 30d
remember one "The release is on Tuesday." user=cleo agent=planner session=p1 project=harbour kind=ASSISTANT authority=0.6
advance 1h
remember two "The release is on Thursday." user=cleo agent=builder session=p2 project=harbour kind=ASSISTANT authority=0.4
expect one status ACTIVE
expect two status ACTIVE
advance 1h
mark disagreement
# The person decides.
advance 1d
remember decided "The release is on Wednesday." user=cleo session=c5 project=harbour
expect one status SUPERSEDED
expect two status SUPERSEDED
advance 1h
remember stubborn "The release is on Tuesday." user=cleo agent=planner session=p3 project=harbour kind=ASSISTANT authority=0.6
expect decided status ACTIVE
search "When is the release?" user=cleo project=harbour
expect hit decided within 1

# Nights pass.
advance 60d
sleep
advance 120d
sleep
search "On which port does the server listen?" user=cleo project=harbour
expect hit port2 within 1
expect no hit port
search "On which port does the server listen?" user=cleo project=harbour asof=start
expect hit port within 1
expect no hit port2
search "When is the launch?" user=cleo project=harbour asof=slipped
expect hit launch2 within 1
expect no hit launch3
search "What is the project called?" user=cleo project=harbour asof=settings
expect hit title
expect no hit title2
facts "The harbour project" user=cleo
expect fact "is owned by" "Jonas"
expect no fact "is owned by" "Marta"
facts "The harbour project" user=cleo asof=slipped_again
expect fact "is owned by" "Marta"
facts "The harbour project" user=cleo asof=settings
expect facts 1
expect fact "is owned by" "Jonas"
