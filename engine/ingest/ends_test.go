package ingest_test

import "testing"

// A denial of what was so until now ends a statement that says it, and no other one.
func TestWhatIsNoLongerSoEnds(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"I smoke about ten cigarettes a day.", "I don't smoke anymore.", revised},
		{"I smoke a pipe.", "I no longer smoke.", revised},
		{"I play bass in a band called Tin Lizard.", "I no longer play in Tin Lizard.", revised},
		{"I keep kosher.", "I stopped keeping kosher a while ago.", revised},
		{"I drive a taxi at night.", "I don't drive at night anymore.", revised},
		{"We deliver to Utrecht.", "We no longer deliver to Utrecht.", revised},
		{"My brother works at the shipyard.", "My brother doesn't work at the shipyard any more.", revised},
		{"I take sugar in my tea.", "I don't take sugar in my tea these days.", revised},
		{"I'm allergic to kiwi.", "I'm no longer allergic to kiwi.", revised},
		{"We have a car.", "We don't have a car anymore.", revised},
		{"I go swimming twice a week.", "I don't swim these days.", revised},
		{"I sing in the cathedral choir.", "I stopped singing in the choir two months ago.", revised},
		{"Hanna rides a motorbike to the lab.", "Hanna no longer rides a motorbike.", revised},
		{"I'm learning Portuguese.", "I gave up on Portuguese, I'm learning Turkish instead.", revised},
		{"I play the oboe.", "I gave up the oboe last winter.", revised},
		{"I drink two coffees a day.", "I don't drink anymore.", rivals},
		{"I run the accounting team.", "I don't run anymore.", stands},
		{"I drink two coffees a day.", "I don't drink anymore because of my liver.", rivals},
		{"I play bass in Tin Lizard.", "I don't play on Sundays anymore.", stands},
		{"I play bass in Tin Lizard.", "I no longer play the trumpet.", stands},
		{"I work at Acme.", "I don't work on Fridays anymore.", stands},
		{"I work at Acme.", "I no longer work late.", stands},
		{"I eat meat.", "I don't eat pork anymore.", rivals},
		{"We deliver to Utrecht.", "We no longer deliver to Leiden.", stands},
		{"I drive a taxi.", "I don't drive to work anymore.", stands},
		{"I smoke cigars.", "I no longer smoke indoors.", stands},
		{"I smoke a pipe.", "My father no longer smokes.", stands},
		{"I'm allergic to kiwi.", "I'm no longer allergic to peanuts.", stands},
		{"I take sugar in my tea.", "I don't take sugar in my coffee anymore.", stands},
		{"I read the Economist.", "I don't read before bed anymore.", stands},
		{"I go running every morning.", "I don't run marathons anymore.", stands},
		{"I teach maths at Elm School.", "I no longer teach the evening class.", stands},
		{"We use Redis.", "We no longer use Redis for queues.", stands},
		{"I play bass.", "I don't play much these days.", stands},
		{"I go running every morning.", "I don't run often anymore.", stands},
		{"I work at Acme.", "I don't just work at Acme anymore.", stands},
		{"I work at Acme.", "I no longer only work at Acme.", stands},
		{"I live in Oslo.", "I don't live alone anymore.", stands},
		{"I teach maths.", "I don't always teach maths anymore.", stands},
	})
}

// What a thing changed to is a rival of what it is, and what happens to a thing is none of what it is like.
func TestWhatAThingChangedTo(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"Our staging URL is stage.acme.io.", "The staging URL changed to st.acme.io.", rivals},
		{"The password is swordfish.", "The password changed to marlin.", rivals},
		{"The team is happy.", "The team moved to Kiel.", stands},
		{"We host on AWS.", "We moved everything off AWS.", revised},
		{"We host on AWS.", "We moved the backups off AWS.", stands},
	})
}

// "They" and "it" stand for what the clause before names.
func TestAPronounStandsForWhatTheClauseBeforeNames(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"The kids go to Oakfield primary.", "The kids changed schools, they go to St Brendan's.", revised},
		{"My parents live in Lund.", "My parents sold the house, they live in Ystad now.", revised},
		{"The neighbours have a poodle.", "The neighbours' poodle died, they have a cat now.", revised},
		{"I hate coriander.", "Funny, I've come around to coriander, I love it now.", revised},
		{"My parents have a dog.", "The neighbours sold their dog, they have a cat now.", stands},
		{"The kids go to Oakfield primary.", "The twins next door changed schools, they go to St Brendan's.", stands},
		{"I hate coriander.", "I tried the parsley, I love it.", stands},
	})
}

