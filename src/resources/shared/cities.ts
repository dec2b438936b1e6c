import { lazy } from '../../kernel/async/lazy.ts'

/** A large city: where it is is certain, unless two cities of the table share the name. */
export interface City {
  /** the English name, which no other city of the same country and region has */
  name: string
  /** in the languages of the careers sites that have a name of their own for it */
  names: Readonly<Record<string, string>>
  /** two letters */
  country: string
  /** The state or province, where people write it after the city: US, CA, AU. */
  region: string | undefined
}

/**
 * Large cities by country, or by country and region. `English=German=other spelling`; a name that two rows have is
 * ambiguous, and the country of the company decides.
 */
const CITIES = `
AE: Dubai|Abu Dhabi
AR: Buenos Aires|Rosario
AT: Vienna=Wien|Graz|Linz|Salzburg|Innsbruck|Klagenfurt
AU-ACT: Canberra
AU-NSW: Sydney|Newcastle
AU-QLD: Brisbane|Gold Coast
AU-SA: Adelaide
AU-VIC: Melbourne
AU-WA: Perth
BE: Brussels=Brüssel=Bruxelles|Antwerp=Antwerpen|Ghent=Gent|Leuven=Löwen
BG: Sofia|Plovdiv|Varna
BR: São Paulo=São Paulo|Rio de Janeiro|Belo Horizonte|Curitiba|Porto Alegre|Florianópolis
CA-AB: Calgary|Edmonton
CA-BC: Vancouver|Victoria
CA-MB: Winnipeg
CA-NS: Halifax
CA-ON: Toronto|Ottawa|Mississauga|Waterloo|Hamilton
CA-QC: Montreal=Montreal=Montréal|Quebec City
CH: Zurich=Zürich=Zuerich|Geneva=Genf=Genève|Basel|Bern=Bern=Berne|Lausanne|Winterthur|Lucerne=Luzern|Zug|St. Gallen|Lugano
CL: Santiago
CN: Beijing=Peking|Shanghai|Shenzhen|Guangzhou|Hangzhou|Chengdu|Suzhou
CO: Bogotá|Medellín
CR: San José
CY: Nicosia=Nikosia|Limassol
CZ: Prague=Prag=Praha|Brno=Brünn|Ostrava
DE: Berlin|Hamburg|Munich=München=Muenchen|Cologne=Köln=Koeln|Frankfurt=Frankfurt am Main|Stuttgart|Düsseldorf=Düsseldorf=Duesseldorf|Leipzig|Dortmund|Essen|Bremen|Dresden|Hanover=Hannover|Nuremberg=Nürnberg=Nuernberg|Duisburg|Bochum|Wuppertal|Bielefeld|Bonn|Münster=Münster=Muenster|Karlsruhe|Mannheim|Augsburg|Wiesbaden|Mönchengladbach|Gelsenkirchen|Aachen|Braunschweig=Braunschweig=Brunswick|Chemnitz|Kiel|Magdeburg|Freiburg=Freiburg im Breisgau|Lübeck|Erfurt|Mainz|Rostock|Kassel|Saarbrücken|Potsdam|Oldenburg|Osnabrück|Heidelberg|Darmstadt|Regensburg|Ingolstadt|Würzburg|Wolfsburg|Ulm|Göttingen|Erlangen|Jena|Walldorf
DK: Copenhagen=Kopenhagen=København|Aarhus|Odense
EE: Tallinn|Tartu
EG: Cairo=Kairo
ES: Madrid|Barcelona|Valencia|Seville=Sevilla|Bilbao|Málaga|Zaragoza=Saragossa
FI: Helsinki|Espoo|Tampere|Turku|Oulu
FR: Paris|Lyon|Marseille|Toulouse|Nice=Nizza|Nantes|Strasbourg=Straßburg|Montpellier|Bordeaux|Lille|Grenoble|Rennes
GB: London|Manchester|Birmingham|Leeds|Glasgow|Edinburgh|Bristol|Liverpool|Sheffield|Newcastle|Nottingham|Cambridge|Oxford|Belfast|Cardiff|Brighton|Southampton|Reading
GR: Athens=Athen|Thessaloniki
HK: Hong Kong=Hongkong
HR: Zagreb|Split
HU: Budapest|Debrecen
ID: Jakarta|Bandung
IE: Dublin|Cork|Galway|Limerick
IL: Tel Aviv|Jerusalem|Haifa|Herzliya
IN: Bengaluru=Bengaluru=Bangalore|Mumbai=Mumbai=Bombay|Delhi|New Delhi=Neu-Delhi|Hyderabad|Chennai|Pune|Kolkata=Kalkutta|Gurugram=Gurugram=Gurgaon|Noida|Ahmedabad
IT: Rome=Rom=Roma|Milan=Mailand=Milano|Turin=Turin=Torino|Naples=Neapel=Napoli|Bologna|Florence=Florenz=Firenze|Genoa=Genua=Genova|Venice=Venedig=Venezia|Verona|Bolzano=Bozen
JP: Tokyo=Tokio|Osaka|Kyoto|Yokohama|Nagoya|Fukuoka
KE: Nairobi
KR: Seoul|Busan
LT: Vilnius|Kaunas
LU: Luxembourg City
LV: Riga
MT: Valletta
MX: Mexico City=Mexiko-Stadt=Ciudad de México|Guadalajara|Monterrey
MY: Kuala Lumpur|Penang
NG: Lagos|Abuja
NL: Amsterdam|Rotterdam|The Hague=Den Haag|Utrecht|Eindhoven|Delft|Groningen|Leiden
NO: Oslo|Bergen|Trondheim|Stavanger
NZ: Auckland|Wellington|Christchurch|Hamilton
PE: Lima
PH: Manila|Cebu
PL: Warsaw=Warschau=Warszawa|Kraków=Krakau=Cracow|Wrocław=Breslau|Gdańsk=Danzig|Poznań=Posen|Łódź|Katowice=Kattowitz
PT: Lisbon=Lissabon=Lisboa|Porto|Braga
QA: Doha
RO: Bucharest=Bukarest|Cluj-Napoca=Klausenburg|Timișoara=Temeswar|Iași
RS: Belgrade=Belgrad=Beograd|Novi Sad
SA: Riyadh=Riad|Jeddah
SE: Stockholm|Gothenburg=Göteborg|Malmö|Uppsala|Linköping
SG: Singapore=Singapur
SI: Ljubljana|Maribor
SK: Bratislava|Košice
TH: Bangkok
TR: Istanbul|Ankara|Izmir
TW: Taipei=Taipeh|Hsinchu
UA: Kyiv=Kiew=Kiev|Lviv=Lwiw|Kharkiv=Charkiw|Odesa=Odessa
US-AL: Birmingham
US-AZ: Phoenix|Tucson|Scottsdale
US-CA: San Francisco|Los Angeles|San Diego|San Jose|Oakland|Palo Alto|Mountain View|Sunnyvale|Sacramento|Irvine|Santa Clara|Menlo Park
US-CO: Denver|Boulder|Colorado Springs
US-DC: Washington=Washington=Washington DC
US-FL: Miami|Tampa|Orlando|Jacksonville
US-GA: Atlanta
US-IL: Chicago
US-IN: Indianapolis
US-MA: Boston|Cambridge|Worcester
US-MD: Baltimore
US-MI: Detroit|Ann Arbor|Grand Rapids
US-MN: Minneapolis|Saint Paul
US-MO: St. Louis|Kansas City
US-NC: Charlotte|Raleigh|Durham
US-NE: Omaha
US-NV: Las Vegas|Reno
US-NY: New York=New York=New York City=NYC|Brooklyn|Buffalo
US-OH: Columbus|Cleveland|Cincinnati
US-OR: Portland
US-PA: Philadelphia|Pittsburgh
US-TN: Nashville|Memphis
US-TX: Austin|Dallas|Houston|San Antonio|Fort Worth|Plano
US-UT: Salt Lake City
US-VA: Richmond|Arlington|Norfolk
US-WA: Seattle|Bellevue|Redmond|Spokane
US-WI: Milwaukee|Madison
VN: Hanoi|Ho Chi Minh City=Ho-Chi-Minh-Stadt
ZA: Cape Town=Kapstadt|Johannesburg|Durban|Pretoria
`

