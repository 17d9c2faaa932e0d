package conflict

// functionalNouns are nouns of which a thing has one.
var functionalNouns = lemmaSet("functionalNouns")

// uniqueWords make any noun unique: "my favourite film".
var uniqueWords = lemmas("favorite main primary default current official best biggest largest smallest oldest youngest fastest tallest highest closest preferred native only emergency")

// uniqueRoleNouns are roles that one person has at a time.
var uniqueRoleNouns = lemmaSet("uniqueRoleNouns")

var eventNouns = lemmaSet("eventNouns")

// physicalThings are in one place at a time.
var physicalThings = lemmaSet("physicalThings")

var streetNouns = lemmas("street avenue road lane square boulevard drive st ave rd plaza")

// pluralNouns are nouns of which a person has several.
var pluralNouns = lemmaSet("pluralNouns")

// wordValued are nouns whose value is a common word: "the password is sunflower".
var wordValued = lemmaSet("wordValued")

var schoolNouns = lemmas("school high university college academy elementary kindergarten polytechnic")
