package reader

import "testing"

// endedBy checks whether later statements end an earlier one, said three days before.
func endedBy(t *testing.T, want bool, earlier string, later ...string) {
	t.Helper()
	for _, s := range later {
		r := Relate(Statement{Text: earlier, Speaker: "ana", User: "ana", At: firstOfDecember}, Statement{Text: s, Speaker: "ana", User: "ana", At: firstOfDecember.AddDate(0, 0, 3)})
		if (r.Certainty >= Revises) != want {
			t.Errorf("%s => %s: %.2f, ends: %v, want %v", earlier, s, r.Certainty, !want, want)
		}
	}
}

// A birth and a loss end a pregnancy.
func TestBirthAndLossEndAPregnancy(t *testing.T) {
	endedBy(t, true, "I'm pregnant, due in March.", "I lost the baby.", "I had a miscarriage.", "I lost my baby.", "We lost the baby at 20 weeks.", "I had an abortion.", "Our daughter was born on Monday.",
		"I miscarried last week.", "I gave birth to a boy on Saturday.", "We lost our baby yesterday.", "Our little girl was born this morning.", "Our twins were born last night.", "I had a stillbirth.", "I've had the baby!", "My son was born two days ago.")
	endedBy(t, true, "My wife is pregnant.", "My wife had a miscarriage.", "Our son was born yesterday.", "We lost the baby.", "My wife gave birth last night.")
	endedBy(t, true, "We're expecting a baby in May.", "We lost the baby.", "Our baby was born today.", "I had a miscarriage.")
	endedBy(t, false, "I'm pregnant, due in March.", "I lost the baby photos.", "I lost the baby monitor.", "My sister had a miscarriage.", "Our daughter was born in 2019.", "Our daughter was born deaf.",
		"Our daughter was born on 3 May.", "I nearly lost the baby.", "I'm afraid I'll lose the baby.", "I lost the baby's dummy.", "My niece was born on Monday.", "The neighbours' baby was born yesterday.", "I lost my keys.",
		"My cat gave birth to four kittens.", "I bought the baby a cot.", "I dreamt that I lost the baby.", "If I lose the baby, I'll quit.", "I lost the baby in the crowd for a minute.", "A friend lost her baby.",
		"I didn't lose the baby.", "Did I tell you that my mother lost a baby?", "The baby kicked today.", "Lambs were born on the farm yesterday.", "My son was born blind.")
	endedBy(t, true, "I'm pregnant.", "My daughter Sofia was born on Tuesday.", "Our little boy Oskar was born today.", "Our baby girl Freya was born yesterday.", "Our twins Ben and Zoe were born this morning.")
	endedBy(t, true, "My wife is pregnant.", "Our daughter Ida was born.", "Our son Matteo was born last night.", "Our baby Noah was born two days ago.", "Our daughter Élodie was born at 3 am.")
	endedBy(t, false, "I'm pregnant.", "Our daughter Nina was born in 2021.", "My sister's daughter Nina was born yesterday.", "Our dog Rex was born on a farm.", "Our son Matteo arrived from camp.", "Our son Matteo is here.",
		"Our son Matteo arrived yesterday.", "My niece Nina was born yesterday.", "Nina was born in Rome.", "Our daughter Nina was born deaf.", "Our daughter Nina was born in Rome.", "Our son Matteo's puppies were born yesterday.",
		"Our baby goat was born yesterday.")
	endedBy(t, false, "My daughter is pregnant.", "Our son was born yesterday.", "I had a miscarriage.")
	endedBy(t, false, "I'm expecting a parcel.", "I had a miscarriage.", "I lost the baby.")
	endedBy(t, false, "I have a baby.", "I had a miscarriage.")
}

