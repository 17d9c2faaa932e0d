# Core memories are in every prompt and never fade.

remember name "The user is called Oriel Vance and signs with OV" user=oriel core
expect name core yes
remember chat "Oriel said that the ferry was late" user=oriel type=EPISODIC
advance 200d
expect name retention 1
expect chat retention <0.05
context "something else entirely: welding masks" user=oriel
expect context has name
expect context lacks chat
unpin name
context "something else entirely: welding masks" user=oriel
expect name core no
