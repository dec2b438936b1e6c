/** English names of countries, each with its names in other languages; folded. */
export const COUNTRY_NAMES = `
  United States: vereinigte staaten, etats-unis, estados unidos, stati uniti, verenigde staten, stany zjednoczone,
      usa, yhdysvallat, spojene staty, egyesult allamok, statele unite ale americii, estats units, amerika birlesik
      devletleri
  United Kingdom: vereinigtes konigreich, royaume-uni, reino unido, regno unito, verenigd koninkrijk, wielka
      brytania, storbritannien, storbritannia, iso-britannia, spojene kralovstvi, spojene kralovstvo, egyesult
      kiralysag, regatul unit, regne unit, birlesik krallık
  Ireland: irland, irlande, irlanda, ierland, irlandia, irlanti, irsko, irorszag
  Canada: kanada
  Australia: australien, australie, ausztralia, avustralya
  New Zealand: neuseeland, nouvelle-zelande, nueva zelanda, nuova zelanda, nieuw-zeeland, nova zelandia, nowa
      zelandia, nya zeeland, uusi-seelanti, novy zeland, uj-zeland, noua zeelanda, nova zelanda, yeni zelanda
  Germany: deutschland, allemagne, alemania, germania, duitsland, alemanha, niemcy, tyskland, saksa, nemecko,
      nemetorszag, alemanya, almanya
  Austria: osterreich, autriche, oostenrijk, osterrike, ostrig, itavalta, rakousko, rakusko, ausztria, avusturya
  Switzerland: schweiz, suisse, suiza, svizzera, zwitserland, suica, szwajcaria, sveits, sveitsi, svycarsko,
      svajciarsko, svajc, elvetia, suissa, isvicre
  Liechtenstein: lichtenstejnsko, lichtenstajnsko
  France: frankreich, francia, frankrijk, franca, francja, frankrike, frankrig, ranska, francie, francuzsko,
      franciaorszag, franta, fransa
  Belgium: belgien, belgique, belgica, belgio, belgie, belgia, belgicko, belcika
  Netherlands: niederlande, pays-bas, paises bajos, paesi bassi, nederland, paises baixos, holandia, nederlanderna,
      nederlandene, alankomaat, nizozemsko, holandsko, hollandia, tarile de jos, paisos baixos, hollanda
  Luxembourg: luxemburg, luxemburgo, lussemburgo, luksemburg, lucembursko, luxembursko
  Monaco: monako
  Spain: spanien, espagne, espana, spagna, spanje, espanha, hiszpania, spania, espanja, spanelsko, spanielsko,
      spanyolorszag, espanya, ispanya
  Andorra: andorre, andora
  Portugal: portogallo, portugalia, portugali, portugalsko, portekiz
  Italy: italien, italie, italia, wlochy, taliansko, olaszorszag, italya
  San Marino: saint-marin
  Vatican City: vatikanstadt, etat de la cite du vatican, ciudad del vaticano, citta del vaticano, vaticaanstad,
      cidade do vaticano, watykan, vatikanstaten, vatikaani, vatikan, statul cetatii vaticanului, ciutat del vatica
  Malta: malte
  Poland: polen, pologne, polonia, polska, puola, polsko, lengyelorszag, polonya
  Czechia: tschechien, tchequie, chequia, cechia, tsjechie, tchequia, czechy, tjeckien, tjekkiet, tsjekkia, tsekki,
      cesko, csehorszag, cehia, txequia, cekya
  Slovakia: slowakei, slovaquie, eslovaquia, slovacchia, slowakije, slowacja, slovakien, slovakiet, slovensko,
      szlovakia, slovacia, slovakya
  Hungary: ungarn, hongrie, hungria, ungheria, hongarije, wegry, ungern, unkari, madarsko, magyarorszag, ungaria,
      hongria, macaristan
  Romania: rumanien, roumanie, rumania, roemenie, romenia, rumunia, rumænien, rumunsko, romanya
  Bulgaria: bulgarien, bulgarie, bulgarije, bulharsko, bulgaristan
  Croatia: kroatien, croatie, croacia, croazia, kroatie, chorwacja, kroatia, chorvatsko, horvatorszag, hırvatistan
  Slovenia: slowenien, slovenie, eslovenia, slowenia, slovenien, slovinsko, szlovenia, slovenya
  Serbia: serbien, serbie, servie, servia, srbsko, szerbia, sırbistan
  Bosnia & Herzegovina: bosnien und herzegowina, bosnie-herzegovine, bosnia y herzegovina, bosnia ed erzegovina,
      bosnie en herzegovina, bosnia e herzegovina, bosnia i hercegowina, bosnien och hercegovina,
      bosnien-hercegovina, bosnia-hercegovina, bosnia ja hertsegovina, bosna a hercegovina, bosznia-hercegovina,
      bosnia si hertegovina, bosnia i hercegovina, bosna-hersek
  Montenegro: czarnogora, cerna hora, cierna hora, muntenegru, karadag
  North Macedonia: nordmazedonien, macedoine du nord, macedonia del norte, macedonia del nord, noord-macedonie,
      macedonia do norte, macedonia polnocna, nordmakedonien, nord-makedonia, pohjois-makedonia, severni makedonie,
      severne macedonsko, eszak-macedonia, macedonia de nord, kuzey makedonya
  Albania: albanien, albanie, albansko, arnavutluk
  Kosovo: kosowo, koszovo, kosova
  Greece: griechenland, grece, grecia, griekenland, grecja, grekland, grækenland, hellas, kreikka, recko, grecko,
      gorogorszag, yunanistan
  Cyprus: zypern, chypre, chipre, cipro, cypr, cypern, kypros, kypr, ciprus, cipru, xipre, kıbrıs
  Türkiye: turkei, turquie, turquia, turchia, turkije, turcja, turkiet, tyrkiet, tyrkia, turkki, turecko,
      torokorszag, turcia
  Ukraine: ucrania, ucraina, oekraine, ukraina, ukrajina, ukrajna, ukrayna
  Belarus: bielorussie, bielorrusia, bielorussia, bielorrussia, bialorus, valko-venaja, belorusko, bielorusko,
      belarusz
  Moldova: republik moldau, moldavie, moldavia, moldawia, moldavien, moldavsko, republica moldova
  Russia: russland, russie, rusia, rusland, rosja, ryssland, venaja, rusko, oroszorszag, rusya
  Estonia: estland, estonie, viro, estonsko, esztorszag, estonya
  Latvia: lettland, lettonie, letonia, lettonia, letland, lotwa, lotyssko, lettorszag, letonya
  Lithuania: litauen, lituanie, lituania, litouwen, litwa, liettua, litva, litvania, litvanya
  Sweden: schweden, suede, suecia, svezia, zweden, szwecja, sverige, ruotsi, svedsko, svedorszag, suedia, isvec
  Norway: norwegen, norvege, noruega, norvegia, noorwegen, norwegia, norge, norja, norsko, norvec
  Denmark: danemark, dinamarca, danimarca, denemarken, dania, danmark, tanska, dansko, danemarca, danimarka
  Finland: finnland, finlande, finlandia, suomi, finsko, finnorszag, finlanda, finlandiya
  Iceland: island, islande, islandia, islanda, ijsland, islanti, izland, izlanda
  Georgia: georgien, georgie, gruzja, gruzie, gruzinsko, gruzia, gurcistan
  Armenia: armenien, armenie, armensko, ormenyorszag, ermenistan
  Azerbaijan: aserbaidschan, azerbaidjan, azerbaiyan, azerbaigian, azerbeidzjan, azerbaijao, azerbejdzan,
      azerbajdzjan, aserbajdsjan, azerbaidzan, azerbajdzan, azerbajdzsan, azerbaycan
  Kazakhstan: kasachstan, kazajistan, kazakistan, kazachstan, cazaquistao, kazakstan, kasakhstan, kazahsztan,
      kazahstan
  Uzbekistan: usbekistan, ouzbekistan, oezbekistan, uzbequistao, uzbegisztan, ozbekistan
  Kyrgyzstan: kirgisistan, kirghizstan, kirguistan, kirghizistan, kirgizie, quirguistao, kirgistan, kirgizistan,
      kirgisia, kirgizsko, kirgizisztan, kargazstan, kirguizstan, kırgızistan
  Tajikistan: tadschikistan, tadjikistan, tayikistan, tagikistan, tadzjikistan, tadjiquistao, tadzykistan,
      tadsjikistan, tadzikistan, tadzsikisztan, tacikistan
  Turkmenistan: turcomenistao, turkmensko, turkmenisztan
  Mongolia: mongolei, mongolie, mongoliet, mongolsko, mogolistan
  Israel: israele, izrael, israil
  Palestinian Territories: palastinensische autonomiegebiete, territoires palestiniens, territorios palestinos,
      territori palestinesi, palestijnse gebieden, terytoria palestynskie, palestinska territorierna, de
      palæstinensiske omrader, det palestinske omradet, palestiinalaisalue, palestinska uzemi, palestinske uzemia,
      palesztin autonomia, teritoriile palestiniene, territoris palestins, filistin bolgeleri
  Jordan: jordanien, jordanie, jordania, giordania, jordansko, iordania, urdun
  Lebanon: libanon, liban, libano, lubnan
  Syria: syrien, syrie, siria, syyria, sziria, suriye
  Iraq: irak, iraque
  Iran: ira
  Saudi Arabia: saudi-arabien, arabie saoudite, arabia saudi, arabia saudita, saoedi-arabie, arabia saudyjska,
      saudiarabien, saudi-arabia, saudska arabie, saudska arabia, szaud-arabia, suudi arabistan
  United Arab Emirates: vereinigte arabische emirate, emirats arabes unis, emiratos arabes unidos, emirati arabi
      uniti, verenigde arabische emiraten, emirados arabes unidos, zjednoczone emiraty arabskie, forenade
      arabemiraten, de forenede arabiske emirater, de forente arabiske emirater, arabiemiirikunnat, spojene arabske
      emiraty, egyesult arab emirsegek, emiratele arabe unite, emirats arabs units, birlesik arap emirlikleri
  Qatar: katar, catar
  Kuwait: koweit, koeweit, kuwejt, kuvajt, kuvait, kuweit, kuveyt
  Bahrain: bahrein, barein, bahrajn, bahreyn
  Oman: oma, umman
  Yemen: jemen, iemen
  Egypt: agypten, egypte, egipto, egitto, egito, egipt, egypten, egypti, egyiptom, egipte, mısır
  Libya: libyen, libye, libia, libie
  Tunisia: tunesien, tunisie, tunez, tunesie, tunezja, tunisien, tunisko, tunezia, tunus
  Algeria: algerien, algerie, argelia, algerije, algieria, algeriet, alzirsko, cezayir
  Morocco: marokko, maroc, marruecos, marocco, marrocos, maroko, marocko, marroc, fas
  Sudan: soudan, soedan, sudao, szudan
  Ethiopia: athiopien, ethiopie, etiopia, etiopien, etiopie, etiyopya
  Kenya: kenia, quenia, kena
  Uganda: ouganda, oeganda
  Tanzania: tansania, tanzanie, tanzanya
  Rwanda: ruanda
  Nigeria: nigerie, nijerya
  Ghana: gana
  Côte d’Ivoire: costa d'avorio, ivoorkust, costa do marfim, elfenbenskusten, elfenbenskysten, norsunluurannikko,
      pobrezi slonoviny, pobrezie slonoviny, elefantcsontpart
  Senegal: szenegal
  Cameroon: kamerun, cameroun, camerun, kameroen, camaroes
  Mali: 
  Burkina Faso: burquina faso
  Congo - Kinshasa: kongo-kinshasa, congo-kinshasa, republica democratica del congo, demokratyczna republika konga,
      kongo, kongon demokraattinen tasavalta, kongo – kinshasa, konzska demokraticka republika, kongo - kinsasa
  Congo - Brazzaville: kongo-brazzaville, congo-brazzaville, congo, republica do congo, kongo, kongon tasavalta,
      kongo – brazzaville, konzska republika, kongo - brazavil
  Angola: 
  Mozambique: mosambik, mozambico, mocambique, mozambik, mozambic, mocambic
  Zambia: sambia, zambie, zambiya
  Zimbabwe: simbabwe, zimbabue, zimbabve
  Botswana: botsuana, botsvana
  Namibia: namibie, namibya
  South Africa: sudafrika, afrique du sud, sudafrica, zuid-afrika, africa do sul, republika poludniowej afryki,
      sydafrika, sor-afrika, etela-afrikka, jihoafricka republika, juzna afrika, del-afrikai koztarsasag, africa de
      sud, sud-africa, guney afrika
  Madagascar: madagaskar, madagaszkar
  Mauritius: maurice, mauricio, mauricius, maurici
  India: indien, inde, indie, intia, hindistan
  Pakistan: paquistao, pakisztan
  Bangladesh: bangladesch, banglades, bangladesz
  Sri Lanka: 
  Nepal: 
  Bhutan: bhoutan, butan, butao
  Myanmar (Burma): myanmar, myanmar (birmanie), myanmar (birmania), myanmar (birma), mianmar (birmania), mjanma
      (birma), myanmar (barma), mjanmarsko, mianmar
  Thailand: thailande, tailandia, thailandia, tajlandia, thaimaa, thajsko, thaifold, thailanda, tayland
  Laos: laosz, lao
  Cambodia: kambodscha, cambodge, camboya, cambogia, cambodja, camboja, kambodza, kambodja, kambodsja, kambodzsa,
      cambodgia, kambocya
  Vietnam: viet nam, vietna, wietnam
  Malaysia: malaisie, malasia, maleisie, malezja, malesia, malajsie, malajzia, malaisia, malezya
  Singapore: singapur, singapour, singapura, szingapur
  Indonesia: indonesien, indonesie, indonezja, indonezia, endonezya
  Philippines: philippinen, filipinas, filippine, filipijnen, filipiny, filippinerna, filippinerne, filippinene,
      filippiinit, fulop-szigetek, filipine, filipines, filipinler
  Brunei: brunei darussalam, brunej
  China: chine, cina, chiny, kina, kiina, xina, cin
  Hong Kong SAR China: sonderverwaltungsregion hongkong, r.a.s. chinoise de hong kong, rae de hong kong (china), ras
      di hong kong, hongkong sar van china, hong kong, rae da china, sra hongkong (chiny), hongkong sar, sar
      hongkong, hongkong sar kina, hongkong – kiinan erityishallintoalue, hongkong – zao ciny, hongkong – oao ciny,
      hongkong kkt, r.a.s. hong kong, china, hong kong (rae xina), cin hong kong oib
  Macao SAR China: sonderverwaltungsregion macau, r.a.s. chinoise de macao, rae de macao (china), ras di macao,
      macau sar van china, macau, rae da china, sra makau (chiny), macao sar, sar macao, macao sar kina, macao –
      kiinan erityishallintoalue, macao – zao ciny, macao – oao ciny, makao kkt, r.a.s. macao, china, macau (rae
      xina), cin makao oib
  Taiwan: tajwan, tchaj-wan, tajvan, tayvan
  Japan: japon, giappone, japao, japonia, japani, japonsko, japo, japonya
  South Korea: sudkorea, coree du sud, corea del sur, corea del sud, zuid-korea, coreia do sul, korea poludniowa,
      sydkorea, sor-korea, etela-korea, jizni korea, juzna korea, del-korea, coreea de sud, guney kore
  North Korea: nordkorea, coree du nord, corea del norte, corea del nord, noord-korea, coreia do norte, korea
      polnocna, nord-korea, pohjois-korea, severni korea, severna korea, eszak-korea, coreea de nord, kuzey kore
  Mexico: mexiko, mexique, messico, meksyk, meksiko, mexic, meksika
  Guatemala: gwatemala
  Belize: belice
  Honduras: hondures
  El Salvador: salvador, salwador
  Nicaragua: nikaragua
  Costa Rica: kostaryka, kostarika, kosta rika
  Panama: 
  Cuba: kuba, kuuba
  Dominican Republic: dominikanische republik, republique dominicaine, republica dominicana, repubblica dominicana,
      dominicaanse republiek, dominikana, dominikanska republiken, den dominikanske republik, den dominikanske
      republikk, dominikaaninen tasavalta, dominikanska republika, dominikai koztarsasag, dominik cumhuriyeti
  Haiti: 
  Jamaica: jamaika, jamaique, giamaica, jamajka
  Trinidad & Tobago: trinidad und tobago, trinite-et-tobago, trinidad y tobago, trinidad e tobago, trinidad en
      tobago, trynidad i tobago, trinidad och tobago, trinidad og tobago, trinidad ja tobago, trinidad a tobago,
      trinidad es tobago, trinidad si tobago, trinidad i tobago, trinidad ve tobago
  Puerto Rico: porto rico, portorico, portoryko, portoriko, porto riko
  Brazil: brasilien, bresil, brasil, brasile, brazilie, brazylia, brasilia, brazilia, brezilya
  Argentina: argentinien, argentine, argentinie, argentyna, argentiina, arjantin
  Chile: chili, cile, xile, sili
  Uruguay: uruguai, urugwaj, uruguaj
  Paraguay: paraguai, paragwaj, paraguaj
  Bolivia: bolivien, bolivie, boliwia, bolivya
  Peru: perou
  Ecuador: equateur, equador, ekwador, ekvador
  Colombia: kolumbien, colombie, kolumbia, kolumbie, columbia, kolombiya
  Venezuela: wenezuela, venecuela
  Guyana: guiana, gujana
  Suriname: surinam
  Fiji: fidschi, fidji, fiyi, figi, fidzi, fidzsi
  Papua New Guinea: papua-neuguinea, papouasie-nouvelle-guinee, papua nueva guinea, papua nuova guinea,
      papoea-nieuw-guinea, papua-nova guine, papua-nowa gwinea, papua nya guinea, papua ny guinea, papua ny-guinea,
      papua-uusi-guinea, papua-nova guinea, papua uj-guinea, papua-noua guinee, papua nova guinea, papua yeni gine
  Afghanistan: afganistan, afeganistao, afganisztan
  Somalia: somalie, somalsko, szomalia, somali
  Eritrea: erythree, eritreia, erytrea, eritreea, eritre
  Djibouti: dschibuti, yibuti, gibuti, djibuti, dzibuti, dzibutsko, dzsibuti, cibuti
  Burundi: 
  Malawi: malaui, malavi
  Lesotho: lesoto
  Eswatini: esuatini, essuatini, szvazifold, esvatini
  Gabon: gabun, gabao
  Guinea: guinee, guine, gwinea, guineea, gine
  Sierra Leone: sierra leona, serra leoa
  Liberia: liberie, liberya
  Togo: 
  Benin: 
  Niger: nijer
  Chad: tschad, tchad, ciad, tsjaad, chade, czad, tsjad, tsad, cad, csad, txad
  Central African Republic: zentralafrikanische republik, republique centrafricaine, republica centroafricana,
      repubblica centrafricana, centraal-afrikaanse republiek, republica centro-africana, republika
      srodkowoafrykanska, centralafrikanska republiken, den centralafrikanske republik, den sentralafrikanske
      republikk, keski-afrikan tasavalta, stredoafricka republika, kozep-afrikai koztarsasag, republica
      centrafricana, republica centreafricana, orta afrika cumhuriyeti
  Gambia: gambie, gambiya
  Guinea-Bissau: guinee-bissau, guinea-bisau, guine-bissau, gwinea bissau, bissau-guinea, guineea-bissau, guinea
      bissau, gine-bissau
  Mauritania: mauretanien, mauritanie, mauretania, moritanya
  Cape Verde: cabo verde, cap-vert, capo verde, kaapverdie, republika zielonego przyladka, kap verde, kapp verde,
      kapverdy, zold-foki koztarsasag, capul verde, cap verd
  Seychelles: seychellen, seicheles, seszele, seychellerna, seychellerne, seychellene, seychellit, seychely,
      seychelle-szigetek, seyseller
  Comoros: komoren, comores, comoras, comore, comoren, komory, komorerna, comorerne, komorene, komorit,
      comore-szigetek, komorlar
  Maldives: malediven, maldivas, maldive, maldiven, malediwy, maldiverna, maldiverne, maldivene, malediivit,
      maledivy, maldivy, maldiv-szigetek, maldivler
  Timor-Leste: timor oriental, timor est, oost-timor, timor wschodni, osttimor, ost-timor, ita-timor, vychodni
      timor, vychodny timor, kelet-timor
`