// A recovery ends the illness from which somebody recovered.
func TestRecoveryEndsAnIllness(t *testing.T) {
	endedBy(t, true, "I have cancer.", "I'm in remission.", "I'm cancer-free.", "My cancer is in remission.", "I'm cured.", "I beat cancer.", "The cancer is gone.", "I'm cured of cancer.", "I am cancer free.", "My cancer went into remission.")
	endedBy(t, true, "I have the flu.", "I've recovered.", "I'm over the flu.", "I got over the flu.", "I'm healthy again.", "I recovered from the flu.", "I shook off the flu.", "The flu is gone.", "The flu is over.")
	endedBy(t, true, "My dad has pneumonia.", "My dad recovered from pneumonia.", "My dad has recovered.", "My dad is over his pneumonia.")
	endedBy(t, true, "I suffer from depression.", "I got over my depression.")
	endedBy(t, false, "I have cancer.", "The doctor says the cancer ward is closed.", "My aunt is in remission.", "I'm not in remission.", "I'm over the moon.", "I got over the fence.", "I beat my brother at chess.",
		"I've recovered from the marathon.", "My bike has recovered its value.", "I recovered my password.", "The economy is in remission.", "I hope I'm cured soon.", "I'm reading about cancer.", "The ham is cured.",
		"My cold is gone.", "I got over the flu.", "I'm healthy otherwise.", "My dog beat cancer.", "Will I be cured?", "I donated to a cancer charity.", "I recovered from the flu.", "My friend is cancer-free.")
	endedBy(t, false, "I have diabetes.", "I've recovered.", "I'm over the flu.", "I'm cancer-free.")
	endedBy(t, false, "I have a cold shower every day.", "I've recovered.")
	endedBy(t, false, "I have a flu shot on Monday.", "I've recovered.", "I'm over the flu.")
	endedBy(t, false, "I have a cancer screening on Monday.", "I'm in remission.", "I'm cancer-free.")
}

// A death ends what is so of the dead at present, and not who they are.
func TestADeathEndsWhatIsSo(t *testing.T) {
	endedBy(t, true, "My mum lives in Hull.", "Mum died on Sunday.", "My mum died.", "Mum passed away last night.", "I lost my mum last week.", "My mother-in-law is well, but my mum died.")
	endedBy(t, true, "My mum is a nurse.", "My mum passed away in her sleep.", "Mum died.")
	endedBy(t, true, "Our dog Rex loves the beach.", "We had to put Rex down.", "Rex died.", "We had Rex put to sleep.", "We had to put Rex to sleep yesterday.")
	endedBy(t, true, "Paul works at the port.", "Paul died last week.", "Paul passed away.", "Paul died of a stroke.")
	endedBy(t, true, "My brother Tom is in hospital.", "Tom died this morning.", "My brother Tom passed away.")
	endedBy(t, false, "My mum lives in Hull.", "My dad died on Sunday.", "I lost my mum in the supermarket.", "I lost my mum's ring.", "My mum's phone died.", "My mum nearly died.", "I buried my mum's cat.",
		"My mum's best friend died.", "I'd die for my mum.", "Mum says that her plants died.", "The battery died.", "My mum died laughing.", "I lost my mum for ten minutes at the fair.", "In the film my mum died.", "Tom's mum died.",
		"My mum lost her purse.", "Mum buried the hatchet.", "I'm afraid my mum will die.", "I dreamt that my mum died.", "My mum had a cat that died.", "Has my mum died?")
	endedBy(t, false, "My son Leo loves trains.", "I put Leo to sleep.", "We had to put Leo down for a nap.", "I put Leo down.", "I lost Leo at the fair.")
	endedBy(t, false, "Paul's birthday is on 3 May.", "Paul died last week.")
	endedBy(t, false, "Paul's dog has fleas.", "Paul died last week.")
	endedBy(t, false, "My mum's phone number is 0123 456.", "Mum died on Sunday.", "My mum died.")
	endedBy(t, false, "My router is in the hall.", "My router died yesterday.")
	endedBy(t, false, "My mum's house is in Hull.", "Mum died on Sunday.", "I lost my mum last week.")
	endedBy(t, false, "I love my mum.", "Mum died on Sunday.", "I lost my mum last week.")
	endedBy(t, false, "My mum was born in Spain.", "Mum died on Sunday.", "My mum died.")
	endedBy(t, false, "My mum loved roses.", "Mum died on Sunday.", "My mum died.")
	endedBy(t, false, "My mum is called Ann.", "Mum died on Sunday.", "My mum died.")
	endedBy(t, false, "My mum is from Spain.", "Mum died on Sunday.")
	endedBy(t, false, "Paul is my husband.", "Paul died last week.")
	endedBy(t, false, "Our dog is called Rex.", "Rex died.", "We had to put Rex down.")
	endedBy(t, false, "We have a dog called Rex.", "We put Rex down on the sofa.", "We had to put down the phone.")
}
