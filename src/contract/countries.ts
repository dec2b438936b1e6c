/** The two letters of every country: ISO 3166-1 alpha-2. */
export const COUNTRY_CODES: readonly string[] =
  `AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA
CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA
GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS
MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS
RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW
TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW`.split(/\s/)

/** The countries of each currency that is legal tender in one: ISO 4217. Countries without an own currency in use are left out. */
const COUNTRIES_OF: Readonly<Record<string, string>> = {
  EUR: `AD AT AX BE BG BL CY DE EE ES FI FR GF GP GR HR IE IT LT LU LV MC ME MF MQ MT NL PM PT RE SI SK SM TF VA XK YT`,
  USD: 'AS BQ EC FM GU IO MH MP PR PW SV TC TL UM US VG VI',
  GBP: 'GB GG GS IM JE',
  CHF: 'CH LI',
  XOF: 'BF BJ CI GW ML NE SN TG',
  XAF: 'CF CG CM GA GQ TD',
  XCD: 'AG AI DM GD KN LC MS VC',
  XPF: 'NC PF WF',
  AUD: 'AU CC CX HM KI NF NR TV',
  NZD: 'CK NU NZ PN TK',
  DKK: 'DK FO GL',
  NOK: 'BV NO SJ',
  ILS: 'IL PS',
  MAD: 'EH MA',
  ANG: 'CW SX',
  ...Object.fromEntries(
    `AED AE, AFN AF, ALL AL, AMD AM, AOA AO, ARS AR, AWG AW, AZN AZ, BAM BA, BBD BB, BDT BD, BHD BH, BIF BI, BMD BM, BND BN,
    BOB BO, BRL BR, BSD BS, BTN BT, BWP BW, BYN BY, BZD BZ, CAD CA, CDF CD, CLP CL, CNY CN, COP CO, CRC CR, CUP CU, CVE CV,
    CZK CZ, DJF DJ, DOP DO, DZD DZ, EGP EG, ERN ER, ETB ET, FJD FJ, FKP FK, GEL GE, GHS GH, GIP GI, GMD GM, GNF GN, GTQ GT,
    GYD GY, HKD HK, HNL HN, HTG HT, HUF HU, IDR ID, INR IN, IQD IQ, IRR IR, ISK IS, JMD JM, JOD JO, JPY JP, KES KE, KGS KG,
    KHR KH, KMF KM, KPW KP, KRW KR, KWD KW, KYD KY, KZT KZ, LAK LA, LBP LB, LKR LK, LRD LR, LSL LS, LYD LY, MDL MD, MGA MG,
    MKD MK, MMK MM, MNT MN, MOP MO, MRU MR, MUR MU, MVR MV, MWK MW, MXN MX, MYR MY, MZN MZ, NAD NA, NGN NG, NIO NI, NPR NP,
    OMR OM, PAB PA, PEN PE, PGK PG, PHP PH, PKR PK, PLN PL, PYG PY, QAR QA, RON RO, RSD RS, RUB RU, RWF RW, SAR SA, SBD SB,
    SCR SC, SDG SD, SEK SE, SGD SG, SHP SH, SLE SL, SOS SO, SRD SR, SSP SS, STN ST, SYP SY, SZL SZ, THB TH, TJS TJ, TMT TM,
    TND TN, TOP TO, TRY TR, TTD TT, TWD TW, TZS TZ, UAH UA, UGX UG, UYU UY, UZS UZ, VES VE, VND VN, VUV VU, WST WS, YER YE,
    ZAR ZA, ZMW ZM`
      .split(',')
      .map(pair => pair.trim().split(' ') as [string, string]),
  ),
}

const CURRENCY_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(COUNTRIES_OF).flatMap(([currency, countries]) =>
    countries.split(' ').map(country => [country, currency] as const),
  ),
)

/** The currency in which a country pays; null where that is not certain. */
export const currencyOf = (country: string): string | null => CURRENCY_OF.get(country) ?? null
