package conflict

// functionalNouns are nouns of which a thing has one.
var functionalNouns = lemmas(`name surname nickname color deadline budget password language database owner lead leader capital size status version port
address phone email number job hometown birthplace birthday title theme venue location engine framework editor host provider breed nationality
religion brand boss wife mother father ceo cto cfo president chairman headquarters currency population height weight age salary rent price cost
limit timeout branch repository diet allergy blood type role position employer major school captain coach mayor founder author director roommate
landlord dentist therapist fiance fiancee girlfriend boyfriend mascot slogan motto codename username timezone shift default schedule destination
seat gate platform maintainer winner champion champion sponsor client successor predecessor principal governor king queen
theme topic subject format protocol license operator plan tier region zone diagnosis pin code key plate model make cause reason purpose goal target`)

// uniqueWords make any noun unique: "my favourite film".
var uniqueWords = lemmas("favorite main primary default current official best biggest largest smallest oldest youngest fastest tallest highest closest preferred native only emergency")

// uniqueRoleNouns are roles that one person has at a time.
var uniqueRoleNouns = lemmas(`boss wife ceo cto cfo coo president chairman capital owner lead leader captain coach mayor founder author director landlord dentist
therapist fiance fiancee girlfriend boyfriend champion winner king queen principal governor maintainer roommate mother father chief head manager`)

var eventNouns = lemmas(`meeting appointment call interview flight exam wedding deadline surgery standup stand-up lesson class lecture party dinner lunch breakfast
conference session launch release concert game match show movie ceremony train bus review demo sync retro retrospective presentation workshop webinar
event checkup delivery pickup visit departure arrival reservation booking trip vacation funeral birthday anniversary graduation hearing trial test
audit kickoff election festival tournament race reunion seminar training playdate date rehearsal performance closing opening shift maintenance migration`)

// physicalThings are in one place at a time.
var physicalThings = lemmas(`key wallet phone passport laptop book bag box bike bicycle umbrella glasses charger remote suitcase ladder drill tool
document contract folder notebook camera ring watch coat jacket hat dog cat piano sofa fridge router server printer medicine first-aid kit battery cable`)

var streetNouns = lemmas("street avenue road lane square boulevard drive st ave rd plaza")

// pluralNouns are nouns of which a person has several.
var pluralNouns = lemmas(`friend colleague cousin brother sister neighbor classmate son daughter child hobby student teacher interest fan goal option
example member customer client guest pet dog cat book song band movie food dish problem issue thing idea reason fact game show team one way part uncle aunt
teammate coworker friend acquaintance relative grandson granddaughter nephew niece answer result point alternative competitor`)

// wordValued are nouns whose value is a common word: "the password is sunflower".
var wordValued = lemmas(`name color password passcode job occupation breed theme diet major username email role position topic format protocol title plan
tier region zone mascot codename address phone number hometown nationality religion type default currency allergy code pin key target destination shift framework language engine`)

var schoolNouns = lemmas("school high university college academy elementary kindergarten polytechnic")
