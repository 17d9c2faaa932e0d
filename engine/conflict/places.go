package conflict

import (
	"slices"
	"strings"

	"github.com/somnograph/somnograph/internal/english"
)

// regionTable lists countries and states with the places in them. A town and its country do not
// contradict each other; two towns do.
var regionTable = strings.Split(`united states:new york,los angeles,chicago,houston,phoenix,philadelphia,san antonio,san diego,dallas,san jose,austin,san francisco,seattle,denver,boston,nashville,portland,las vegas,detroit,memphis,baltimore,milwaukee,atlanta,miami,oakland,minneapolis,tampa,new orleans,cleveland,pittsburgh,washington,salt lake city,brooklyn,manhattan,california,texas,florida,oregon,colorado,illinois,massachusetts,arizona,nevada,ohio,michigan,georgia,virginia,pennsylvania,new jersey,utah,alaska,hawaii,tennessee,minnesota,wisconsin,maine,vermont
california:los angeles,san francisco,san diego,san jose,oakland,sacramento,berkeley,palo alto
texas:houston,dallas,austin,san antonio
florida:miami,orlando,tampa
washington:seattle,spokane
new york:brooklyn,manhattan,queens,buffalo
oregon:portland,eugene
colorado:denver,boulder
illinois:chicago
massachusetts:boston,cambridge
arizona:phoenix,tucson
nevada:las vegas,reno
georgia:atlanta
michigan:detroit
tennessee:nashville,memphis
united kingdom:london,manchester,edinburgh,glasgow,birmingham,bristol,leeds,liverpool,oxford,cambridge,cardiff,belfast,england,scotland,wales
england:london,manchester,birmingham,bristol,leeds,liverpool,oxford,cambridge
scotland:edinburgh,glasgow
france:paris,lyon,marseille,nice,toulouse,bordeaux,lille,nantes,strasbourg
germany:berlin,munich,hamburg,cologne,frankfurt,stuttgart,leipzig,dresden,bavaria
bavaria:munich
spain:madrid,barcelona,valencia,seville,bilbao,malaga,catalonia
portugal:lisbon,porto
italy:rome,milan,naples,turin,florence,venice,bologna,tuscany
netherlands:amsterdam,rotterdam,utrecht,the hague,eindhoven
belgium:brussels,antwerp,ghent
switzerland:zurich,geneva,bern,basel,lausanne
austria:vienna,salzburg,graz
sweden:stockholm,gothenburg,malmo
norway:oslo,bergen
denmark:copenhagen,aarhus
finland:helsinki,tampere
poland:warsaw,krakow,gdansk
ireland:dublin,cork,galway
greece:athens,thessaloniki
turkey:istanbul,ankara
russia:moscow
ukraine:kyiv,lviv
japan:tokyo,osaka,kyoto,yokohama,nagoya
china:beijing,shanghai,shenzhen,guangzhou,hong kong
south korea:seoul,busan
india:mumbai,delhi,new delhi,bangalore,chennai,hyderabad,kolkata,pune
australia:sydney,melbourne,brisbane,perth,adelaide,canberra
new zealand:auckland,wellington
canada:toronto,vancouver,montreal,ottawa,calgary,quebec,ontario
ontario:toronto,ottawa
brazil:sao paulo,rio de janeiro,brasilia
argentina:buenos aires
mexico:mexico city,guadalajara
egypt:cairo
south africa:cape town,johannesburg
nigeria:lagos,abuja
kenya:nairobi
israel:tel aviv,jerusalem
united arab emirates:dubai,abu dhabi
thailand:bangkok
vietnam:hanoi
czechia:prague,brno
hungary:budapest
romania:bucharest
singapore:
europe:france,germany,spain,portugal,italy,netherlands,belgium,switzerland,austria,sweden,norway,denmark,finland,poland,ireland,greece,ukraine,united kingdom,czechia,hungary,romania,london,paris,berlin,madrid,rome,vienna,lisbon,amsterdam
asia:japan,china,india,south korea,thailand,vietnam,singapore,tokyo,beijing
africa:egypt,south africa,nigeria,kenya`, "\n")

var placeAliases = map[string]string{
	"nyc": "new york", "new york city": "new york", "sf": "san francisco", "la": "los angeles", "usa": "united states", "us": "united states",
	"america": "united states", "u.s": "united states", "uk": "united kingdom", "britain": "united kingdom", "great britain": "united kingdom", "u.k": "united kingdom",
	"holland": "netherlands", "bengaluru": "bangalore", "münchen": "munich", "uae": "united arab emirates", "korea": "south korea", "dc": "washington", "washington dc": "washington",
	"bombay": "mumbai", "kiev": "kyiv", "vegas": "las vegas",
}

// regionsOf maps each place to the regions that contain it.
var regionsOf = func() map[string][]string {
	m := map[string][]string{}
	for _, line := range regionTable {
		region, list, _ := strings.Cut(line, ":")
		if _, ok := m[region]; !ok {
			m[region] = nil
		}
		for _, town := range strings.Split(list, ",") {
			if town != "" {
				m[town] = append(m[town], region)
			}
		}
	}
	return m
}()

// canonicalPlace returns the usual name of a place.
func canonicalPlace(name string) string {
	if p, ok := placeAliases[name]; ok {
		return p
	}
	return name
}

// isPlace reports whether a name is a known place.
func isPlace(name string) bool { _, ok := regionsOf[canonicalPlace(name)]; return ok }

// samePlace reports whether two names may denote the same place: they are equal, or one contains
// the other.
func samePlace(a, b string) bool {
	a, b = canonicalPlace(a), canonicalPlace(b)
	return a == b || liesIn(a, b, 4) || liesIn(b, a, 4)
}

func liesIn(a, b string, depth int) bool {
	if depth == 0 {
		return false
	}
	return slices.ContainsFunc(regionsOf[a], func(r string) bool { return r == b || liesIn(r, b, depth-1) })
}

// isRegion reports a known country, state or continent.
func isRegion(name string) bool { return regionNames[canonicalPlace(name)] }

// countries are those without a town in regionTable.
const countries = `iceland ireland estonia latvia lithuania croatia serbia slovenia slovakia bosnia albania cyprus malta egypt morocco algeria tunisia libya nigeria ghana kenya
ethiopia uganda tanzania rwanda senegal zambia zimbabwe angola mozambique namibia botswana israel lebanon syria iraq iran kuwait qatar oman yemen afghanistan pakistan bangladesh
nepal bhutan taiwan mongolia cambodia laos malaysia indonesia philippines guatemala cuba jamaica haiti panama colombia venezuela ecuador peru bolivia uruguay paraguay fiji
moldova belarus bulgaria macedonia montenegro kosovo georgia armenia azerbaijan kazakhstan uzbekistan luxembourg scotland wales england chile`

var regionNames = func() map[string]bool {
	m := english.WordSet(countries)
	for _, line := range regionTable {
		name, _, _ := strings.Cut(line, ":")
		m[name] = true
	}
	return m
}()
