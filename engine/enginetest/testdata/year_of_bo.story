# A year of Bo: a birthday that is corrected and corrected back, a new name, a dog, a revision that is taken
# back, and a rule that was said once. What held at each instant is asked about at the end.

remember dog "My dog is called Biscuit." session=b1 user=bo
remember name "My name is Bo Berg." session=b1 user=bo
remember birthday "My birthday is on 3 May." session=b1 user=bo
remember rule "Always answer in Dutch." session=b1 user=bo
advance 1h
mark start
advance 1h
facts "my dog" user=bo
expect fact "is called" "Biscuit"
facts "my birthday" user=bo
expect fact "is on" "3 May"
facts "my name" user=bo
expect fact "is" "Bo Berg"
context "Hello" user=bo session=b1b
expect context says "Always answer in Dutch."

# A correction, and a correction of the correction.
advance 1d
remember birthday2 "My birthday is on 5 May, not on 3 May." user=bo session=b3
expect birthday status SUPERSEDED
facts "my birthday" user=bo
expect facts 1
expect fact "is on" "5 May"
expect lineage birthday2 is birthday birthday2
context "When is my birthday?" user=bo session=p2
expect context has birthday2
expect context lacks birthday
expect context says "Always answer in Dutch."
advance 1h
mark corrected
advance 1d
remember birthday3 "My birthday is on 3 May after all, not on 5 May." user=bo session=b4
expect birthday2 status SUPERSEDED
expect birthday3 status ACTIVE
expect lineage birthday3 is birthday birthday2 birthday3
search "When is my birthday?" user=bo
expect hit birthday3 within 1
expect no hit birthday2
facts "my birthday" user=bo
expect facts 1
expect fact "is on" "3 May"
context "When is my birthday?" user=bo session=p3
expect context has birthday3
expect context lacks birthday2
advance 1h
mark corrected_again
advance 1h

# A new name.
advance 20d
remember name2 "My name is Bo Solberg now." user=bo session=b5
expect name status SUPERSEDED
expect lineage name2 is name name2
facts "my name" user=bo
expect facts 1
expect fact "is" "Bo Solberg"
context "What is my name?" user=bo session=b5b
expect context has name2
expect context hides "Berg"
advance 1h
mark renamed
advance 1h

# A revision is taken back: both stand, and the pair is not revised again.
advance 5d
remember muffin "My dog is called Muffin." user=bo session=b6
expect dog status SUPERSEDED
expect lineage muffin is dog muffin
context "What is my dog called?" user=bo session=p5
expect context has muffin
expect context hides "Biscuit"
advance 1h
mark revised
advance 1h
undo muffin
expect dog status ACTIVE
expect muffin status ACTIVE
expect lineage muffin is muffin
expect lineage dog is dog
facts "my dog" user=bo
expect facts 2
expect fact "is called" "Biscuit"
expect fact "is called" "Muffin"
context "What is my dog called?" user=bo session=p6
expect context has muffin
expect context lacks dog
advance 1h
mark undone
advance 1d
remember muffin2 "My dog is called Muffin." user=bo session=b7
expect dog status ACTIVE
undo muffin
expect error INVALID_REQUEST field=id
facts "my dog" user=bo asof=start
expect facts 1
expect fact "is called" "Biscuit"
facts "my dog" user=bo asof=revised
expect facts 1
expect fact "is called" "Muffin"
facts "my dog" user=bo asof=undone
expect facts 2

# Nights pass.
advance 60d
sleep
advance 120d
sleep
advance 120d
sleep
facts "my birthday" user=bo
expect facts 1
expect fact "is on" "3 May"
facts "my name" user=bo
expect facts 1
expect fact "is" "Bo Solberg"
context "Hello" user=bo session=b9
expect context says "Always answer in Dutch."
context "When is my birthday, and what is my name?" user=bo session=p8
expect context has birthday3
expect context has name2
expect context lacks birthday2
expect lineage birthday3 is birthday birthday2 birthday3
expect lineage name2 is name name2
facts "my birthday" user=bo asof=start
expect fact "is on" "3 May"
facts "my birthday" user=bo asof=corrected
expect facts 1
expect fact "is on" "5 May"
facts "my birthday" user=bo asof=corrected_again
expect facts 1
expect fact "is on" "3 May"
facts "my name" user=bo asof=corrected_again
expect fact "is" "Bo Berg"
facts "my name" user=bo asof=renamed
expect facts 1
expect fact "is" "Bo Solberg"
# Of others than Bo.
facts "my birthday" user=ana
expect facts 0
