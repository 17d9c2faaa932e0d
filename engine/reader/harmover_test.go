package reader

import "testing"

// What no longer harms somebody ends the statement that it does, if it names the whole cause.
func TestHarmThatIsOverEnds(t *testing.T) {
	for _, x := range [][2]string{
		{"I'm allergic to cats.", "Cats don't bother me any more."},
		{"I'm allergic to eggs.", "I outgrew my egg allergy."},
		{"Nuts could kill me.", "I can eat nuts again."},
		{"I'm allergic to dogs.", "Dogs don't bother me any more."},
		{"I have a milk allergy.", "I've outgrown my milk allergy."},
		{"I'm allergic to strawberries.", "My strawberry allergy is gone."},
		{"Peanuts could kill me.", "I no longer react to peanuts."},
		{"Our daughter is allergic to eggs.", "Our daughter grew out of her egg allergy."},
		{"Coffee gives me migraines.", "Coffee no longer gives me migraines."},
		{"I can't drink alcohol because of my pills.", "I can drink alcohol again."},
		{"I'm allergic to pollen.", "Turns out I'm not allergic to pollen."},
		{"My son must not eat honey.", "My son can eat honey now."},
		{"I'm lactose intolerant.", "I'm no longer lactose intolerant."},
	} {
		if r := calls(x[0], x[1]); r.Certainty < Revises || r.Kind != Changed {
			t.Errorf("%s => %s: %+v", x[0], x[1], r)
		}
	}
	for _, x := range [][2]string{
		{"I'm allergic to dogs.", "Cats don't bother me any more."},
		{"I'm allergic to dogs.", "The neighbour's dog doesn't bother me any more."},
		{"I'm allergic to peanuts.", "My brother can eat peanuts again."},
		{"I'm allergic to peanuts and sesame.", "I outgrew my peanut allergy."},
		{"I'm allergic to eggs.", "I can eat baked eggs now."},
		{"I'm allergic to eggs.", "I wish I could eat eggs again."},
		{"I'm allergic to eggs.", "My doctor thinks I may outgrow my egg allergy."},
		{"I'm allergic to eggs.", "Will I ever outgrow my egg allergy?"},
		{"I'm allergic to penicillin.", "I outgrew my old coat."},
		{"I'm allergic to shellfish.", "I can eat out again."},
		{"I'm allergic to bees.", "Bees are back in the garden again."},
		{"I'm allergic to milk.", "I can't drink milk any more."},
		{"I'm allergic to cats.", "I have a cat now."},
		{"I'm allergic to nuts.", "I no longer have nuts in the house."},
		{"I'm allergic to cats.", "Cats no longer bother me when I take antihistamines."},
		{"I'm allergic to nuts.", "Nuts no longer bother us at school, they are banned."},
		{"I'm allergic to dogs.", "Dogs no longer bother me at night."},
		{"I'm allergic to dogs.", "The dogs don't bother me any more, I moved."},
		{"I'm allergic to dogs.", "Small dogs don't bother me any more."},
		{"I'm allergic to pollen.", "My pollen allergy is gone for the winter."},
		{"I'm allergic to pollen.", "My pollen allergy is gone until spring."},
		{"I'm allergic to peanuts.", "I lost my peanut allergy card."},
		{"I'm allergic to peanuts.", "I got over my peanut allergy scare."},
		{"I'm allergic to peanuts.", "The peanuts are gone, Tom ate them."},
		{"I'm allergic to mould.", "The mould is gone, we painted the wall."},
		{"Our son Leo is allergic to nuts.", "Our son Max outgrew his nut allergy."},
		{"Our older daughter is allergic to eggs.", "Our younger daughter outgrew her egg allergy."},
		{"We can't eat nuts because our son is allergic.", "I can eat nuts again."},
	} {
		if r := calls(x[0], x[1]); r.Certainty >= Revises {
			t.Errorf("%s => %s: %+v", x[0], x[1], r)
		}
	}
}