/** Without case and accents: "ZÜRICH" and "zurich" are one name. */
export const plainName = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .trim()

interface ReadRow {
  city: City
  spellings: readonly string[]
}

const rows = lazy((): readonly ReadRow[] =>
  CITIES.trim()
    .split('\n')
    .flatMap(line => {
      const [code, list] = line.split(': ') as [string, string]
      const [country, region] = code.split('-') as [string, string?]
      return list.split('|').map(entry => {
        const [name, german, ...others] = entry.split('=') as [string, string?, ...string[]]
        const city = { name, names: { en: name, de: german ?? name }, country, region }
        return { city, spellings: [name, ...(german === undefined ? [] : [german]), ...others] }
      })
    }),
)

const byName = lazy(() => {
  const found = new Map<string, City[]>()
  for (const { city, spellings } of rows())
    for (const spelling of new Set(spellings.map(plainName)))
      found.set(spelling, [...(found.get(spelling) ?? []), city])
  return found
})

/** The large cities of this name, in any spelling. */
export const citiesNamed = (name: string): readonly City[] => byName().get(plainName(name)) ?? []

/** Every spelling of each city. */
export const citySpellings = (): readonly (readonly string[])[] =>
  rows().map(({ spellings }) => [...new Set(spellings.map(plainName))])