// A thing gets another value, under another form of its name, or passes to somebody else.
func TestANewValueReplacesTheEarlierOne(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"Our address is 14 Tannery Lane.", "We've moved, the new address is 3 Orchard Rise.", revised},
		{"My email is mira@post.example.", "The new email is mira@kestrel.example.", revised},
		{"My office is in room 204.", "My new office is in room 311.", revised},
		{"Our address is 14 Tannery Lane.", "The new address of the library is 3 Orchard Rise.", stands},
		{"My phone number is 0471 22 13 90.", "Ana has a new phone number: 0499 80 41 17.", stands},
		{"My car is a Mazda.", "The new car of my neighbour is a Volvo.", stands},
		{"The deadline for the Marlow report is 3 March.", "The Marlow report deadline got pushed to 17 March.", revised},
		{"The Marlow report deadline is 3 March.", "The deadline for the Marlow report was moved to 17 March.", revised},
		{"The launch of the Heron app is on 4 May.", "The Heron app launch was postponed to 9 June.", revised},
		{"The deadline for the Marlow report is 3 March.", "The Marlow invoice deadline got pushed to 17 March.", stands},
		{"The deadline for the Marlow report is 3 March.", "The Finch report deadline got pushed to 17 March.", stands},
		{"Pilates is on Tuesdays at 18:30.", "Pilates has been shifted to Thursdays at 19:00.", revised},
		{"Choir practice is on Mondays.", "Choir practice was moved to Wednesdays.", revised},
		{"Priya owns the billing service.", "Ownership of the billing service went from Priya to Dmitri.", revised},
		{"Tom leads the onboarding project.", "Leadership of the onboarding project passed from Tom to Aisha.", revised},
		{"The night keys are with Otto.", "The night keys went from Otto to Lena.", revised},
		{"Priya owns the billing service.", "The billing report went from Priya to Dmitri.", stands},
		{"Priya lives in Oslo.", "The parcel went from Priya to Dmitri.", stands},
		{"The train to Oslo leaves at nine.", "The train went from Oslo to Bergen.", stands},
		{"Priya likes the green van.", "The green van went from Priya to Dmitri.", stands},
		{"The gym fee is 30 euros.", "They put the gym fee up to 35 euros.", revised},
		{"I rent a flat in Ghent.", "I live in Antwerp now.", revised},
	})
}

// An event ends the states that it is the end of, of whom it tells.
func TestAnEventEndsAState(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"My wife Carla is pregnant.", "Carla gave birth to a little girl, Mila!", revised},
		{"I'm single.", "I got married to Tobias on Saturday.", revised},
		{"My mom is in the hospital.", "My mom was discharged, she's home again.", revised},
		{"I'm looking for a new job.", "I found a job at the city archive!", revised},
		{"My sister is engaged.", "My sister got married last week.", revised},
		{"Dad is in hospital with pneumonia.", "Dad came home from hospital yesterday.", revised},
		{"I'm unemployed.", "I got a job at the mill.", revised},
		{"The dishwasher is broken.", "The dishwasher has been repaired.", revised},
		{"My wife Carla is pregnant.", "My cousin gave birth to a girl.", stands},
		{"I'm single.", "My sister got married on Saturday.", stands},
		{"My mom is in the hospital.", "My dad was discharged from the army.", stands},
		{"I'm looking for a new flat.", "I found a job at the city archive!", stands},
		{"The dishwasher is broken.", "The fridge has been repaired.", stands},
		{"I'm a nurse at the hospital.", "I came home from the hospital.", stands},
		{"I'm sick.", "I got better at chess.", stands},
		{"I'm looking for a flat.", "I found a flat tyre on my bike.", stands},
		{"I'm single.", "I'm getting married in May.", stands},
		{"My car is broken.", "My brother's car was fixed.", stands},
		{"I'm a single parent.", "I got married in June.", rivals},
		{"I work at the hospital.", "I was discharged from the army in May.", stands},
	})
}

