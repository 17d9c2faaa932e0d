# At the end of a session a working memory that mattered and was used becomes an episode; the
# others expire.

remember kept "Draft the reply to the surveyor about the fence" user=ana session=talk type=WORKING priority=HIGH
remember unused "Compare prices of gravel for the path" user=ana session=talk type=WORKING priority=HIGH
remember low "Hum the tune that Tove sang" user=ana session=talk type=WORKING priority=LOW
remember elsewhere "Ring the chimney sweep about Friday" user=ana session=other type=WORKING priority=HIGH
use "What do I reply to the surveyor about the fence?" user=ana top=1
expect kept uses 1
use "Which tune did Tove sing?" user=ana top=1
expect low uses 1
advance 1h
close talk
expect kept status ACTIVE
expect kept type EPISODIC
expect unused status EXPIRED
expect low status EXPIRED
expect elsewhere status ACTIVE
expect elsewhere type WORKING
close talk
expect kept status ACTIVE
close nothing_of_that_name
expect error MEMORY_NOT_FOUND

# A sleep treats the remaining working memories of the day in the same way.
advance 3d
expect elsewhere status EXPIRED
expect kept status ACTIVE
