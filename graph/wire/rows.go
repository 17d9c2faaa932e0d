package wire

// Entity is a graph.Entity, without its id.
type Entity struct {
	Namespace  string `cbor:"1,keyasint"`
	User       string `cbor:"2,keyasint,omitempty"`
	Name       string `cbor:"3,keyasint,omitempty"`
	Canonical  string `cbor:"4,keyasint"`
	Type       string `cbor:"5,keyasint,omitempty"`
	Properties []byte `cbor:"6,keyasint,omitempty"`
	FirstSeen  Stamp  `cbor:"7,keyasint,omitempty"`
}

// Request is a graph.Request.
type Request struct {
	Key    string `cbor:"1,keyasint"`
	Digest string `cbor:"2,keyasint,omitempty"`
	Result []byte `cbor:"3,keyasint,omitempty"`
	Before []byte `cbor:"4,keyasint,omitempty"`
	Answer []byte `cbor:"5,keyasint,omitempty"`
	At     Stamp  `cbor:"6,keyasint,omitempty"`
}

// Receipt is a graph.Receipt, without its id.
type Receipt struct {
	Status      string `cbor:"1,keyasint"`
	Count       int    `cbor:"2,keyasint,omitempty"`
	Hash        string `cbor:"3,keyasint,omitempty"`
	RequestedAt Stamp  `cbor:"4,keyasint,omitempty"`
	CompletedAt Stamp  `cbor:"5,keyasint,omitempty"`
	Anonymised  int    `cbor:"6,keyasint,omitempty"`
}

// Change is a graph.Change, without its cursor.
type Change struct {
	At        Stamp  `cbor:"1,keyasint"`
	Node      string `cbor:"2,keyasint"`
	Kind      string `cbor:"3,keyasint"`
	ID        []byte `cbor:"4,keyasint"`
	Namespace string `cbor:"5,keyasint,omitempty"`
}
