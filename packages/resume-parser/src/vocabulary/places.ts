import { COUNTRY_NAMES } from './country-names.ts'
import { LANGUAGE_NAMES } from './language-names.ts'
import { fold, list, words } from './words.ts'

/** From every name to the English one. */
function namesOf(table: string): Map<string, string> {
  const names = new Map<string, string>()
  // a row that goes on is indented more than one that begins
  for (const row of table
    .replace(/\n {4,}/g, ' ')
    .trim()
    .split(/\n\s*/)) {
    const at = row.indexOf(': ')
    const english = at < 0 ? row.replace(/:$/, '') : row.slice(0, at)
    for (const name of [fold(english), ...list(at < 0 ? '' : row.slice(at + 1))])
      if (!names.has(name)) names.set(name, english)
  }
  return names
}

const REGION_ALIASES: Readonly<Record<string, string>> = {
  uk: 'United Kingdom',
  'great britain': 'United Kingdom',
  england: 'United Kingdom',
  scotland: 'United Kingdom',
  wales: 'United Kingdom',
  'northern ireland': 'United Kingdom',
  usa: 'United States',
  us: 'United States',
  'united states of america': 'United States',
  uae: 'United Arab Emirates',
  'czech republic': 'Czechia',
  'the netherlands': 'Netherlands',
  holland: 'Netherlands',
  turkey: 'Türkiye',
  'republic of korea': 'South Korea',
  's korea': 'South Korea',
  skorea: 'South Korea',
  brasil: 'Brazil',
}

const REGIONS = namesOf(COUNTRY_NAMES)
const LANGUAGES = namesOf(LANGUAGE_NAMES)

const LANGUAGE_ALIASES: Readonly<Record<string, string>> = {
  mandarin: 'Chinese',
  cantonese: 'Chinese',
  farsi: 'Persian',
  tagalog: 'Tagalog',
  castellano: 'Spanish',
  flemish: 'Dutch',
  slovene: 'Slovenian',
  anglictina: 'English',
  nemcina: 'German',
  cestina: 'Czech',
}

const US_STATES = new Map(
  list(`AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware, FL Florida,
    GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas, KY Kentucky, LA Louisiana, ME Maine,
    MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada,
    NH New Hampshire, NJ New Jersey, NM New Mexico, NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma,
    OR Oregon, PA Pennsylvania, RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah,
    VT Vermont, VA Virginia, WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming, DC District of Columbia`).map(
    entry => [entry.slice(0, 2), entry.slice(3).toLowerCase()] as const,
  ),
)
const STATE_NAMES = new Set(US_STATES.values())
const CANADIAN = new Set(words('ON QC BC AB MB SK NS NB NL PE'))

/** The country that a name, or the code of a state, belongs to. */
export function findCountry(text: string): string | undefined {
  const name = text.trim().replace(/\.(?=.|$)/g, '')
  if (US_STATES.has(name)) return 'United States'
  if (CANADIAN.has(name)) return 'Canada'
  const key = fold(name)
  if (key.length < 2 || key.length > 40) return undefined
  return REGION_ALIASES[key] ?? (key === 'georgia' ? 'United States' : REGIONS.get(key))
}

/** A state of the United States written out: a country only behind the name of a city. */
export const isState = (text: string): boolean =>
  STATE_NAMES.has(text.trim().toLowerCase()) || US_STATES.has(text.trim())

export function findLanguage(text: string): string | undefined {
  const key = fold(text.trim())
  return key.length < 4 || key.length > 24 ? undefined : (LANGUAGE_ALIASES[key] ?? LANGUAGES.get(key))
}