// A death ends what the one who died did, also if one statement has the name only. A divorce of two ends their marriage.
func TestDeathsAndDivorcesEndWhatWasSo(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"My parrot Kiko sleeps in the hall.", "Kiko died on Sunday.", revised},
		{"Kiko eats sunflower seeds.", "My parrot Kiko died last night, we buried her.", revised},
		{"My in-laws are married.", "My in-laws got divorced.", revised},
		{"I have eczema on my hands.", "The eczema is gone.", revised},
		{"We have a hammock in the garden.", "The hammock is gone, somebody took it.", revised},
		{"I go running along the river.", "I don't run anymore, my hip hurts.", revised},
		{"I have tonsillitis.", "The tonsillitis is over and I'm back at school.", revised},
		{"My parrot Kiko is a cockatoo.", "My neighbour's parrot Kiko died.", stands},
		{"My son Emil plays chess.", "The hamster of my son Emil died.", stands},
		{"My in-laws are married.", "My cousins got divorced.", stands},
		{"I'm married to Jens.", "My in-laws got divorced.", stands},
		{"We have two canoes.", "The canoe is gone, my brother took it to the lake.", stands},
		{"Odile lives in Namur.", "Odile is gone for the weekend.", stands},
		{"I have tonsillitis.", "The tonsillitis is over, but it came back on Friday.", stands},
	})
}

// What somebody takes over from another person, and a value that changed from one to another, replace what was so.
func TestWhatPassesOnReplacesTheEarlierStatement(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"Rafi runs the search rollout.", "Noor took over the search rollout from Rafi.", revised},
		{"Rafi is the secretary of our club.", "Noor took over as secretary from Rafi.", revised},
		{"My choir meets on Mondays.", "My choir moved from Monday to Thursday.", revised},
		{"I have a class with Bram on Tuesdays.", "Bram moved my class from Tuesday to Friday.", revised},
		{"Rafi runs the search rollout.", "Noor took over the billing rollout from Rafi.", stands},
		{"Rafi runs the search rollout.", "Noor took over from Odile.", stands},
		{"Rafi runs the search rollout.", "Noor took over the search rollout from Rafi for a week.", stands},
		{"Rafi built the search service.", "Noor took over the search service from Rafi.", stands},
		{"The bakery is closed on Mondays.", "The bakery is open from Tuesday to Friday.", stands},
		{"I work on Mondays.", "I worked from Monday to Friday last week.", stands},
		{"The coach leaves at 9.", "The coach went from 9 to 12 seats.", stands},
		{"I have a class with Bram on Tuesdays.", "The Greek class moved from Tuesday to Friday.", stands},
	})
}

// The age of a person is one predicate, however it is said.
func TestAnAgeReplacesTheFormerAge(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"I'm 51.", "I'm 52 years old.", revised},
		{"I'm 51 years old.", "I turned 52 today.", revised},
		{"My niece is eight.", "My niece turned nine on Sunday.", revised},
		{"Ida is 12.", "Ida turned 13 today.", revised},
		{"I'm 51.", "My husband turned 52.", stands},
		{"I'm 51.", "I'm at 52 Oak Street.", stands},
		{"I'm 51.", "I weigh 82 kilos.", stands},
		{"We are 12.", "We are 14 at the table tonight.", stands},
		{"My house number is 12.", "I am 13.", stands},
		{"My niece is eight.", "My niece's friend is nine.", stands},
	})
}

// What ends one of several things that are listed ends not the others.
func TestOneOfAListEnds(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"I own a boat and a caravan.", "I sold the caravan.", stands},
		{"I own a boat and a caravan.", "I sold the boat.", stands},
		{"I own a caravan.", "I sold the caravan.", revised},
	})
}

// A contrast that says a value again denies only what it names.
func TestAContrastRepeatsAValue(t *testing.T) {
	wantOutcomes(t, []pairOutcome{
		{"I'm a vet in Bristol.", "No, I'm in Bristol not Bath, you got that wrong.", stands},
		{"I live in Bath.", "No, I live in Bristol, not Bath.", corrected},
	})
}
