/** English names of languages, each with its names in other languages; folded. */
export const LANGUAGE_NAMES = `
  English: englisch, anglais, ingles, inglese, engels, angielski, engelska, engelsk, englanti, anglictina, angol,
      engleza, angles, ingilizce
  German: deutsch, allemand, aleman, tedesco, duits, alemao, niemiecki, tyska, tysk, saksa, nemcina, nemet, germana,
      alemany, almanca
  French: franzosisch, francais, frances, francese, frans, francuski, franska, fransk, ranska, francouzstina,
      francuzstina, francia, franceza, fransızca
  Spanish: spanisch, espagnol, espanol, spagnolo, spaans, espanhol, hiszpanski, spanska, spansk, espanja,
      spanelstina, spanielcina, spanyol, spaniola, espanyol, ispanyolca
  Italian: italienisch, italien, italiano, italiaans, wloski, italienska, italiensk, italia, italstina, taliancina,
      olasz, italiana, italyanca
  Dutch: niederlandisch, neerlandais, neerlandes, olandese, nederlands, holandes, niderlandzki, nederlandska,
      nederlandsk, hollanti, nizozemstina, holandcina, holland, neerlandeza, felemenkce
  Portuguese: portugiesisch, portugais, portugues, portoghese, portugees, portugalski, portugisiska, portugisisk,
      portugali, portugalstina, portugalcina, portugal, portugheza, portekizce
  Polish: polnisch, polonais, polaco, polacco, pools, polones, polski, polska, polsk, puola, polstina, lengyel,
      poloneza, lehce
  Swedish: schwedisch, suedois, sueco, svedese, zweeds, szwedzki, svenska, svensk, ruotsi, svedstina, svedcina,
      sved, suedeza, suec, isvecce
  Danish: danisch, danois, danes, danese, deens, dinamarques, dunski, danska, dansk, tanska, danstina, dancina, dan,
      daneza, danca
  Norwegian Bokmål: norwegisch (bokmal), norvegien bokmal, noruego bokmal, norvegese bokmal, noors - bokmal, bokmal
      noruegues, norweski (bokmal), norskt bokmal, bokmal, norsk bokmal, norjan bokmal, norstina (bokmal), norcina
      (bokmal), norveg (bokmal), norvegiana bokmal, noruec bokmal, norvecce bokmal
  Norwegian Nynorsk: norwegisch (nynorsk), norvegien nynorsk, noruego nynorsk, norvegese nynorsk, noors - nynorsk,
      nynorsk noruegues, norweski (nynorsk), nynorska, nynorsk, norsk nynorsk, norjan nynorsk, norstina (nynorsk),
      norcina (nynorsk), norveg (nynorsk), norvegiana nynorsk, noruec nynorsk, norvecce nynorsk
  Norwegian: norwegisch, norvegien, noruego, norvegese, noors, noruegues, norweski, norska, norsk, norja, norstina,
      norcina, norveg, norvegiana, noruec, norvecce
  Finnish: finnisch, finnois, fines, finlandese, fins, finlandes, finski, finska, finsk, suomi, finstina, fincina,
      finn, finlandeza, fince
  Czech: tschechisch, tcheque, checo, ceco, tsjechisch, tcheco, czeski, tjeckiska, tjekkisk, tsjekkisk, tsekki,
      cestina, cseh, ceha, txec, cekce
  Slovak: slowakisch, slovaque, eslovaco, slovacco, slowaaks, slowacki, slovakiska, slovakisk, slovakki,
      slovenstina, slovencina, szlovak, slovaca, eslovac, slovakca
  Hungarian: ungarisch, hongrois, hungaro, ungherese, hongaars, wegierski, ungerska, ungarsk, unkari, madarstina,
      madarcina, magyar, maghiara, hongares, macarca
  Romanian: rumanisch, roumain, rumano, rumeno, roemeens, romeno, rumunski, rumanska, rumænsk, rumensk, romania,
      rumunstina, rumuncina, roman, romana, romanes, rumence
  Catalan: katalanisch, catalano, catalaans, catalao, katalonski, katalanska, catalansk, katalansk, katalaani,
      katalanstina, katalancina, katalan, catalana, catala, katalanca
  Turkish: turkisch, turc, turco, turks, turecki, turkiska, tyrkisk, turkki, turectina, torok, turca, turkce
  Ukrainian: ukrainisch, ukrainien, ucraniano, ucraino, oekraiens, ukrainski, ukrainska, ukrainsk, ukraina,
      ukrajinstina, ukrajincina, ukran, ucraineana, ucraines, ukraynaca
  Russian: russisch, russe, ruso, russo, rosyjski, ryska, russisk, venaja, rustina, orosz, rusa, rus, rusca
  Greek: griechisch, grec, griego, greco, grieks, grego, grecki, grekiska, græsk, gresk, kreikka, rectina, grectina,
      gorog, greaca, yunanca
  Bulgarian: bulgarisch, bulgare, bulgaro, bulgaars, bulgarski, bulgariska, bulgarsk, bulgaria, bulharstina,
      bulharcina, bolgar, bulgara, bulgar, bulgarca
  Croatian: kroatisch, croate, croata, croato, chorwacki, kroatiska, kroatisk, kroatia, chorvatstina, chorvatcina,
      horvat, croat, hırvatca
  Serbian: serbisch, serbe, serbio, serbo, servisch, servio, serbski, serbiska, serbisk, serbia, srbstina, srbcina,
      szerb, sarba, serbi, sırpca
  Slovenian: slowenisch, slovene, esloveno, sloveno, sloveens, slowenski, slovenska, slovensk, sloveeni,
      slovinstina, slovincina, szloven, slovena, eslove, slovence
  Macedonian: mazedonisch, macedonien, macedonio, macedone, macedonisch, macedonski, makedonska, makedonsk,
      makedonia, makedonstina, macedoncina, macedon, macedoneana, macedoni, makedonca
  Albanian: albanisch, albanais, albanes, albanese, albanees, albanski, albanska, albansk, albania, albanstina,
      albancina, alban, albaneza, arnavutca
  Bosnian: bosnisch, bosniaque, bosnio, bosniaco, bosniacki, bosniska, bosnisk, bosnia, bosenstina, bosniactina,
      bosnyak, bosniaca, bosnakca
  Estonian: estnisch, estonien, estonio, estone, estisch, estoniano, estonski, estniska, estisk, viro, estonstina,
      estoncina, eszt, estona, estonia, estonca
  Latvian: lettisch, letton, leton, lettone, lets, letao, lotewski, lettiska, lettisk, latvisk, latvia, lotystina,
      lett, letona, leto, letonca
  Lithuanian: litauisch, lituanien, lituano, litouws, litewski, litauiska, litauisk, liettua, litevstina, litovcina,
      litvan, lituaniana, litua, litvanca
  Icelandic: islandisch, islandais, islandes, islandese, ijslands, islandzki, islandska, islandsk, islanti,
      islandstina, islandcina, izlandi, islandeza, izlandaca
  Irish: irisch, irlandais, irlandes, irlandese, iers, irlandzki, iriska, irsk, iiri, irstina, ircina, ir,
      irlandeza, irlandaca
  Welsh: walisisch, gallois, gales, gallese, walijski, walesiska, walisisk, kymri, velstina, walestina, walesi,
      galeza, gal·les, galce
  Maltese: maltesisch, maltais, maltes, maltees, maltanski, maltesiska, maltesisk, malta, maltstina, maltcina,
      maltai, malteza, maltaca
  Basque: baskisch, euskera, basco, baskijski, baskiska, baskisk, baski, baskictina, baszk, basca, basc, baskca
  Galician: galicisch, galicien, gallego, galiziano, galego, galicyjski, galiciska, galicisk, galisisk, galicia,
      galicijstina, galicijcina, galiciana, gallec, galicyaca
  Luxembourgish: luxemburgisch, luxembourgeois, luxemburgues, lussemburghese, luxemburgs, luksemburski,
      luxemburgiska, luxembourgsk, luxemburgsk, luxemburg, lucemburstina, luxemburcina, luxemburgi, luxemburgheza,
      luksemburgca
  Belarusian: belarussisch, bielorusse, bielorruso, bielorusso, bielorrusso, bialoruski, belarusiska, belarusisk,
      valkovenaja, belorustina, bielorustina, belarusz, belarusa, belarus, belarusca
  Georgian: georgisch, georgien, georgiano, gruzinski, georgiska, georgisk, georgia, gruzinstina, gruzincina, gruz,
      georgiana, gurcuce
  Armenian: armenisch, armenien, armenio, armeno, armeens, ormianski, armeniska, armensk, armenia, armenstina,
      armencina, ormeny, armeana, armeni, ermenice
  Azerbaijani: aserbaidschanisch, azerbaidjanais, azerbaiyano, azerbaigiano, azerbeidzjaans, azerbaijano,
      azerbejdzanski, azerbajdzjanska, aserbajdsjansk, azeri, azerbajdzanstina, azerbajdzancina, azerbajdzsani,
      azera, azerbaidjanes, azerbaycan dili
  Kazakh: kasachisch, kazajo, kazako, kazachs, cazaque, kazachski, kazakiska, kasakhisk, kazakki, kazastina, kazah,
      kazaha, kazakca
  Uzbek: usbekisch, ouzbek, uzbeko, uzbeco, oezbeeks, uzbeque, uzbecki, uzbekiska, usbekisk, uzbekki, uzbectina,
      uzbeg, uzbeca, ozbekce
  Mongolian: mongolisch, mongol, mongolo, mongools, mongolski, mongoliska, mongolsk, mongoli, mongolstina,
      mongolcina, mongola, mogolca
  Hebrew: hebraisch, hebreu, hebreo, ebraico, hebreeuws, hebraico, hebrajski, hebreiska, hebraisk, heprea,
      hebrejstina, hebrejcina, heber, ebraica, ibranice
  Arabic: arabisch, arabe, arabo, arabski, arabiska, arabisk, arabia, arabstina, arabcina, arab, araba, arapca
  Persian: persisch, persan, persa, persiano, perzisch, perski, persiska, persisk, persia, perstina, perzstina,
      perzsa, persana, farsca
  Urdu: ourdou, urdstina, urdcina, urduca
  Hindi: hindstina, hindcina, hintce
  Bangla: bengalisch, bengali, bengalese, bengaals, bengalski, bengalstina, bengalcina, bengaleza, bengalce
  Punjabi: pendjabi, punyabi, panjabi, pendzabski, pandzabi, pandzabstina, pandzabcina, pandzsabi, pencapca
  Gujarati: goudjarati, guyarati, guzerate, gudzarati, gudzaratstina, gudzaratcina, gudzsarati, guceratca
  Marathi: marati, marathstina, marathcina, marathi dili
  Tamil: tamoul, tamilski, tamili, tamilstina, tamilcina, tamila, tamilce
  Telugu: telougou, telugo, telugstina, telugcina, telugu dili
  Kannada: canares, canarim, kannadstina, kannadcina, kannada dili
  Malayalam: malaiala, malajalam, malajalamstina, malajalamcina, malaialam, malayalam dili
  Sinhala: singhalesisch, cingalais, cingales, singalese, singalees, syngaleski, singalesiska, singalesisk,
      sinhalstina, sinhalcina, szingalez, singhaleza, singales, sinhali dili
  Nepali: nepalesisch, nepalais, nepalese, nepalees, nepales, nepalski, nepalesiska, nepalesisk, nepalstina,
      nepalcina, nepaleza, nepalce
  Burmese: birmanisch, birman, birmano, birmaans, birmanes, birmanski, burmesiska, burmesisk, burma, barmstina,
      barmcina, burmai, birmana, birma, birman dili
  Thai: thailandisch, tailandes, thailandese, tajski, thailandska, thajstina, thajcina, thailandeza, tai, tayca
  Vietnamese: vietnamesisch, vietnamien, vietnamita, vietnamees, wietnamski, vietnamesiska, vietnamesisk, vietnam,
      vietnamstina, vietnamcina, vietnami, vietnameza, vietnamca
  Indonesian: indonesisch, indonesien, indonesio, indonesiano, indonezyjski, indonesiska, indonesisk, indonesia,
      indonestina, indonezstina, indonez, indoneziana, indonesi, endonezce
  Malay: malaiisch, malais, malayo, malese, maleis, malaio, malajski, malajiska, malajisk, malayisk, malaiji,
      malajstina, malajcina, malaj, malaeza, malai, malayca
  Filipino: filippino, filipijns, filipinski, filippinska, filippinsk, filipinstina, filipincina, filipineza,
      filipi, filipince
  Filipino: filippino, filipijns, filipinski, filippinska, filippinsk, filipinstina, filipincina, filipineza,
      filipi, filipince
  Javanese: javanisch, javanais, javanes, giavanese, javaans, jawajski, javanesiska, javanesisk, jaava, javanstina,
      javcina, javai, javaneza, cava dili
  Chinese: chinesisch, chinois, chino, cinese, chinees, chines, chinski, kinesiska, kinesisk, kiina, cinstina,
      kinai, chineza, xines, cince
  Japanese: japanisch, japonais, japones, giapponese, japans, japonski, japanska, japansk, japani, japonstina,
      japoncina, japan, japoneza, japonca
  Korean: koreanisch, coreen, coreano, koreaans, koreanski, koreanska, koreansk, korea, korejstina, korejcina,
      koreai, coreeana, corea, korece
  Khmer: jemer, khmerski, kambodjanska, khmerstina, khmercina, khmera, khmer dili
  Lao: laotisch, laotiaans, laosiano, laotanski, laotiska, laotisk, laostina, laotiana, laosia, lao dili
  Swahili: suaheli, suajili, suaili, suahili, svahilstina, swahilcina, szuaheli, svahili dili
  Amharic: amharisch, amharique, amarico, amhaars, amharski, amhariska, amharisk, amhara, amharstina, amharcina,
      amharica, amharca
  Somali: somalo, somalisch, somalijski, somaliska, somalstina, somalcina, szomali, somaleza, somalice
  Yoruba: ioruba, joruba, jorubstina, jorubcina, yorubaca
  Igbo: ibo, igbostina, ibo dili
  Hausa: haussa, haoussa, hauca, haustina, hausza, hausa dili
  Zulu: zoulou, zoeloe, zulustina, zuluca
  Xhosa: khosa, xhostina, xhosza, xosa, zosa dili
  Afrikaans: africaner, afrikanstina, afrikancina, afrikaanca
  Kinyarwanda: quiniaruanda, kinya-ruanda, kinjarwanda, ruanda, kinarwandstina, rwandcina, kinyarvanda, ruandes
  Malagasy: malgache, malgascio, malagassisch, malgaxe, malgaski, malagassiska, malagassisk, gassisk, malagassi,
      malgastina, malgas, malgasa, malgaix, malgasca
  Haitian Creole: haiti-kreolisch, creole haitien, criollo haitiano, creolo haitiano, haitiaans creools, haitiano,
      kreolski haitanski, haitiska, haitisk, haiti, haitstina, haitska kreolcina, haiti kreol, haitiana, crioll
      d'haiti, haiti kreyolu
  Latin: latein, latino, latijn, latim, lacinski, latina, latincina, llati, latince
  Esperanto: eszperanto
  Kurdish: kurdisch, kurde, kurdo, curdo, koerdisch, kurdyjski, kurdiska, kurdisk, kurdi, kurdstina, kurdcina, kurd,
      kurda, kurtce
  Pashto: paschtu, pachto, pastun, pasjtoe, paszto, afghanska, pastu, paststina, pastcina, pastuna, paixtu, pestuca
  Tajik: tadschikisch, tadjik, tayiko, tagico, tadzjieks, tadjique, tadzycki, tadzjikiska, tadsjikisk, tadzikki,
      tadzictina, tadzsik, tadjica, tacikce
  Kyrgyz: kirgisisch, kirghize, kirguis, kirghiso, kirgizisch, quirguiz, kirgiski, kirgiziska, kirgisisk, kirgiisi,
      kyrgyzstina, kirgizstina, kirgiz, kargaza, kırgızca
  Turkmen: turkmenisch, turkmene, turcomano, turcomanno, turkmeens, turcomeno, turkmenski, turkmeniska, turkmensk,
      turkmeeni, turkmenstina, turkmencina, turkmena, turcman, turkmence
  Southern Sotho: sud-sotho, sotho du sud, sotho meridional, sotho del sud, zuid-sotho, soto do sul, sotho
      poludniowy, sydsotho, sor-sotho, etelasotho, sotstina (jizni), sothcina (juzna), deli szeszoto, sesotho, guney
      sotho dili
  Tswana: setsuana, setswana, setswanstina, tswancina, szecsuani, setsvana
  Shona: xona, sona, sonstina, soncina, sona dili
  Wolof: uolofe, wolofstina, wolofcina, volof, volofca
  Lingala: lingalstina, lingalcina
  Ganda: luganda, gandstina, gandcina
  Oromo: afaan oromo, oromstina, oromcina, oromo dili
  Tigrinya: tigrigna, tigrina, tigrino, tigrinia, tigrinja, tigrinijstina, tigrinya dili
`
