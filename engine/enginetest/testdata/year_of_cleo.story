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
context "When is the launch, and on which port does the server listen?" user=cleo project=harbour session=q1
expect context has launch
expect context has port
expect context says "(project \"quay\") user \"cleo\": The server listens on port 7000."
expect lineage launch is launch

# A plan slips, twice.
advance 30d
remember launch2 "The launch is on 24 June now." user=cleo session=c2 project=harbour
expect launch status SUPERSEDED
expect lineage launch2 is launch launch2
facts "The launch" user=cleo
expect facts 1
expect fact "is on" "24 June"
context "When is the launch?" user=cleo project=harbour session=q2
expect context has launch2
expect context lacks launch
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
expect lineage port2 is port port2
expect lineage owner2 is owner owner2
context "Who owns the harbour project, and on which port does the server listen?" user=cleo project=harbour session=q4
expect context has port2
expect context has owner2
expect context hides "8080"
expect context hides "Marta"
advance 1h
mark settings
advance 1h

# The project is renamed.
remember title2 "The project is now called Lighthouse." user=cleo session=c4 project=harbour
expect title status SUPERSEDED
search "What is the project called?" user=cleo project=harbour
expect hit title2 within 1
expect no hit title
expect lineage title2 is title title2
context "What is the project called?" user=cleo project=harbour session=q5
expect context has title2
expect context hides "The project is called Harbour."
advance 1h
mark renamed

# Two agents disagree. The one with less authority revises nothing.
advance 30d
remember one "The release is on Tuesday." user=cleo agent=planner session=p1 project=harbour kind=ASSISTANT authority=0.6
advance 1h
remember two "The release is on Thursday." user=cleo agent=builder session=p2 project=harbour kind=ASSISTANT authority=0.4
expect one status ACTIVE
expect two status ACTIVE
context "When is the release?" user=cleo project=harbour session=q6
expect context has one
expect lineage one is one
expect lineage two is two
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
context "When is the release?" user=cleo project=harbour session=q7
expect context has decided
expect context hides "Thursday"

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