/** Large cities, which stand alone where a résumé says no country. */
const CITIES = new Set(
  list(`London, Manchester, Birmingham, Leeds, Liverpool, Bristol, Sheffield, Newcastle, Nottingham, Leicester, Cambridge, Oxford,
    Edinburgh, Glasgow, Aberdeen, Cardiff, Belfast, Dublin, Cork, Galway, New York, New York City, Los Angeles, San Francisco,
    San Diego, San Jose, Seattle, Portland, Chicago, Boston, Austin, Dallas, Houston, Denver, Atlanta, Miami, Philadelphia,
    Phoenix, Detroit, Minneapolis, Toronto, Montreal, Montréal, Vancouver, Ottawa, Calgary, Berlin, Hamburg, München, Munich,
    Köln, Cologne, Frankfurt, Frankfurt am Main, Stuttgart, Düsseldorf, Dortmund, Essen, Leipzig, Bremen, Dresden, Hannover,
    Nürnberg, Duisburg, Bochum, Wuppertal, Bielefeld, Bonn, Münster, Karlsruhe, Mannheim, Augsburg, Wiesbaden, Aachen, Kiel,
    Freiburg, Mainz, Erfurt, Rostock, Kassel, Potsdam, Heidelberg, Regensburg, Ulm, Würzburg, Wien, Vienna, Graz, Linz, Salzburg,
    Innsbruck, Zürich, Zurich, Bern, Basel, Genève, Geneva, Lausanne, Luzern, Paris, Lyon, Marseille, Toulouse, Nice, Nantes,
    Strasbourg, Montpellier, Bordeaux, Lille, Rennes, Reims, Grenoble, Dijon, Angers, Nîmes, Tours, Metz, Nancy, Rouen, Caen,
    Brest, Clermont-Ferrand, Bruxelles, Brussels, Brussel, Antwerpen, Gent, Liège, Namur, Charleroi, Luxembourg, Amsterdam,
    Rotterdam, Den Haag, Utrecht, Eindhoven, Groningen, Tilburg, Almere, Breda, Nijmegen, Arnhem, Haarlem, Maastricht, Leiden,
    Delft, Enschede, Zwolle, Madrid, Barcelona, Valencia, Sevilla, Seville, Zaragoza, Málaga, Murcia, Palma, Bilbao, Alicante,
    Córdoba, Valladolid, Vigo, Gijón, Granada, A Coruña, Vitoria, Oviedo, Pamplona, Almería, San Sebastián, Santander, Salamanca,
    Lisboa, Lisbon, Porto, Braga, Coimbra, Aveiro, Faro, Setúbal, Roma, Rome, Milano, Milan, Napoli, Torino, Turin, Palermo,
    Genova, Bologna, Firenze, Florence, Bari, Catania, Venezia, Verona, Padova, Trieste, Brescia, Parma, Modena, Perugia, Pisa,
    Cagliari, Bergamo, Trento, Warszawa, Warsaw, Kraków, Krakow, Łódź, Wrocław, Poznań, Gdańsk, Gdynia, Szczecin, Bydgoszcz,
    Lublin, Białystok, Katowice, Rzeszów, Toruń, Kielce, Olsztyn, Gliwice, Praha, Prague, Brno, Ostrava, Plzeň, Olomouc, Liberec,
    Bratislava, Košice, Budapest, Debrecen, Szeged, București, Bucharest, Cluj-Napoca, Timișoara, Iași, Sofia, Plovdiv, Varna,
    Beograd, Belgrade, Zagreb, Split, Ljubljana, Sarajevo, Skopje, Tirana, Athens, Thessaloniki, Istanbul, İstanbul, Ankara,
    İzmir, Kyiv, Lviv, Kharkiv, Odesa, Moscow, Vilnius, Kaunas, Riga, Tallinn, Tartu, Helsinki, Espoo, Tampere, Turku, Oulu,
    Stockholm, Göteborg, Gothenburg, Malmö, Uppsala, Linköping, Örebro, Västerås, Umeå, Lund, København, Copenhagen, Aarhus,
    Odense, Aalborg, Oslo, Bergen, Trondheim, Stavanger, Tromsø, Reykjavik, São Paulo, Rio de Janeiro, Belo Horizonte, Brasília,
    Salvador, Curitiba, Porto Alegre, Recife, Fortaleza, Campinas, Florianópolis, Buenos Aires, Córdoba, Rosario, Santiago,
    Bogotá, Medellín, Cali, Lima, Quito, Montevideo, Caracas, Ciudad de México, Mexico City, Guadalajara, Monterrey, Mumbai,
    Delhi, New Delhi, Bengaluru, Bangalore, Hyderabad, Chennai, Pune, Kolkata, Ahmedabad, Karachi, Lahore, Islamabad, Dhaka,
    Colombo, Kathmandu, Singapore, Kuala Lumpur, Jakarta, Bangkok, Manila, Hanoi, Ho Chi Minh City, Hong Kong, Shanghai,
    Beijing, Shenzhen, Guangzhou, Taipei, Seoul, Busan, Tokyo, Osaka, Kyoto, Sydney, Melbourne, Brisbane, Perth, Adelaide,
    Auckland, Wellington, Dubai, Abu Dhabi, Doha, Riyadh, Jeddah, Kuwait City, Tel Aviv, Jerusalem, Amman, Beirut, Cairo, Tunis,
    Casablanca, Rabat, Algiers, Lagos, Abuja, Accra, Nairobi, Kampala, Addis Ababa, Johannesburg, Cape Town, Durban, Pretoria`).map(
    fold,
  ),
)

export const isCity = (text: string): boolean => CITIES.has(fold(text.trim()))
