// Invented people: any likeness of a combination is chance. Only characters of Latin-1, which every file format of the
// demo can hold without embedding fonts.

const words = (text: string): readonly string[] => text.trim().split(/\s+/)

export const FIRST_NAMES = words(`
  Aaliyah Adaeze Adrián Agnes Ahmed Aiko Alasdair Alma Amara Amina Anders André Anouk Anton Arjun Astrid Aurora
  Aysun Beatriz Benedikt Bilal Birgit Björn Bram Camille Carlos Cecilia Chidi Chiara Chloé Clara Colm Daniela Darius
  Dimitra Edda Eero Elif Elena Emeka Emil Esther Fatima Felix Femke Fiona Florian Freya Gabriel Giulia Greta Gustav
  Hana Hannes Hassan Helga Henrik Hugo Ida Idris Ines Ingrid Isabel Ismail Ivana Jasper Joana Jonas José Jun Kaito
  Kamala Karim Katya Keira Kofi Lars Leila Leon Lina Lionel Lucía Luka Maeve Malik Mara Marek Margot Mateo Matilda
  Maya Mei Mikael Mina Miriam Nadia Naoki Nia Nikolai Noor Nora Olga Omar Oscar Paloma Pedro Petra Priya Quentin
  Rafael Rania Renata Rhys Rosa Ruben Sabine Samir Sanne Selma Silas Sofía Søren Tamar Tariq Tessa Theo Thiago Tova
  Uma Vera Viktor Wanda Yara Yasmin Yusuf Zainab Zoë
`)

export const LAST_NAMES = words(`
  Abernethy Achterberg Adeyinka Albrechtsen Almeira Ambrosini Andersgaard Aoyagi Arquette Ashdown Bakkerlund
  Balogunde Barrowby Bellweather Bergqvist Blackthorne Bonaventura Brandtmeier Brightwell Calloway Carrasquillo
  Castellane Chaudhari Chikezie Clearwater Corvantes Croftwood Dalgaard Davenholm Delacroix Demirtas Dragomir
  Drummore Eastlake Edelmann Ekholm Elsworth Engström Espinar Fairbourne Falkenberg Farrokhi Fenwright Ferreiro
  Fitzgarrick Fjellheim Forsgren Galbraith Garfield-Ross Ghorbani Glenmorrow Goldfinch Grünewald Haddadin Halvarsen
  Harrowgate Hashimura Hawthorne Heikkinen Hellström Holloway Ibekwe Ishibashi Jankovic Jarnvik Kaminsky Karlsmose
  Kavanaugh Kensington Kingsbury Kobayakawa Kowalczyk Kristoffersen Lachapelle Langridge Larkspur Lindqvist Lockhart
  Lombardini Lundgren Maclachlan Mahendran Marchetti Marlowe Mbeki-Stone Meadowcroft Mensah-Gray Merriweather
  Middlebrook Moreau Müller-Haas Nakashima Nightingale Nordahl Nwachukwu Oakenfold Obradovic Okonjo Olavarría
  Ortúzar Pemberton Penhaligon Pettersson Pickering Quillfeather Quintanilla Radcliffe Ramaswamy Ravenscroft
  Reinholt Rosenquist Rutherglen Saarinen Salvatierra Sandoval-Reyes Satterfield Schönberg Silverwood Stavropoulos
  Steinbrück Strandberg Sundaram Takahara Thistlewood Thornquist Underhill Valdivieso Vandermeer Velasquez-Kerr
  Villanova Wainwright Westergaard Whitlock Winterbourne Yamazawa Yilmazer Zachariadis Zielinska
`)

export interface Company {
  name: string
  industry: string
  domain: string
}

const company = (name: string, industry: string): Company => ({
  name,
  industry,
  domain: `${name.toLowerCase().replaceAll(' ', '-')}.example`,
})

export const COMPANIES: readonly Company[] = [
  company('Tessellate Systems', 'Robotics'),
  company('Quarry Labs', 'Robotics'),
  company('Bluefin Logistics', 'Logistics'),
  company('Halvorsen Optics', 'Electronics'),
  company('Pinecrest Health', 'Health Care'),
  company('Copperline Energy', 'Energy'),
  company('Lanternfish Software', 'Software'),
  company('Marrow Street Bank', 'Financial Services'),
  company('Opal Harbour Shipping', 'Logistics'),
  company('Redwood Mechatronics', 'Industrial Automation'),
  company('Saltmarsh Foods', 'Food Production'),
  company('Silverbirch Analytics', 'Software'),
  company('Skylark Avionics', 'Aerospace'),
  company('Stonebridge Motors', 'Automotive'),
  company('Sundial Games', 'Software'),
  company('Tidewater Robotics', 'Robotics'),
  company('Umbra Semiconductors', 'Electronics'),
  company('Vellum Publishing', 'Media'),
  company('Waypoint Drives', 'Industrial Automation'),
  company('Yellowhammer Retail', 'Retail'),
]

export interface Place {
  city: string
  country: string
  languages: readonly string[]
}

const place = (city: string, country: string, ...languages: string[]): Place => ({ city, country, languages })

/** As people write it; a city that is a country is named once. */
export const placeName = ({ city, country }: Place): string => (city === country ? city : `${city}, ${country}`)

export const PLACES: readonly Place[] = [
  place('Boston', 'United States', 'English'),
  place('Pittsburgh', 'United States', 'English'),
  place('Austin', 'United States', 'English', 'Spanish'),
  place('Seattle', 'United States', 'English'),
  place('Toronto', 'Canada', 'English', 'French'),
  place('London', 'United Kingdom', 'English'),
  place('Dublin', 'Ireland', 'English'),
  place('Zurich', 'Switzerland', 'German', 'English'),
  place('Berlin', 'Germany', 'German', 'English'),
  place('Munich', 'Germany', 'German', 'English'),
  place('Amsterdam', 'Netherlands', 'Dutch', 'English'),
  place('Gothenburg', 'Sweden', 'Swedish', 'English'),
  place('Madrid', 'Spain', 'Spanish', 'English'),
  place('Lisbon', 'Portugal', 'Portuguese', 'English'),
  place('Lagos', 'Nigeria', 'English'),
  place('Nairobi', 'Kenya', 'English', 'Swahili'),
  place('Bengaluru', 'India', 'English', 'Hindi'),
  place('Singapore', 'Singapore', 'English', 'Mandarin'),
  place('Osaka', 'Japan', 'Japanese', 'English'),
  place('São Paulo', 'Brazil', 'Portuguese', 'English'),
]

export const SCHOOLS: readonly string[] = [
  'University of Westmark',
  'Northgate Institute of Technology',
  'Hollin College',
  'Technical University of Altmoor',
  'Saint Brennan University',
  'Lakeside Polytechnic',
]
